import { setTimeout as pause } from 'node:timers/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { sharedPool } from '../../src/engine/measure/kernels/kernel-pool.ts';
import { ask, type Principal, type ReportRequest, type Statistic } from '../../src/model/request.ts';
import type { AnyQuestion } from '../../test/support/any-question.ts';
import { principalOf } from '../../test/support/principal-of.ts';
import { ownJob, peakMb, tellFound } from '../measure.ts';
import { people, sprintList, worldNow } from '../world/invent-issue.ts';
import { openProduct } from './open-product.ts';

const PEOPLE = 6;

/** Between two people, so that a remembered answer is too old for the next one. */
const TEN_MINUTES = 10 * millisecondsInMinute;

type AskedReport = Partial<ReportRequest> & Pick<ReportRequest, 'reportType' | 'selection'>;

const job = z.object({ dataDir: z.string(), hours: z.number() }).parse(ownJob());
let now = worldNow;
const product = await openProduct(job.dataDir, () => now);
const byJql = (jql: string) => ({ by: 'jql', jql }) as const;
const statistic = (type: Statistic['type'], percentile = 0): Statistic => ({
  ...{ type, percentile },
  ...{ denominator: 'nonNull', deviation: 'population' },
});
const measured = { calendar: 'normalHours', timeZone: 'Europe/Berlin' } as const;

/** Conditions, orders and fields of which a person takes others every hour; all are taken in a day, by several people. */
const conditions = [
  ...['', 'project = WEB', 'priority in (Highest, High)', 'status was Blocked', 'created >= -180d'],
  ...['labels is not empty', 'summary ~ "basket"', 'status changed AFTER "2025-10-01"', 'assignee is empty'],
  ...['priority was High', `status changed BY "${people[1]?.id}"`, 'component was Search'],
  ...[`assignee changed BY "${people[2]?.id}"`, 'priority changed DURING ("2025-10-01", "2025-12-31")'],
];
const orders = ['', 'updated DESC', 'priority, updated', 'summary', 'key DESC', 'assignee, status, created'];
const groups = [
  [],
  ['issuetype'],
  ['labels'],
  ['priority', 'project'],
  ['components'],
  ['customfield_10016'],
];
const historyFields = ['priority', 'components', 'customfield_10020', 'duedate'];

function nth<One>(list: readonly One[], n: number): readonly [One] | readonly [] {
  return list.slice(n % list.length, (n % list.length) + 1) as [One] | [];
}

/** What a person asks in an hour. */
function hourOf(
  person: number,
  hour: number,
): { reports: readonly AskedReport[]; words: readonly AnyQuestion[] } {
  const [jql = ''] = nth(conditions, person + PEOPLE * hour);
  const [order = ''] = nth(orders, person * 5 + hour);
  const [groupBy = []] = nth(groups, person + 2 * hour);
  const [historyField = ''] = nth(historyFields, person + hour);
  const [sprint] = nth(sprintList, person + PEOPLE * hour);
  const selection = byJql(jql);
  const listed = byJql(order === '' ? jql : `${jql} ORDER BY ${order}`);
  const list = { reportType: 'statusDuration', selection: listed } as const;
  const average = statistic('average');
  return {
    reports: [
      { reportType: 'statusDuration', selection, groupBy, statistic: average },
      { reportType: 'statusDuration', selection, calendar: 'Office', statistic: statistic('percentile', 85) },
      { reportType: 'assigneeDurationByStatus', selection, statistic: statistic('median') },
      { reportType: 'anyFieldDuration', selection, historyFields: [historyField], statistic: average },
      { ...list, page: { by: 'index', start: 0, size: 100 } },
      { ...list, page: { by: 'index', start: 100, size: 100 } },
    ],
    words: [
      { kind: 'weekly', week: 'last', selection, ...measured },
      { kind: 'aging', selection, ...measured },
      { kind: 'sprint', sprint: sprint?.id ?? '', selection: null, ...measured },
    ],
  };
}

/** So long after the last question (ms) nothing is kept any more but columns and what caches hold. */
const REST_MS = 75_000;

/** In MB: all, once garbage is collected; objects; arrays, those of columns and those that wait for the next question among them. */
async function memory() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await pause(200);
  }
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const table = await (await product.mirror()).table();
  const inMb = { resident: rss, heap: heapUsed, arrays: arrayBuffers };
  const ofColumns = { columns: bytesIn(table.columns.arrays()), spare: sharedPool.spareBytes };
  return Object.fromEntries(
    Object.entries({ ...inMb, ...ofColumns }).map(([name, bytes]) => [name, bytes / 1e6]),
  );
}

/** The bytes of all arrays in a value. */
function bytesIn(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + bytesIn(one), 0);
}

async function found(hour: number, asked: number): Promise<void> {
  const seconds = performance.now() / 1_000;
  tellFound({ hour, asked, seconds, ...(await memory()), peak: peakMb() });
}

async function askFor(principal: Principal, person: number, hour: number): Promise<number> {
  const { reports, words } = hourOf(person, hour);
  const shown: string[] = [];
  for (const report of reports) {
    const { issues } = await product.reporting.report(ask({ ...report, principal }));
    shown.push(...issues.slice(0, 3).map(({ key }) => key));
  }
  for (const key of shown) {
    const selection = { by: 'keys', keys: [key] } as const;
    await product.reporting.report(ask({ reportType: 'statusDuration', selection, principal }));
  }
  for (const question of words) await product.answers.answer(principal, question, null);
  now += TEN_MINUTES;
  return reports.length + shown.length + words.length;
}

await product.reporting.count(
  ask({
    ...{ principal: principalOf(people[0]?.id ?? '', 'admin') },
    reportType: 'statusDuration',
    selection: byJql(''),
  }),
);
// A server has its doors as well.
await import('../../src/compose/create-doors.ts');
await found(0, 1);
for (let hour = 0; hour < job.hours; hour += 1) {
  let asked = 0;
  for (const [person, { id }] of people.slice(0, PEOPLE).entries()) {
    asked += await askFor(principalOf(id, person === 0 ? 'admin' : undefined), person, hour);
  }
  await found(hour + 1, asked);
}
if (job.hours > 0) await pause(REST_MS);
tellFound({ rest: process.memoryUsage.rss() / 1e6 });
await product.close();
