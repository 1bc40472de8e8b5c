import { beforeAll, describe, expect, test } from '#jest';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { ask, defaultStatistic, type ReportRequest } from '../../../src/model/request.ts';
import { cellOf, type Row, type Table } from '../../../src/model/table.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';

const now = () => Date.parse('2026-03-18T15:30:00Z');
const ada = principalOf('ada', 'admin');

let reporting: ReportingApi;
beforeAll(() => {
  reporting = localReporting(createMemoryMirror(createSampleTracker({ now }), now), now);
});

const list = (choices: Partial<ReportRequest> = {}, jql = 'project = WEB') =>
  reporting.report(
    ask({ principal: ada, reportType: 'statusDuration', selection: { by: 'jql', jql }, ...choices }),
  );
const refusal = (choices: Partial<ReportRequest>, jql?: string) =>
  list(choices, jql).then(
    () => 'nothing',
    (error: { details?: string[] }) => error.details?.join(' '),
  );
const values = (table: Table) => table.columns.filter((column) => column.part === 'value');
const sumOf = (row: Row | undefined, table: Table) =>
  values(table).reduce((sum, { id }) => sum + Number(cellOf(row?.cells ?? {}, id)?.value ?? 0), 0);

describe('a list', () => {
  test('has every issue of the project, the newest first', async () => {
    const table = await list();
    const numbers = table.issues.map(({ key }) => Number(key.replace('WEB-', '')));
    expect(numbers.length).toBeGreaterThan(400);
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    expect(table.provenance).toMatchObject({ query: 'project = WEB', issues: numbers.length, undecided: 0 });
  });

  test('has its columns in the order of the tracker, whatever was met first', async () => {
    const statuses = (await reporting.statuses(ada)).map(({ id }) => id);
    const ids = values(await list()).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => statuses.indexOf(a) - statuses.indexOf(b)));
    const chosen = ids.toReversed().slice(0, 3);
    expect(values(await list({ statuses: chosen })).map(({ id }) => id)).toEqual(chosen);
  });

  test('of the same issues is the same under every two-level report, summed over the other level', async () => {
    const plain = await list();
    for (const reportType of [
      'statusDurationByAssignee',
      'assigneeDurationByStatus',
      'timePeriodDurationByStatus',
    ]) {
      const table = await list({ reportType });
      expect(table.composite).toBe(true);
      for (const [i, row] of table.rows.entries())
        expect(sumOf(row, table)).toBe(sumOf(plain.rows[i], plain));
    }
  });

  test('keeps the issues of a group together', async () => {
    const table = await list({ groupBy: ['issuetype', 'calc:createdQuarter'] });
    const groups = table.issues.map(({ cells }) =>
      JSON.stringify([cells.issuetype?.value, cells['calc:createdQuarter']?.value]),
    );
    const changes = groups.filter((group, i) => group !== groups[i - 1]);
    expect(changes.length).toBe(new Set(groups).size);
    expect(changes.length).toBeGreaterThan(6);
  });

  test('narrowed by a date range says so in its query, in the zone of the principal', async () => {
    const from = Date.parse('2026-02-01T00:00:00+01:00');
    const table = await list({ dateRange: { field: 'resolved', from, to: null } });
    expect(table.provenance.query).toBe('(project = WEB) AND resolved >= "2026-02-01 00:00"');
    const same = await list({}, table.provenance.query ?? '');
    expect(same.issues.map(({ key }) => key)).toEqual(table.issues.map(({ key }) => key));
    expect(same.issues.length).toBeGreaterThan(10);
  });

  test('of a user has the issues that are or ever were assigned to them', async () => {
    const [someone] = (await list({ fields: ['assignee'] })).issues.flatMap(
      ({ cells }) => cells.assignee ?? [],
    );
    const user = someone?.id ?? '';
    const table = await list({ selection: { by: 'user', user }, reportType: 'assigneeDuration' });
    expect(table.rows.length).toBeGreaterThan(5);
    for (const { cells } of table.rows) expect(cellOf(cells, user)).toBeDefined();
  });
});

describe('a saved filter', () => {
  const filter = (id: string, user: string) =>
    list({ selection: { by: 'savedFilter', id }, principal: principalOf(user) });

  test('is the query it holds', async () => {
    const table = await filter('10001', 'bob');
    expect(table.provenance.query).toContain('Bug');
    expect(table.issues.length).toBeGreaterThan(3);
    const same = await list({}, table.provenance.query ?? '');
    expect(table.issues.map(({ key }) => key)).toEqual(same.issues.map(({ key }) => key));
  });

  test('of somebody else alone reads like one that never was', async () => {
    expect((await filter('10003', 'ada')).provenance.query).not.toBeNull();
    await expect(filter('10003', 'bob')).rejects.toMatchObject({
      reason: 'unknown-name',
      details: [expect.stringMatching(/^jqlFilterID '10003' could not be found/)],
    });
  });
});

test('a sprint has the issues that are planned for it', async () => {
  const sprint = 'WEB Sprint 12';
  const byName = await list({ fields: ['customfield_10020'] }, `sprint = "${sprint}"`);
  expect(byName.issues.length).toBeGreaterThan(3);
  const byId = await list({ selection: { by: 'sprint', id: '12' } });
  expect(byId.issues.map(({ key }) => key)).toEqual(byName.issues.map(({ key }) => key));
  for (const { cells } of byName.issues) {
    expect(String(cells.customfield_10020?.value).split(', ')).toContain(sprint);
  }
});

