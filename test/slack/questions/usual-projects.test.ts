import { describe, expect, test } from '#jest';
import type { ChannelsApi } from '../../../src/api/channels/channels-api.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { AllowedProject } from '../../../src/model/chat.ts';
import { usualProjects } from '../../../src/slack/questions/usual-projects.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

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
      remark: 'You named no project, so this is of `APP`, `OPS`, as chosen for this channel.',
    });
  });

  test.each<[string, readonly AllowedProject[] | null]>([
    ['D1', allowed],
    ['C1', []],
    ['C1', null],
  ])('else those of the Home tab: %s', async (channel, projects) => {
    expect(await usualProjects({ channel }, 'U1', emil, chosen(projects, ['WEB']))).toEqual({
      projects: ['WEB'],
      remark: 'You named no project, so this is of `WEB`, as you chose for your Home tab.',
    });
  });

  test('else where most of the principal’s issues are, by its key', async () => {
    expect(await usualProjects({ channel: 'C1' }, 'U1', emil, chosen(null, null))).toEqual({
      projects: ['WEB'],
      remark: 'You named no project, so this is of `WEB`, where most of your issues are.',
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
    const parts = { ...chosen(null, null), reporting: smallWorld('2026-11-20T14:00:00Z', issues, { users }) };
    expect((await usualProjects({ channel: 'C1' }, 'U1', emil, parts))?.projects).toEqual(['WEB']);
  });

  test('else nothing', async () => {
    const nobody = principalOf('U1');
    expect(await usualProjects({ channel: 'C1' }, 'U1', nobody, chosen(null, null))).toBeNull();
  });
});
