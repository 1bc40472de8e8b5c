import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { ExportInput } from '../../src/model/export.ts';
import { ask, type ReportRequest } from '../../src/model/request.ts';
import { provenanceSheet } from '../../src/output/provenance-sheet.ts';
import type { TableWording } from '../../src/output/table-records.ts';
import { listSheet, statisticSheet } from '../../src/output/table-sheets.ts';
import type { Sheet, SheetRow } from '../../src/output/workbook.ts';
import { aWish } from '../support/an-export.ts';
import { anIssue } from '../support/issue-story.ts';
import { principalOf } from '../support/principal-of.ts';
import { smallWorld } from '../support/small-world.ts';

const at = '2026-03-04T00:00:00Z';
const issues = [
  anIssue('WEB-1', '2026-03-02T00:00:00Z').moves('Doing', '2026-03-02T00:20:00Z').issue,
  anIssue('WEB-2', '2026-03-03T00:00:00Z').issue,
];
const cut = anIssue('WEB-3', '2026-03-01T00:00:00Z')
  .moves('Doing', '2026-03-03T12:00:00Z')
  .historyIs({
    complete: false,
    reason: 'the tracker cut it',
    unknownFrom: null,
    unknownUntil: Date.parse('2026-03-02T00:00:00Z'),
  }).issue;