describe('a statistic', () => {
  test('is that of the list, value by value', async () => {
    const lines = await list();
    for (const type of ['sum', 'average', 'median'] as const) {
      const table = await list({ statistic: { ...defaultStatistic, type } });
      expect(table.rows).toHaveLength(1);
      expect(table.rows[0]?.issueCount).toBe(lines.rows.length);
      for (const { id } of values(table)) {
        const column = lines.rows
          .flatMap(({ cells }) => cellOf(cells, id) ?? [])
          .map(({ value }) => Number(value))
          .sort((a, b) => a - b);
        const sum = column.reduce((total, ms) => total + ms, 0);
        const middle = (column[(column.length - 1) >> 1] ?? 0) / 2 + (column[column.length >> 1] ?? 0) / 2;
        const expected = { sum, average: sum / column.length, median: middle }[type];
        expect(Number(table.rows[0]?.cells[id]?.value)).toBeCloseTo(expected, 3);
      }
    }
  });

  test('has one row per group, whose sums and counts add up to the whole', async () => {
    const sum = { ...defaultStatistic, type: 'sum' } as const;
    const whole = await list({ statistic: sum });
    const grouped = await list({ statistic: sum, groupBy: ['issuetype', 'priority'] });
    expect(grouped.rows.length).toBeGreaterThan(5);
    expect(grouped.rows.reduce((total, { issueCount = 0 }) => total + issueCount, 0)).toBe(
      whole.rows[0]?.issueCount,
    );
    for (const { id } of values(whole)) {
      const parts = grouped.rows.reduce(
        (total, { cells }) => total + Number(cellOf(cells, id)?.value ?? 0),
        0,
      );
      expect(parts).toBe(whole.rows[0]?.cells[id]?.value);
    }
  });

  test('over all issues counts those that were never there as zero', async () => {
    const some = await list({ statistic: defaultStatistic });
    const all = await list({ statistic: { ...defaultStatistic, denominator: 'all' } });
    const lines = await list();
    for (const { id } of values(all)) {
      const count = lines.rows.filter(({ cells }) => cellOf(cells, id) !== undefined).length;
      const expected = (Number(some.rows[0]?.cells[id]?.value) * count) / lines.rows.length;
      expect(Number(all.rows[0]?.cells[id]?.value)).toBeCloseTo(expected, 3);
    }
  });
});

describe('what may not be seen', () => {
  test('is absent from lists, sums and vocabularies, and reads like what never was', async () => {
    const bob = principalOf('bob');
    const [hidden] = (await list({}, 'level is not empty')).issues;
    expect(hidden).toBeDefined();
    const ours = await list({}, 'project = OPS');
    const his = await list({ principal: bob }, 'project = OPS');
    expect(his.issues.length).toBeLessThan(ours.issues.length);
    expect(his.issues.map(({ key }) => key)).not.toContain(hidden?.key);
    const keys = (key: string) => ({ principal: bob, selection: { by: 'keys', keys: [key] } }) as const;
    const secret = await refusal(keys(hidden?.key ?? ''));
    expect(secret?.replace(hidden?.key ?? '', 'OPS-99999')).toBe(await refusal(keys('OPS-99999')));
  });
});

test.each([
  [{ reportType: 'nonsense' }, /columnsBy 'nonsense' is not known. Try: statusDuration/],
  [{ reportType: 'statusDurationExpanded' }, /shows the visits of single issues/],
  [
    { reportType: 'firstTransitionToStatusDate', statistic: defaultStatistic },
    /shows dates, which have no average/,
  ],
  [{ reportType: 'durationBetweenStatuses' }, /dbsMetrics is required/],
  [{ reportType: 'anyFieldDuration' }, /historyFields is required/],
  [{ calendar: '99' }, /calendar '99' is not known. Try: normalHours/],
  [{ groups: ['nobody'] }, /groups 'nobody' is not known. Try: /],
  [{ fields: ['colour'] }, /fields 'colour' is not a field of these issues/],
  [{ groupBy: ['colour'] }, /groupByFields 'colour' is not a field/],
  [{ statuses: ['In Progress'] }, /statuses 'In Progress' is not a status id/],
  [{ consolidated: [{ name: 'Open', statuses: [] }] }, /consolidatedStatuses 'Open' has no statuses/],
  [{ selection: { by: 'project', project: 'NOPE' } }, /projectKey 'NOPE' could not be found/],
  [{ selection: { by: 'user', user: 'nobody' } }, /user 'nobody' could not be found/],
  [{ selection: { by: 'sprint', id: '0' } }, /sprintID '0' could not be found/],
  [{ selection: { by: 'savedFilter', id: '0' } }, /jqlFilterID '0' could not be found/],
  [{ selection: { by: 'jql', jql: 'projekt = WEB' } }, /customjql: .*projekt/],
] as [Partial<ReportRequest>, RegExp][])('%j is refused', async (choices, message) => {
  expect(await refusal(choices)).toMatch(message);
});
