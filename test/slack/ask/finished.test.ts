import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '#jest';
import { assistantOf } from '../../mcp/assistant.ts';
import { exportFile } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

/**
 * Six issues that came to Done in the first days of November and never got a resolution, and one, NOR-7, that was reopened
 * and kept the date of its resolution.
 */
const file = fileURLToPath(new URL('../../fixtures/cases/c7-done-without-resolution.json', import.meta.url));

const statuses = [
  ['1', 'To Do', 'new'],
  ['3', 'In Progress', 'indeterminate'],
  ['5', 'Done', 'done'],
].map(([id, name, key]) => ({ id, name, statusCategory: { key, name } }));

/** The list of a tracker that has no category for In Progress. */
const withoutCategory = statuses.map((status) =>
  status.id === '3' ? { ...status, statusCategory: { key: 'undefined', name: 'No Category' } } : status,
);

/** What is answered with that list. */
let withoutAnswer = '';

const place = startedOnce(() =>
  startDwellInSlack({
    at: '2026-11-20T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
  }),
);
beforeAll(async () => {
  await place.dwell.types('import', file, exportFile([{ accountId: 'ada', displayName: 'Ada' }]));
  await place.dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  await place.dwell.types('access', 'NOR', '--to', 'ada');
  await asks('/tis calendar zone UTC');
  await place.dwell.types('import', exportFile(withoutCategory, 'statuses.json'));
  withoutAnswer = await asks('/tis NOR since 2026-11-01');
  await place.dwell.types('import', exportFile(statuses, 'statuses.json'));
});

const asks = async (line: string): Promise<string> => (await place.slack.answerTo(line)).text;

test('the same six issues are finished in every answer in Slack', async () => {
  expect(await asks('/tis NOR since 2026-11-01')).toMatch(
    /^NOR · 6 issues finished since 2026-11-01 00:00 UTC · half/,
  );
  expect(await asks('/tis NOR last 30 days')).toMatch(/^NOR · 6 issues finished in the last 30 days · half/);
  expect(await asks('/tis weekly NOR W46')).toMatch(/\b2 finished\b/);
  expect(await asks('/tis weekly NOR W45')).toMatch(/\b4 finished\b/);
  expect(await asks('/tis compare NOR this month with last month')).toContain(
    'Issues finished: This month 6 of 6, Last month 0 of 0',
  );
  expect(await asks('/tis jql project = NOR AND finished >= 2026-11-09 ORDER BY finished list')).toMatch(
    /2 issues .*NOR-6.*NOR-5/s,
  );
});

test('issues of which it is unknown when they were finished are left out, with the reason', () => {
  expect(withoutAnswer).toMatch(/^NOR · no issues finished since /);
  expect(withoutAnswer).toMatch(
    /6 issues are done, but since when is unknown \(NOR-6, NOR-5.*\)\..* history not complete\./s,
  );
  expect(withoutAnswer).toContain(
    'No category for status In Progress. An admin can set it with `npx dwell statuses`',
  );
});

test('resolved is the date of the resolution, which an issue can keep when it is reopened', async () => {
  expect(await asks('/tis NOR resolved since 2026-11-01')).toMatch(
    /^NOR · 1 issue resolved since 2026-11-01 00:00 UTC/,
  );
  expect(await asks('/tis NOR resolved since 2026-11-01 list')).toContain('NOR-7');
});

test('REST and assistants choose by the same date', async () => {
  const { url } = place.dwell;
  const headers = await place.dwell.headerOf('ada');
  const list = async (parameters: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ columnsBy: 'statusDuration', ...parameters });
    const answer = await fetch(`${url}/rest/list2?${query}`, { headers });
    expect(answer.status).toBe(200);
    const { table } = (await answer.json()) as ReturnType<typeof JSON.parse>;
    return table.body.rows.length;
  };
  const project = { filterType: 'project', projectKey: 'NOR', startDate: '2026-11-01' };
  expect(await list({ ...project, dateRangeField: 'finished' })).toBe(6);
  expect(await list({ ...project, dateRangeField: 'resolved' })).toBe(1);
  expect(await list({ filterType: 'customjql', customjql: 'project = NOR AND finished is not EMPTY' })).toBe(
    6,
  );
  const assistant = await assistantOf(place.dwell, 'ada');
  const { content } = await assistant.call('compare', {
    left: { project: 'NOR', startDate: '2026-11-01', endDate: '2026-11-08' },
    right: { project: 'NOR', startDate: '2026-11-09', endDate: '2026-11-15' },
  });
  expect(content.sides.map(({ finished }: { finished: number }) => finished)).toEqual([4, 2]);
  await assistant.close();
});
