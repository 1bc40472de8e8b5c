import { beforeEach, describe, expect, test } from '#jest';
import type { ChannelsApi } from '../../../src/api/channels/create-channels.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { AllowedProject } from '../../../src/model/chat.ts';
import type { User } from '../../../src/model/issue.ts';
import type { Accounts, SlackParts } from '../../../src/slack/app/parts.ts';
import { usualProjects } from '../../../src/slack/ask/parser-context-of.ts';
import { answerCover } from '../../../src/slack/delegates/cover-command.ts';
import { identify } from '../../../src/slack/people/identify.ts';
import { readProfile } from '../../../src/slack/people/members.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { anIssue } from '../../support/issue-story.ts';
import { exportFile } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { peopleLinked, type ShortLink } from '../../support/people-linked.ts';
import { principalOf } from '../../support/principal-of.ts';
import { shares } from '../../support/share-in-slack.ts';
import { smallWorld } from '../../support/small-world.ts';
import { startedEach } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('projects and times that are not named', () => {
  describe('usual projects', () => {
    const now = () => Date.parse('2026-11-20T14:00:00Z');
    const reporting = localReporting(createMemoryMirror(createSampleTracker({ now }), now), now);
    const emil = principalOf('emil');

    function chosen(allowed: readonly AllowedProject[] | null, own: readonly string[] | null) {
      const channels: Pick<ChannelsApi, 'channel' | 'preferences'> = {
        channel: async (channel) => ({
          channel,
          timeZone: null,
          calendar: null,
          projects: allowed,
          unfurls: false,
          changedBy: null,
          changedAt: null,
        }),
        preferences: async (account) => ({ account, projects: own, calendar: null }),
      };
      return { channels, reporting };
    }

    describe('without a filter it is of', () => {
      const allowed = [
        { key: 'APP', withGuests: false },
        { key: 'OPS', withGuests: true },
      ];

      test('the projects chosen for the channel', async () => {
        expect(await usualProjects({ channel: 'C1' }, 'U1', emil, chosen(allowed, ['WEB']))).toEqual({
          projects: ['APP', 'OPS'],
          remark: 'No project given, so this is about `APP`, `OPS`, as chosen for this channel.',
        });
      });

      test.each<[string, readonly AllowedProject[] | null]>([
        ['D1', allowed],
        ['C1', []],
        ['C1', null],
      ])('else those of the Home tab: %s', async (channel, projects) => {
        expect(await usualProjects({ channel }, 'U1', emil, chosen(projects, ['WEB']))).toEqual({
          projects: ['WEB'],
          remark: 'No project given, so this is about `WEB`, as you chose for your Home tab.',
        });
      });

      test('else where most of the principal’s issues are, by its key', async () => {
        expect(await usualProjects({ channel: 'C1' }, 'U1', emil, chosen(null, null))).toEqual({
          projects: ['WEB'],
          remark: 'No project given, so this is about `WEB`, where most of your issues are.',
        });
      });

      test('a key it is, whatever the tracker calls the project', async () => {
        const project = { id: '10001', name: 'OPS' };
        const issueOf = (key: string) => {
          const { issue } = anIssue(key, '2026-11-02T09:00:00Z').changes(
            'assignee',
            null,
            'emil',
            '2026-11-02T10:00:00Z',
          );
          return { ...issue, project, assignee: { id: 'emil', name: 'emil' } };
        };
        const issues = ['OPS-1', 'WEB-1', 'WEB-2', 'APP-1'].map(issueOf);
        const users = [{ id: 'emil', name: 'Emil' }];
        const parts = {
          ...chosen(null, null),
          reporting: smallWorld('2026-11-20T14:00:00Z', issues, { users }),
        };
        expect((await usualProjects({ channel: 'C1' }, 'U1', emil, parts))?.projects).toEqual(['WEB']);
      });

      test('else nothing', async () => {
        const nobody = principalOf('U1');
        expect(await usualProjects({ channel: 'C1' }, 'U1', nobody, chosen(null, null))).toBeNull();
      });
    });
  });

  describe('clocks of questions', () => {
    const place = startedEach(() => startTeamInSlack());
    beforeEach(async () => {
      // For the tracker bob lives in Auckland, where the issues were created at 22:00.
      const bob = { accountId: 'bob', displayName: 'bob', emailAddress: 'bob@example.com' };
      await place.dwell.types('import', exportFile([{ ...bob, timeZone: 'Pacific/Auckland' }]));
    });

    const morning = 'project = WEB and created < "2026-03-02 12:00"';

    test('the days of a query are those of the place, whoever asks there', async () => {
      for (const as of ['ada', 'bob']) {
        expect((await place.says(`/tis jql ${morning} list`, { as })).text).toContain('12 issues');
        expect((await place.says(`/tis aging jql ${morning}`, { as })).text).toContain('No open issue');
        expect((await place.says(`/tis weekly jql ${morning}`, { as })).text).toContain('12 finished');
      }
    });

    test('so are the days of a saved parameter set', async () => {
      const { status } = await place.dwell.as('ada').postJson('/rest/reportSettings', {
        name: 'Of that morning',
        public: true,
        parameters: {
          columnsBy: 'statusDuration',
          filterType: 'project',
          projectKey: 'WEB',
          dateRangeField: 'created',
          startDate: '2026-03-02 09:00',
          endDate: '2026-03-02 10:00',
        },
      });
      expect(status).toBe(200);
      for (const as of ['ada', 'bob']) {
        expect((await place.says('/tis saved Of that morning', { as })).text).toContain('12 issues');
      }
    });

    test('who clicks on what was shared reads the days as who shared it did', async () => {
      const answer = await place.says(`/tis weekly jql ${morning}`);
      await shares(place.slack, { on: answer });
      const shared = await place.slack.reply();
      await place.slack.clicks('Why?', { as: 'bob', on: shared });
      const shown = await until(() => {
        const blocks = JSON.stringify(place.slack.openModals('bob').at(-1)?.blocks ?? '');
        return blocks.includes('explain-figure') ? blocks : null;
      });
      expect(shown).toContain('WEB-12');
    });

    test('a comparison by a bare time is by the finish, and says so', async () => {
      const { text } = await place.says('/tis compare WEB last month with this month');
      expect(text).toMatch(/^Last month and This month cannot be compared yet: .* · WEB, finished\./);
    });
  });
});

