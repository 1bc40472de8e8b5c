import { beforeAll, describe, expect, test } from '#jest';
import { summarizeIssue } from '../../../src/api/answers/issue/issue-summary.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { ask, type ReportRequest } from '../../../src/model/request.ts';
import type { Table } from '../../../src/model/table.ts';

import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';

const now = () => Date.parse('2026-03-18T15:30:00Z');
const principal = principalOf('ada', 'admin');
const about = (keys: readonly string[], choices: Partial<ReportRequest> = {}) =>
  ask({
    principal,
    reportType: 'statusDuration',
    selection: { by: 'keys', keys },
    includeDeletedStatuses: true,
    ...choices,
  });

let reporting: ReportingApi;
let keys: readonly string[];
let whole: Table;
beforeAll(async () => {
  const mirror = createMemoryMirror(createSampleTracker({ now }), now);
  reporting = localReporting(mirror, now);
  keys = await reporting.exampleKeys(principal, 5000);
  whole = await reporting.report(about(keys));
});

test('the time of every issue of the sample adds up to its age, unknown time included', () => {
  expect(keys.length).toBeGreaterThan(1300);
  const rows = new Map(whole.rows.map((row) => [row.issueKey, row]));
  for (const issue of whole.issues) {
    const values = whole.columns
      .filter((column) => column.part === 'value')
      .map((column) => Number(rows.get(issue.key)?.cells[column.id]?.value ?? 0));
    const known = values.reduce((sum, ms) => sum + ms, 0);
    expect(known + (issue.unknown?.ms ?? 0)).toBe(now() - issue.created);
    expect(issue.contradictions).toBe(0);
  }
});

test('the whole is complete only if every history is', () => {
  expect(whole.provenance.complete).toBe(false);
  expect(whole.issues.filter((issue) => !issue.history.complete)).toHaveLength(4);
});

test('statuses of one name are columns of their own with distinct titles', () => {
  const titles = whole.columns.map((column) => column.title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toEqual(expect.arrayContaining(['In Review', 'In Review (APP)', 'Ready for Release']));
});

test('deleted statuses are columns only when asked for, and always told', async () => {
  const without = await reporting.report(about(keys, { includeDeletedStatuses: false }));
  const ids = (table: Table) => table.columns.map((column) => column.id);
  expect(ids(whole)).toContain('10010');
  expect(ids(without)).not.toContain('10010');
  expect(without.statuses.deleted).toMatchObject([{ id: '10010', name: 'Analysis', deleted: true }]);
  for (const row of without.rows) expect(row.cells).not.toHaveProperty('10010');
});

test('a chosen status that no issue has met is a column of its own, without cells', async () => {
  const table = await reporting.report(about(['APP-1'], { statuses: ['10010'] }));
  expect(table.columns.map((column) => column.id)).toEqual(['issuekey', 'summary', '10010']);
  expect(table.rows[0]?.cells).not.toHaveProperty('10010');
});

test('fields are told as they were at the asked instant', async () => {
  const resolved = whole.issues.find((issue) => issue.current[0]?.title === 'Done');
  const at = about([resolved?.key ?? ''], { fields: ['resolution', 'resolutiondate'] });
  const today = await reporting.report(at);
  expect(today.rows[0]?.own).toMatchObject({ resolution: { value: expect.any(String) } });
  const before = await reporting.report({ ...at, asOf: resolved?.created ?? 0 });
  expect(before.rows[0]?.own).not.toHaveProperty('resolution');
  expect(before.rows[0]?.own).not.toHaveProperty('resolutiondate');
});

describe('summarizeIssue', () => {
  test('its phases add up to its whole life, and the work to what it took', async () => {
    for (const key of ['APP-350', 'OPS-3', 'WEB-1']) {
      const issue = await summarizeIssue(reporting, principal, key);
      const sumOf = (times: typeof issue.stages) => times.reduce((sum, { spentMs }) => sum + spentMs, 0);
      const all = [...issue.before, ...issue.stages, ...issue.after];
      expect(sumOf(all) + (issue.unknown?.ms ?? 0)).toBe(now() - issue.created);
      expect(sumOf(issue.stages)).toBe(issue.tookMs);
    }
  });

  test('marks the status the issue is in, also where two share a name', async () => {
    const inReview = whole.issues.find((issue) => issue.current[0]?.columnId === '10021');
    const story = await summarizeIssue(reporting, principal, inReview?.key ?? '');
    expect(story.stages.filter((time) => time.now)).toEqual([expect.objectContaining({ name: 'In Review' })]);
  });
});
