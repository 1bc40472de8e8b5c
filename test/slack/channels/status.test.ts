import { millisecondsInHour } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { checkBlocks, checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Digest } from '../../../src/model/digest.ts';
import type { SyncStatus } from '../../../src/model/sync.ts';
import type { Told } from '../../../src/slack/app/sync-lines.ts';
import { whoAllows } from '../../../src/slack/channels/audience.ts';
import { missingScopes, type Status } from '../../../src/slack/channels/gather-status.ts';
import { type PlaceStatus, statusMessage } from '../../../src/slack/channels/status-command.ts';
import { aProvenance, aScope } from '../../support/a-provenance.ts';
import { until } from '../../support/local-exports.ts';
import { aSync, filling, standInSync } from '../../support/stand-in-sync.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('status message', () => {
  const hours = 'In this channel everything counts.';

  type Projects = Exclude<PlaceStatus['audience'], 'direct'>['projects'];
  /** A channel in which only people of the workspace read. */
  const among = (projects: Projects): PlaceStatus => ({
    hours,
    audience: { projects, outsiders: { kind: 'none' }, byTracker: false, allowing: whoAllows('C0WEB', true) },
  });
  const place = among(null);

  const told = <Value>(value: Value): Told<Value> => ({ value, untold: null });

  function aStatus(more: Partial<Status> = {}): Status {
    return {
      at: Date.parse('2026-03-18T12:00:00Z'),
      admin: true,
      provenance: told(aProvenance({})),
      sync: null,
      known: { kind: 'known', user: { id: 'ada', name: 'Ada <!channel>' } },
      knowsUsers: true,
      failedDigests: [],
      digests: 0,
      pausedWatches: [],
      watches: 0,
      scope: told(aScope),
      missingScopes: [],
      ...more,
    };
  }

  describe('who somebody is', () => {
    test.each<[Status['known'], RegExp]>([
      [{ kind: 'known', user: { id: 'ada', name: 'Ada' } }, /\*You\* Ada \(ada\) in the tracker/],
      [{ kind: 'several', users: [] }, /several users of the tracker may be you, .*`\/tis link`/],
      [{ kind: 'unknown', because: 'Nobody has it.' }, /nobody I know .* Nobody has it\. .*`\/tis link`/],
      [null, /Slack does not tell at the moment who you are/],
    ])('%j', (known, told) => {
      expect(statusMessage(aStatus({ known }), place, '1.0.0').text).toMatch(told);
    });
  });

  test('where nobody in the tracker is known yet no link is proposed, and the first fill is what is waited for', () => {
    const unknown = { known: { kind: 'unknown', because: 'Nobody has it.' }, knowsUsers: false } as const;
    const of = (sync: SyncStatus | null) => statusMessage(aStatus({ ...unknown, sync }), place, '1.0.0').text;
    const first = 'they come with the initial sync from example.atlassian.net, which';
    expect(of(filling)).toContain(`There are no Jira users here yet: ${first} is running.`);
    const problem = { at: 0, message: 'Jira is silent.' };
    expect(of({ ...filling, problem })).toContain(`${first} is paused.`);
    expect(of({ ...filling, site: '' })).toContain('they come with the initial sync, which is running.');
    for (const sync of [null, aSync()])
      expect(of(sync)).toContain('they come from Jira (an admin sets `JIRA_*`');
    expect(of(filling)).not.toMatch(/JIRA_|`\/tis link`/);
  });

  describe('what may be told to all', () => {
    test('nothing where the tracker decides and no admin has said, and how one does', () => {
      const shut = (hasAdmins: boolean): PlaceStatus => ({
        hours,
        audience: {
          ...{ projects: null, outsiders: { kind: 'none' }, byTracker: true },
          allowing: whoAllows('C0WEB', hasAdmins),
        },
      });
      const { text } = statusMessage(aStatus(), shut(true), '1.0.0');
      expect(text).toContain('No admin has said what this channel may read of, so I share nothing: ');
      expect(text).toContain('An admin of the tracker says it with `/tis audience allow PROJECT`.');
      expect(text).not.toContain('everybody who may ask');
      expect(statusMessage(aStatus(), shut(false), '1.0.0').text).toContain(
        'Whoever runs Dwell says it with `npm run --silent dwell -- audience C0WEB allow PROJECT`.',
      );
    });

    test('in the conversation with the app', () => {
      expect(statusMessage(aStatus(), { hours, audience: 'direct' }, '1.0.0').text).toMatch(
        /nobody but you reads here/,
      );
    });

    test.each<[Projects, RegExp]>([
      [null, /No admin has said/],
      [[], /may read of no project/],
      [
        [
          { key: 'WEB', withGuests: true },
          { key: 'APP', withGuests: false },
        ],
        /This channel may read of `WEB` \(with guests\), `APP`\. Only people of this workspace/,
      ],
    ])('%j', (projects, told) => {
      expect(statusMessage(aStatus(), among(projects), '1.0.0').text).toMatch(told);
    });

    test('projects that who asks cannot see are counted, not named', () => {
      const projects = ['OPS', 'WEB'].map((key) => ({ key, withGuests: false }));
      const { text } = statusMessage(
        aStatus({ scope: told({ ...aScope, closedProjects: ['OPS'] }) }),
        among(projects),
        '1.0.0',
      );
      expect(text).toContain('This channel may read of `WEB`, and of 1 project you cannot see.');
      expect(text).not.toContain('OPS');
    });
  });

  test('what failed of one’s own is told with its reason', () => {
    const question = { kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' } as const;
    const lastRun = {
      digestId: 'a',
      due: 1,
      state: 'failed',
      note: {},
      attempts: 3,
      message: 'I am not in <#C1>.',
      skipReason: null,
      finishedAt: 2,
    } as const;
    const failed: Digest = {
      id: 'a',
      owner: 'U1',
      title: 'Monday `morning`',
      question,
      place: { kind: 'owner' },
      schedule: { cron: '0 9 * * 1', timeZone: 'UTC' },
      workingDays: null,
      file: null,
      paused: false,
      createdAt: 0,
      nextDue: 3,
      lastRun,
    };
    const { text } = statusMessage(
      aStatus({ digests: 9, failedDigests: Array(8).fill(failed) }),
      place,
      '1.0.0',
    );
    expect(text).toContain('The digest `Monday morning` failed: I am not in &lt;#C1&gt;.');
    expect(text).toContain('… and 3 more.');
  });

  test('names nobody and keeps to Slack’s limits, however long things are', () => {
    const projects = Array.from({ length: 10_000 }, (_, i) => ({ key: `P${i}`, withGuests: i % 2 === 0 }));
    const { text, blocks } = statusMessage(aStatus(), among(projects), '1.0.0');
    expect(checkBlocks(blocks, 'message')).toEqual([]);
    expect(text).not.toContain('<!channel>');
    expect(text).toContain('*Dwell* 1.0.0');
  });

  describe('what is kept fresh from Jira', () => {
    const lines = (sync: Partial<SyncStatus>, more: Partial<Status> = {}) =>
      statusMessage(aStatus({ sync: aSync(sync), ...more }), place, '1.0.0').text;

    test('is told with its site and its histories', () => {
      expect(lines({ issues: 12_300 })).toContain('12,300 issues kept here, all with their whole history.');
      expect(lines({ issues: 12_300, cutHistories: 1_204 })).toContain('the history of 1,204 of them is cut');
    });

    test('what went wrong is a sentence, and since when', () => {
      const at = Date.parse('2026-03-18T10:00:00Z');
      const text = lines({ problem: { at, message: 'Jira <https://x> refuses the token.' } });
      expect(text).toMatch(
        /:warning: The last look at it failed at <!date\^\d+\^\{time\}\|10:00 UTC>, 2 h ago: .*Jira &lt;https:\/\/x&gt; refuses the token\./,
      );
    });

    test('to who is no admin it tells how fresh it is, and that the last look failed, and neither how much there is nor why', () => {
      const problem = { at: 0, message: 'https://jira.internal:8443 answers with 403.' };
      const text = lines(
        {
          issues: 12_345,
          cutHistories: 678,
          problem,
          withheld: ['groups: not allowed'],
          clockAheadMs: 125_000,
        },
        { admin: false },
      );
      expect(text).toMatch(/\*Tracker\* example\.atlassian\.net, fresh as of .*11:58 UTC.*; compared /);
      expect(text).toContain('*Issues* 3 that you may see.');
      expect(text).toContain('Its clock is 2m 5s ahead of mine');
      expect(text).toMatch(
        /:warning: The last look at it failed at .*; whoever runs Dwell finds why with `npm run --silent dwell -- sync`\.\n/,
      );
      expect(text).not.toMatch(/12,345|678|kept here|internal|403|groups|everything: /);
    });

    test('a first fill that stands still says so to everybody', () => {
      const problem = { at: 0, message: 'https://jira.internal:8443 answers with 403.' };
      const text = lines({ ...filling, done: 0, total: null, problem }, { admin: false });
      expect(text).toContain('*Tracker* First fill from example.atlassian.net stands still at 0 issues.\n');
      expect(text).toContain('finds why with `npm run --silent dwell -- sync`.');
      expect(text).not.toContain('internal');
    });

    test('what is withheld is told with its reason', () => {
      const text = lines({ withheld: ['groups: not allowed', 'filters: not allowed'] });
      expect(text).toContain('It does not tell me everything: ');
      expect(text).toContain('filters: not allowed');
    });

    test.each([
      [0, null],
      [60_000, null],
      [-60_000, null],
      [null, null],
      [125_000, 'Its clock is 2m 5s ahead of mine'],
      [-3_600_000, 'Its clock is 1h behind mine'],
    ])('a clock that is %d ms ahead', (clockAheadMs, told) => {
      const text = lines({ clockAheadMs });
      if (told === null) expect(text).not.toContain('clock');
      else expect(text).toContain(told);
    });

    test('rights that Jira does not tell now take nothing else with them', () => {
      const untold = { value: null, untold: 'Jira cannot be asked: it answered with 503.' };
      const text = lines({}, { provenance: untold, scope: untold });
      expect(text).toContain('*Issues* which you may see cannot be told at the moment. ');
      expect(text).toContain('*Told to all here* cannot be told at the moment. ');
      expect(text).toContain('*Dwell* 1.0.0');
    });

    test('keeps to Slack’s limits, however much went wrong', () => {
      const long = 'wrong '.repeat(2_000);
      const { blocks } = statusMessage(
        aStatus({
          sync: aSync({
            site: `https://${'a'.repeat(5_000)}`,
            problem: { at: 0, message: long },
            withheld: Array(200).fill(long),
            clockAheadMs: 1e12,
          }),
          provenance: { value: null, untold: long },
          scope: { value: null, untold: long },
        }),
        place,
        '1.0.0',
      );
      expect(checkBlocks(blocks, 'message')).toEqual([]);
    });
  });

  test('what Slack did not grant is told with what it costs', () => {
    const missing = missingScopes(['commands', 'chat:write']).filter(({ scopes }) =>
      scopes.includes('links:read'),
    );
    expect(statusMessage(aStatus({ missingScopes: missing }), place, '1.0.0').text).toContain(
      '*Slack* has not granted `links:read`, `links:write`: links stay as they are. Install the app again from the manifest to grant it.',
    );
    expect(statusMessage(aStatus(), place, '1.0.0').text).not.toContain('granted');
  });

  test('/tis status tells who can change it what Slack has not granted, and nobody else', async () => {
    const person = (name: string) => ({ id: `U0${name.toUpperCase()}`, name, realName: name, tz: 'UTC' });
    const { slack, asks, stop } = await startDwellInSlack({
      environment: { TRACKER: 'sample' },
      people: ['ada', 'bob'].map((name) => ({ ...person(name), email: `${name}@example.com` })),
      scopes: ['commands', 'chat:write', 'users:read', 'users:read.email', 'im:history', 'app_mentions:read'],
    });
    const [admin] = await asks('/tis status');
    expect(admin?.text).toContain(
      '*Slack* has not granted `files:write`, `files:read`: no files and no pictures of charts.',
    );
    await slack.types('/tis status', { as: 'bob' });
    expect((await slack.reply()).text).not.toContain('granted');
    await stop();
  });
});