describe('whose clocks count', () => {
  const NOON = Date.parse('2026-03-18T12:00:00Z');

  /** What ada reads of herself on a day, and the hours that were looked at. */
  async function asks(
    rest: string,
    {
      own,
      tz,
      links = [],
      unreachable = false,
    }: { own?: string; tz?: string; links?: readonly ShortLink[]; unreachable?: boolean },
  ) {
    const ada: User = {
      id: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      ...(own === undefined ? {} : { timeZone: own }),
    };
    const accounts: Accounts = {
      async profileOf(account) {
        if (unreachable) throw new Error('unreachable');
        const user = {
          team_id: 'T1',
          profile: { email: 'ada@example.com' },
          ...(tz === undefined ? {} : { tz }),
        };
        return readProfile(account, user, { team: 'T1', enterprise: null });
      },
      withEmail: async () => null,
      called: async () => [],
    };
    const spans: string[] = [];
    const parts = {
      accounts,
      people: peopleLinked(new Map([['ada', ada]]), links),
      timeZone: 'America/New_York',
      now: () => NOON,
      delegations: {
        categories: async () => [],
        delegations: async () => ({ values: [], total: 0 }),
        async coverage(_: unknown, span: { from: number; until: number }) {
          spans.push(new Date(span.from).toISOString());
          return { span, delegations: [], uncovered: [], awayToo: [], ending: [] };
        },
      },
    } as unknown as SlackParts;
    const member = await identify({ principal: principalOf('U1'), userName: 'ada' }, parts);
    const { text } = await answerCover({ member, right: 'all' }, ada, rest, parts);
    const [, when] = /^No one covers for you (.*)\.$/m.exec(text) ?? [];
    return { when, zone: member.timeZone, from: spans[0] };
  }

  describe('a day is read in the zone', () => {
    const day = 'on 2026-04-01';

    test('the tracker knows of who asks', async () => {
      expect(await asks(day, { own: 'Asia/Tokyo', tz: 'Europe/Berlin' })).toEqual({
        when: 'on Wed, Apr 1',
        zone: 'Asia/Tokyo',
        from: '2026-03-31T15:00:00.000Z',
      });
    });

    test('else of their Slack, linked or not', async () => {
      const answer = {
        when: 'on Wed, Apr 1',
        zone: 'Europe/Berlin',
        from: '2026-03-31T22:00:00.000Z',
      };
      expect(await asks(day, { tz: 'Europe/Berlin' })).toEqual(answer);
      const links = [{ account: 'U1', user: 'ada', at: 1 }];
      expect(await asks(day, { tz: 'Europe/Berlin', links })).toEqual(answer);
      expect(await asks(day, { own: 'Moon/Sea', tz: 'Europe/Berlin' })).toEqual(answer);
    });

    test('else of the tracker server', async () => {
      const answer = {
        when: 'on Wed, Apr 1',
        zone: 'America/New_York',
        from: '2026-04-01T04:00:00.000Z',
      };
      expect(await asks(day, {})).toEqual(answer);
      expect(await asks(day, { tz: 'Moon/Sea' })).toEqual(answer);
      const links = [{ account: 'U1', user: 'ada', at: 1 }];
      expect(await asks(day, { links, unreachable: true })).toEqual(answer);
    });

    test('which are named for now as well, and for a time', async () => {
      const now = await asks('', { tz: 'Pacific/Auckland' });
      expect(now).toMatchObject({ when: 'now', zone: 'Pacific/Auckland' });
      const time = await asks('on 2026-04-01 14:00', { own: 'Asia/Tokyo' });
      expect(time).toMatchObject({
        when: expect.stringContaining('2026-04-01 05:00 UTC'),
        zone: 'Asia/Tokyo',
      });
    });
  });
});
