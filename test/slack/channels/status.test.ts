import { millisecondsInHour } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { SyncStatus } from '../../../src/model/sync.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { dataLines, missingScopes, whoText } from '../../../src/slack/channels/status.ts';
import type { Recognition } from '../../../src/slack/people/accounts.ts';
import { aProvenance } from '../../support/a-provenance.ts';
import { until } from '../../support/local-exports.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { aSync, filling, standInSync } from '../../support/stand-in-sync.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

const now = Date.parse('2026-03-18T12:00:00Z');

describe('who a person is', () => {
  test.each<[Recognition | null, RegExp]>([
    [
      { kind: 'known', user: { id: 'ada', name: 'Ada <!channel>' } },
      /^Linked to Jira user Ada &lt;!channel&gt; \(ada\)\. You see what this user can see in Jira\.$/,
    ],
    [{ kind: 'several', users: [] }, /^Several Jira users have your email address\. .*`\/tis link`/],
    [
      { kind: 'unknown', because: 'No one has it.' },
      /^Not linked to a Jira user\. No one has it\. .*`\/tis link`/,
    ],
    [null, /^Slack doesn't say who you are at the moment\./],
  ])('%j', (known, text) => {
    expect(whoText(known, true, null)).toMatch(text);
  });

  test('without any known user no link is proposed', () => {
    const unknown = { kind: 'unknown', because: 'No one has it.' } as const;
    expect(whoText(unknown, false, filling)).toContain('example.atlassian.net');
    for (const sync of [null, aSync()]) expect(whoText(unknown, false, sync)).toContain('`JIRA_*`');
    expect(whoText(unknown, false, filling)).not.toMatch(/JIRA_|`\/tis link`/);
  });
});

describe('how fresh the data is', () => {
  const lines = (sync: Partial<SyncStatus>, admin = true) =>
    dataLines({ value: aProvenance({}), reason: null }, aSync(sync), now, admin).join('\n');

  test('with the site and its histories, to admins', () => {
    expect(lines({ issues: 12_300 })).toContain('12,300 issues');
    expect(lines({ issues: 12_300, cutHistories: 1_204 })).toContain('1,204 of them');
  });

  test('what went wrong is a sentence, and since when', () => {
    const at = Date.parse('2026-03-18T10:00:00Z');
    expect(lines({ problem: { at, message: 'Jira <https://x> refuses the token.' } })).toMatch(
      /:warning: .* <!date\^\d+\^\{time\}\|10:00 UTC>, 2 h ago: .*Jira &lt;https:\/\/x&gt; refuses the token\./,
    );
  });

  test('others read how fresh it is and that something failed, not how much there is and why', () => {
    const problem = { at: 0, message: 'https://jira.internal:8443 answers with 403.' };
    const withheld = ['groups: not allowed'];
    const text = lines(
      { issues: 12_345, cutHistories: 678, problem, withheld, clockAheadMs: 125_000 },
      false,
    );
    expect(text).toMatch(/\*Tracker\* example\.atlassian\.net, fresh as of .*11:58 UTC.*; compared /);
    expect(text).toContain('2m 5s ahead');
    expect(text).toContain('`npx dwell sync`');
    expect(text).not.toMatch(/12,345|678|internal|403|groups/);
  });

  test.each([0, 60_000, -60_000, null])('a difference of %d ms is nothing to mention', (clockAheadMs) => {
    expect(lines({ clockAheadMs })).not.toMatch(/ahead|behind/);
  });

  test('what is unknown at the moment takes nothing else with it', () => {
    const text = dataLines({ value: null, reason: 'Jira answers with 503.' }, aSync(), now, true).join('\n');
    expect(text).toContain('*Tracker* example.atlassian.net');
    expect(text).toContain('*Issues* Unknown at the moment. Jira answers with 503.');
  });
});

test('scopes that were not granted are named with what is lost; without an answer of Slack none is', () => {
  expect(missingScopes(undefined)).toEqual([]);
  const missing = missingScopes(['commands', 'chat:write', 'files:read']);
  expect(missing).toContainEqual({ scopes: ['files:write'], without: 'no files and no pictures of charts' });
  expect(missing.flatMap(({ scopes }) => scopes)).not.toContain('commands');
});

test('/tis status names missing scopes to people who can change it, and to no one else', async () => {
  const { slack, stop } = await startDwellInSlack({
    environment: { TRACKER: 'sample' },
    people: [slackPerson('ada'), slackPerson('bob')],
    scopes: ['commands', 'chat:write', 'users:read', 'users:read.email', 'im:history', 'app_mentions:read'],
  });
  const admin = await slack.answerTo('/tis status');
  expect(admin.text).toContain(
    '*Slack* has not granted `files:write`, `files:read`: no files and no pictures of charts.',
  );
  expect((await slack.answerTo('/tis status', { as: 'bob' })).text).not.toContain('granted');
  await stop();
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
    await until(() => shown() !== '[]' && !shown().includes('Counting…'));
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
        '*Tracker* Initial sync from example.atlassian.net: 12,300 of about 50,000 issues (24%).',
      );
      expect(text).toContain('*Issues* Until it is done');
      expect(text).toContain('*You* Linked to Jira user ada (ada).');
    });

    test('the Home tab comes, with how far it is at its top, and what needs no list', async () => {
      const text = await opensHome();
      expect(text).toContain(
        '*Initial sync from example.atlassian.net: 12,300 of about 50,000 issues (24%).*',
      );
      expect(text).toContain('Digests and watches');
      expect(text).toContain('Linked to Jira user');
      expect(text.match(/Initial sync from/g)).toHaveLength(1);
      expect(text).not.toContain('import some with');
      expect(text.match(/still being read from Jira/g)).toHaveLength(1);
    });

    test('that it stands still is told to who is no admin as well, on the Home tab and by /tis status', async () => {
      const problem = {
        at: team.dwell.clock.now - millisecondsInHour,
        message: 'https://jira.internal:8443 is silent.',
      };
      world.status = { ...filling, problem };
      const still = 'Initial sync from example.atlassian.net stopped at 12,300 of about 50,000 issues.';
      for (const text of [await opensHome(), (await team.says('/tis status')).text]) {
        expect(text).toContain(still);
        expect(text).toContain('; the person who runs Dwell finds out why with `npx dwell sync`.');
        expect(text).not.toContain('internal');
      }
    });

    test('a list is refused in a sentence, and a single issue is answered', async () => {
      const { text } = await team.says('/tis project WEB');
      expect(text).toContain('The issues are still being read from Jira');
      expect(text).toContain('12,300 of about 50,000 issues (24%)');
      expect((await team.says('/tis WEB-1')).text).toContain('the initial sync is still running');
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
    expect(made.text).toContain("I'll post *aging APP* in <#C0TEAM> every day at 1:00 PM");
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
    expect(digest?.text).toContain('late, with the figures of 2026-03-18 13:00 UTC');
    expect(JSON.stringify(digest?.blocks)).toContain('APP-3');
  });

  test('fresh issues say as of when, how old that is, and when they were compared', async () => {
    const { text } = await team.says('/tis status');
    expect(text).toMatch(
      /\*Tracker\* example\.atlassian\.net, fresh as of <!date\^\d+\^\{time\}\|11:58 UTC>, 2 min ago; compared <!date\^\d+\^\{time\}\|11:10 UTC>, 50 min ago\./,
    );
    expect(text).toContain('*Issues* 16 that you can see.');
    const home = await opensHome();
    expect(home).toMatch(/example\.atlassian\.net, fresh as of <!date\^\d+\^\{time\}\|11:58 UTC>, 2 min ago/);
  });

  test('an answer says how old its data is where that matters; over a day with the date', async () => {
    expect((await team.says('/tis WEB-1')).text).not.toContain('data as of');
    team.dwell.clock.now += millisecondsInHour;
    const answer = await team.says('/tis WEB-1');
    expect(JSON.stringify(answer.blocks)).toMatch(
      /data as of <!date\^\d+\^\{time\}\|11:58 UTC>, 1 h 2 min ago/,
    );
    expect(answer.text).toContain('data as of 11:58 UTC, 1 h 2 min ago');
    team.dwell.clock.now += 24 * millisecondsInHour;
    expect((await team.says('/tis WEB-1')).text).toContain('data as of 2026-03-18 11:58 UTC, 1 day ago');
  });
});