describe('while filling', () => {
  const { world, trackerBuilder } = standInSync();

  let team: Awaited<ReturnType<typeof startTeamInSlack>>;
  beforeEach(async () => {
    world.status = aSync();
    team = await startTeamInSlack('http', { trackerBuilder });
  });
  afterEach(() => team.stop());

  /** Opens ada's Home tab and waits until it is full. */
  async function opensHome(): Promise<string> {
    const shown = () => JSON.stringify(team.slack.home('ada')?.blocks ?? []);
    await team.slack.opensHome('ada');
    await until(() => shown() !== '[]' && !shown().includes('Still counting'));
    expect(checkView({ type: 'home', blocks: team.slack.home('ada')?.blocks ?? [] })).toEqual([]);
    return shown();
  }

  describe('while the first fill goes on', () => {
    beforeEach(() => {
      world.status = filling;
    });

    test('/tis status comes, with how far it is in place of what cannot be told', async () => {
      const { text } = await team.says('/tis status');
      expect(text).toContain(
        '*Tracker* First fill from example.atlassian.net: 12,300 of about 50,000 issues (24 %).',
      );
      expect(text).toContain('*Issues* Until it is done I tell of single issues only');
      expect(text).toContain('*You* ada (ada) in the tracker');
      expect(text).toContain('*Yours* digests: 0');
    });

    test('the Home tab comes, with how far it is at its top, and what needs no list', async () => {
      const text = await opensHome();
      expect(text).toContain(
        '*First fill from example.atlassian.net: 12,300 of about 50,000 issues (24 %).*',
      );
      expect(text).toContain('Your digests');
      expect(text).toContain('This tab is as of');
      expect(text.match(/First fill from/g)).toHaveLength(1);
      expect(text).not.toContain('Import some with');
      expect(text.match(/still being read from Jira/g)).toHaveLength(1);
    });

    test('that it stands still is told to who is no admin as well, on the Home tab and by /tis status', async () => {
      const problem = {
        at: team.dwell.clock.now - millisecondsInHour,
        message: 'https://jira.internal:8443 is silent.',
      };
      world.status = { ...filling, problem };
      const still = 'First fill from example.atlassian.net stands still at 12,300 of about 50,000 issues.';
      for (const text of [await opensHome(), (await team.says('/tis status')).text]) {
        expect(text).toContain(still);
        expect(text).toContain('; whoever runs Dwell finds why with `npm run --silent dwell -- sync`.');
        expect(text).not.toContain('internal');
      }
    });

    test('a list is refused in a sentence, and a single issue is answered', async () => {
      const { text } = await team.says('/tis project WEB');
      expect(text).toContain('The issues are still being read from Jira');
      expect(text).toContain('12,300 of about 50,000 issues (24 %)');
      expect((await team.says('/tis WEB-1')).text).toContain('the first fill from Jira goes on');
    });

    test('REST refuses a list with 503 and the same sentence', async () => {
      const { status, json } = await team.dwell.get('/rest/issues', {
        filterType: 'project',
        projectKey: 'WEB',
        columnsBy: 'statusDuration',
      });
      expect(status).toBe(503);
      expect(JSON.stringify(json)).toContain('12,300 of about 50,000');
    });
  });

  test('a digest that falls due during the fill is told once it is done, and says for when', async () => {
    const made = await team.says('/tis digest aging APP every day at 13:00');
    expect(made.text).toContain('will be told every day at 13:00');
    const anHourLater = async () => {
      team.dwell.clock.now += millisecondsInHour;
      // A time that a clock jumped to is believed when the next look confirms it.
      await team.dwell.tellsDigests();
      await team.dwell.tellsDigests();
    };
    [world.status, world.refused] = [filling, 0];
    await anHourLater();
    expect(world.refused).toBeGreaterThan(0);
    expect(team.openIn()).toEqual([]);
    expect((await team.says('/tis digest')).text).not.toContain('failed');
    world.status = aSync({ asOf: team.dwell.clock.now + millisecondsInHour });
    await anHourLater();
    const [digest, ...others] = team.openIn();
    expect(others).toEqual([]);
    expect(digest?.text).toContain('late: it was due 2026-03-18 13:00 UTC, and speaks of that time');
    expect(JSON.stringify(digest?.blocks)).toContain('APP-3');
  });

  test('fresh issues say as of when, how old that is, and when they were compared', async () => {
    const { text } = await team.says('/tis status');
    expect(text).toMatch(
      /\*Tracker\* example\.atlassian\.net, fresh as of <!date\^\d+\^\{time\}\|11:58 UTC>, 2 min ago; compared <!date\^\d+\^\{time\}\|11:10 UTC>, 50 min ago\./,
    );
    expect(text).toContain('*Issues* 16 that you may see.');
    const home = await opensHome();
    expect(home).toMatch(/example\.atlassian\.net, fresh as of <!date\^\d+\^\{time\}\|11:58 UTC>, 2 min ago/);
  });

  test('an answer says as of when its data is, and how old that is; over a day with the date', async () => {
    const answer = await team.says('/tis WEB-1');
    expect(JSON.stringify(answer.blocks)).toMatch(/data as of <!date\^\d+\^\{time\}\|11:58 UTC>, 2 min ago/);
    expect(answer.text).toContain('data as of 11:58 UTC, 2 min ago');
    team.dwell.clock.now += 25 * millisecondsInHour;
    expect((await team.says('/tis WEB-1')).text).toContain('data as of 2026-03-18 11:58 UTC, 1 day ago');
  });
});
