import { afterEach, beforeEach, expect, test } from '#jest';
import { exportFile } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

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
    expect((await place.says(`/tis weekly jql ${morning}`, { as })).text).toContain('12 issues');
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
  await place.slack.clicks('Share to channel', { on: answer });
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
  expect(text).toContain('WEB, resolved last month');
  expect(text).toContain('WEB, resolved this month');
});
