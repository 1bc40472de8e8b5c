import { beforeAll, describe, expect, test } from '#jest';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { ask, type ReportRequest, type Statistic } from '../../../src/model/request.ts';
import type { IssueLines } from '../../../src/model/table.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';

const now = () => Date.parse('2026-03-18T15:30:00Z');
const principal = principalOf('ada', 'admin');
const statistics: readonly Statistic[] = (['average', 'sum', 'median', 'standardDeviation'] as const).map(
  (type) => ({ type, denominator: 'nonNull', deviation: 'population', percentile: 50 }),
);
const about = (choices: Partial<ReportRequest> = {}) =>
  ask({ principal, reportType: 'statusDuration', selection: { by: 'project', project: 'WEB' }, ...choices });

let reporting: ReportingApi;
beforeAll(() => {
  reporting = localReporting(createMemoryMirror(createSampleTracker({ now }), now), now);
});

async function readAll(lines: AsyncIterable<readonly IssueLines[]>): Promise<IssueLines[]> {
  const all: IssueLines[] = [];
  for await (const part of lines) all.push(...part);
  return all;
}

const extra: Readonly<Record<string, Partial<ReportRequest>>> = {
  durationBetweenStatuses: {
    metrics: [
      {
        name: 'Lead time',
        from: { statuses: [], visit: 'first' },
        to: { statuses: ['Done'], visit: 'last' },
        pausedIn: [],
      },
    ],
  },
  anyFieldDuration: { historyFields: ['priority'] },
};

describe.each(reports.filter(({ shape }) => shape === 'issue').map(({ id }) => id))('%s', (reportType) => {
  test('read line by line it tells what it tells at once, and so do its statistics', async () => {
    const request = about({ reportType, groupBy: ['issuetype'], fields: ['created'], ...extra[reportType] });
    const whole = await reporting.report(request);
    const { list, statistics: figures, lines } = await reporting.open(request, statistics);
    const read = await readAll(lines());
    const { issues, rows, ...head } = whole;
    expect(list).toEqual({ ...head, hasUnknown: issues.some((issue) => issue.unknown !== null) });
    expect(read.map((one) => one.facts)).toEqual(issues);
    expect(read.flatMap((one) => one.rows)).toEqual(rows);
    if (reports.find(({ id }) => id === reportType)?.kind === 'instant') {
      expect(figures).toEqual([]);
      return;
    }
    const each = await Promise.all(
      statistics.map((statistic) => reporting.report({ ...request, statistic })),
    );
    expect(figures).toEqual(each);
  });
});

test('the visits of an issue can be read as well, without statistics', async () => {
  const [key = ''] = await reporting.exampleKeys(principal, 1);
  const request = about({ reportType: 'statusDurationExpanded', selection: { by: 'keys', keys: [key] } });
  const whole = await reporting.report(request);
  const { list, statistics: figures, lines } = await reporting.open(request, statistics);
  expect(list.statuses).toEqual(whole.statuses);
  expect(figures).toEqual([]);
  expect((await readAll(lines())).flatMap((one) => one.rows)).toEqual(whole.rows);
});

test('count tells how many issues a report is about, and refuses what the report would', async () => {
  const { provenance } = await reporting.report(about());
  expect(await reporting.count(about())).toBe(provenance.issues);
  await expect(reporting.count(about({ reportType: 'weather' }))).rejects.toThrow('Bad request');
});

test('progress rises to the number of issues', async () => {
  const told: [number, number][] = [];
  const { list, lines } = await reporting.open(about(), statistics, {
    onProgress: (completed, total) => told.push([completed, total]),
  });
  await readAll(lines());
  const { issues } = list.provenance;
  const done = told.map(([completed]) => completed);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(told.at(-1)).toEqual([issues, issues]);
});

test('an aborted reader fails with the reason, before and while its lines are read', async () => {
  const early = new AbortController();
  early.abort(new Error('not any more'));
  await expect(reporting.open(about(), [], { signal: early.signal })).rejects.toThrow('not any more');
  const late = new AbortController();
  const { lines } = await reporting.open(about(), [], { signal: late.signal });
  const reading = lines()[Symbol.asyncIterator]();
  expect((await reading.next()).done).toBe(false);
  late.abort(new Error('enough'));
  await expect(reading.next()).rejects.toThrow('enough');
});
