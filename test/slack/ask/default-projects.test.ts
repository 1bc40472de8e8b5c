import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { ChannelsApi } from '../../../src/api/channels/channels-api.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { AllowedProject } from '../../../src/model/chat.ts';
import { usualProjects } from '../../../src/slack/ask/read-question.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { anIssue } from '../../support/issue-story.ts';
import { exportFile } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

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
  let place: Awaited<ReturnType<typeof startTeamInSlack>>;
  beforeEach(async () => {
    place = await startTeamInSlack();
    // For the tracker bob lives in Auckland, where the issues were created at 22:00.
    const bob = { accountId: 'bob', displayName: 'bob', emailAddress: 'bob@example.com' };
    await place.dwell.types('import', exportFile([{ ...bob, timeZone: 'Pacific/Auckland' }]));
  });
  afterEach(() => place.stop());

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
    await place.slack.clicks('Share', { on: answer });
    const shared = await place.slack.reply();
    await place.slack.clicks('Why?', { as: 'bob', on: shared });
    const told = await until(() => {
      const blocks = JSON.stringify(place.slack.openModals('bob').at(-1)?.blocks ?? '');
      return blocks.includes('explain-figure') ? blocks : null;
    });
    expect(told).toContain('WEB-12');
  });

  test('a comparison by a bare time is by the resolution, and says so', async () => {
    const { text } = await place.says('/tis compare WEB last month with this month');
    expect(text).toContain('resolved last month and resolved this month · WEB');
  });
});