const wording: TableWording = {
  viewFormat: 'hours',
  dayMs: 24 * millisecondsInHour,
  timeZone: 'UTC',
  formats: { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm' },
};
const request = (more: Partial<ReportRequest> = {}) =>
  ask({
    principal: principalOf('ada'),
    reportType: 'statusDuration',
    selection: { by: 'project', project: 'WEB' },
    ...more,
  });

async function rowsOf({ rows }: Sheet): Promise<SheetRow[]> {
  const all: SheetRow[] = [];
  for await (const part of rows) all.push(...part);
  return all;
}

async function sheets(world = issues, more: Partial<ReportRequest> = {}, words = wording) {
  const reader = await smallWorld(at, world).open(request(more), [
    { type: 'average', denominator: 'nonNull', deviation: 'population', percentile: 50 },
  ]);
  const list = listSheet(reader.list, reader.lines(), words);
  const [average] = reader.statistics.map((table) => statisticSheet(table, words));
  return { list, average, head: reader.list };
}

describe('the list', () => {
  test('has raw values in the asked unit, and nothing where there is no visit', async () => {
    const { list } = await sheets();
    expect(list.columns).toEqual([
      { id: 'issuekey', title: 'Key', kind: 'text', unit: null },
      { id: 'summary', title: 'Summary', kind: 'text', unit: null },
      { id: 'To Do', title: 'To Do (hours)', kind: 'number', unit: 'hours' },
      { id: 'Doing', title: 'Doing (hours)', kind: 'number', unit: 'hours' },
      { id: 'history', title: 'History', kind: 'text', unit: null },
    ]);
    expect(await rowsOf(list)).toEqual([
      ['WEB-2', 'Summary of WEB-2', 24, null, 'complete'],
      ['WEB-1', 'Summary of WEB-1', 0.3333333333, 47.6666666667, 'complete'],
    ]);
  });

  test('tells unknown time in a column of its own, and why', async () => {
    const { list } = await sheets([...issues, cut]);
    expect(list.columns.map(({ title }) => title)).toEqual([
      'Key',
      'Summary',
      'To Do (hours)',
      'Doing (hours)',
      'Unknown (hours)',
      'History',
    ]);
    const rows = await rowsOf(list);
    expect(rows.find(([key]) => key === 'WEB-3')).toEqual([
      'WEB-3',
      'Summary of WEB-3',
      36,
      12,
      24,
      'cut before 2026-03-02 00:00: the tracker cut it',
    ]);
    expect(rows.find(([key]) => key === 'WEB-2')?.[4]).toBeNull();
  });

  test('tells an issue of which nothing is known in a row of its own', async () => {
    const history = {
      complete: false,
      reason: 'no changelog',
      unknownFrom: null,
      unknownUntil: null,
    } as const;
    const { list } = await sheets([anIssue('WEB-9', '2026-03-01T00:00:00Z').historyIs(history).issue]);
    expect(await rowsOf(list)).toEqual([['WEB-9', 'Summary of WEB-9', 72, 'unknown: no changelog']]);
  });

  test('says how long a day is where it is not 24 hours', async () => {
    const { list } = await sheets(
      issues,
      {},
      { ...wording, viewFormat: 'days', dayMs: 7.5 * millisecondsInHour },
    );
    expect(list.columns[2]).toMatchObject({ title: 'To Do (days of 7.5 h)', kind: 'number' });
    expect((await rowsOf(list))[0]?.[2]).toBe(3.2);
  });

  test('has words where words were asked for', async () => {
    const { list } = await sheets(issues, {}, { ...wording, viewFormat: 'humanReadable' });
    expect(list.columns[2]).toEqual({ id: 'To Do', title: 'To Do', kind: 'text', unit: null });
    expect((await rowsOf(list))[1]?.slice(2, 4)).toEqual(['20m', '1d 23h']);
  });

  test('keeps dates as instants, and counts without a unit', async () => {
    const dates = await sheets(issues, { reportType: 'firstTransitionToStatusDate' });
    expect(dates.average).toBeUndefined();
    expect(dates.list.columns[2]).toMatchObject({ kind: 'instant', unit: null });
    expect((await rowsOf(dates.list))[1]).toContain(Date.parse('2026-03-02T00:20:00Z'));
    const counts = await sheets(issues, { reportType: 'statusCount' });
    expect(counts.list.columns[2]).toMatchObject({ title: 'To Do', kind: 'number', unit: null });
  });
});

test('a statistic tells its groups, how many issues they have, and how far they can be trusted', async () => {
  const { average } = await sheets([...issues, cut], { groupBy: ['status'] });
  expect(average?.name).toBe('Average');
  expect(average?.columns.map(({ title }) => title)).toEqual([
    'Status',
    'Issues',
    'To Do (hours)',
    'Doing (hours)',
    'History',
  ]);
  expect(average === undefined ? [] : await rowsOf(average)).toEqual([
    ['To Do', 1, 24, null, '1 of 3 histories cut'],
    ['Doing', 2, 18.1666666667, 29.8333333333, '1 of 3 histories cut'],
  ]);
});

test('the provenance tells how to ask the same again, and what to make of the figures', async () => {
  const trim = { from: Date.parse('2026-03-02T00:00:00Z'), to: null };
  const asked = request({ trim, groupBy: ['status'] });
  const { head } = await sheets([...issues, cut], { trim, groupBy: ['status'] });
  const input: ExportInput = {
    principalName: 'Ada',
    type: 'XLSX',
    request: asked,
    unit: 'hours',
    dayLength: '24HourDays',
    formats: wording.formats,
    denominator: 'all',
    deviation: 'sample',
    byteOrderMark: false,
    withProvenance: true,
  };
  const facts = { input, reportTitle: 'Time in status', askedAt: Date.parse(at) - 60_000, version: '0.3.0' };
  const told = Object.fromEntries(await rowsOf(provenanceSheet(head, facts, wording)));
  expect(told).toMatchObject({
    Report: 'Time in status (statusDuration)',
    Filter: 'project WEB',
    JQL: 'project = "WEB"',
    'Grouped by': 'status',
    Calendar: 'normalHours (24/7)',
    'Time zone of dates': 'UTC',
    'Durations in': 'hours',
    'History counts from': '2026-03-02 00:00:00 Z',
    'History counts until': 'the "As of" time',
    'Averages and deviations divide by': 'all issues',
    'Standard deviation of': 'sample',
    'As of': '2026-03-04 00:00:00 Z',
    'Asked at': '2026-03-03 23:59:00 Z',
    'Asked by': 'Ada (ada)',
    'Issues counted': 3,
    'Histories cut': 1,
    Complete: 'no',
    'Made by': 'Dwell 0.3.0',
  });
  expect(told).not.toHaveProperty('Delegates credited');
});

test.each([
  [
    '2026-03-01T00:00:00Z',
    '2026-03-03T00:00:00Z',
    'created: from 2026-03-01 00:00:00 Z up to 2026-03-03 00:00:00 Z (not included)',
  ],
  ['2026-03-01T00:00:00Z', null, 'created: from 2026-03-01 00:00:00 Z'],
  [null, '2026-03-03T00:00:00Z', 'created: up to 2026-03-03 00:00:00 Z (not included)'],
  [null, null, 'created: any time'],
])('the provenance tells the dates from %s to %s', async (from, to, words) => {
  const instant = (date: string | null) => (date === null ? null : Date.parse(date));
  const choices = { dateRange: { field: 'created', from: instant(from), to: instant(to) } } as const;
  const { head } = await sheets(issues);
  const facts = { input: aWish(choices), reportTitle: 'Time in status', askedAt: 0, version: '0.3.0' };
  const told = Object.fromEntries(await rowsOf(provenanceSheet(head, facts, wording)));
  expect(told).toHaveProperty('Dates', words);
});

test('the provenance tells in which categories delegates are credited', async () => {
  const choices = { reportType: 'assigneeDuration', creditDelegates: [] };
  const { head: plain } = await sheets(issues, choices);
  const head = {
    ...plain,
    provenance: { ...plain.provenance, creditedCategories: ['general', 'Travel, hotels'] },
  };
  const facts = { input: aWish(choices), reportTitle: 'Assignee Duration', askedAt: 0, version: '0.3.0' };
  const told = Object.fromEntries(await rowsOf(provenanceSheet(head, facts, wording)));
  expect(told).toHaveProperty('Delegates credited', 'general; Travel, hotels');
});
