import { expect, test } from '#jest';
import { ask, defaultStatistic, type ReportRequest } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

const ada = principalOf('ada', 'admin');
const NOTES = 'customfield_10001';

/** Together more text than columns hold: of each issue another one, but one has none. */
const text = (i: number) => `${'word '.repeat(3_240)}number${i} word${i % 3}`;
const reporting = smallWorld(
  '2026-03-20T09:00:00Z',
  Array.from({ length: 2_101 }, (_, i) => {
    const { issue } = anIssue(`DEMO-${i + 1}`, '2026-03-02T09:00:00Z');
    return { ...issue, fields: { ...issue.fields, [NOTES]: i === 7 ? null : text(i) } };
  }),
  { directory: { fields: [{ id: NOTES, name: 'Notes' }] } },
);
const report = (jql: string, choices: Partial<ReportRequest> = {}) =>
  reporting.report(
    ask({ principal: ada, reportType: 'statusDuration', selection: { by: 'jql', jql }, ...choices }),
  );
const page = { by: 'index', start: 0, size: 3 } as const;
const keysOf = async (jql: string) => (await report(jql, { page })).issues.map(({ key }) => key);
const refusal = (jql: string, choices: Partial<ReportRequest>) =>
  report(jql, choices).then(
    () => null,
    (error: { details?: readonly string[] }) => error.details,
  );

test('many issues are not grouped by more text than can be held; few are', async () => {
  const refused = [
    "groupByFields 'customfield_10001' has too much text to group so many issues by. Try: a field with fewer different values, or at most 2,000 issues.",
  ];
  for (const choices of [{ statistic: defaultStatistic }, { page }]) {
    expect(await refusal('project = DEMO', { groupBy: [NOTES], ...choices })).toEqual(refused);
  }
  const table = await report('key > DEMO-2097', { groupBy: ['Notes'], statistic: defaultStatistic });
  expect(table.rows).toHaveLength(4);
});

test('a field of more text than can be held is searched, asked for what is empty and ordered by', async () => {
  expect(await keysOf('Notes ~ number11')).toEqual(['DEMO-12']);
  expect(await keysOf('cf[10001] !~ word0 AND key < DEMO-5')).toEqual(['DEMO-3', 'DEMO-2']);
  expect(await keysOf('Notes is EMPTY')).toEqual(['DEMO-8']);
  expect(await keysOf('Notes is not EMPTY ORDER BY Notes ASC, key ASC')).toEqual([
    ...['DEMO-1', 'DEMO-2', 'DEMO-11'],
  ]);
  expect(await keysOf('ORDER BY Notes DESC')).toEqual(['DEMO-8', 'DEMO-1000', 'DEMO-999']);
});

test('what it takes no operator for is refused with those it takes', async () => {
  expect(await refusal('Notes = "number11"', { page })).toEqual([
    "customjql: '=' at position 6 is not an operator that Notes takes. Try: ~, !~, is, is not, changed.",
  ]);
});
