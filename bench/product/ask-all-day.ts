import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ask, type Principal, type ReportRequest, type Statistic } from '../../src/model/request.ts';
import type { AnyQuestion } from '../../test/support/any-question.ts';
import { principalOf } from '../../test/support/principal-of.ts';
import { ownJob, peakMb, tellFound } from '../measure.ts';
import { people, worldNow } from '../world/invent-issue.ts';
import { openProduct } from './open-product.ts';

const HOURS = 8;
const PEOPLE = 6;
const TEN_MINUTES = 600_000;

type AskedReport = Partial<ReportRequest> & Pick<ReportRequest, 'reportType' | 'selection'>;

const job = z.object({ dataDir: z.string() }).parse(ownJob());
let now = worldNow;
const product = await openProduct(job.dataDir, () => now);
const byJql = (jql: string) => ({ by: 'jql', jql }) as const;
const statistic = (type: Statistic['type'], percentile = 0): Statistic => ({
  ...{ type, percentile },
  ...{ denominator: 'nonNull', deviation: 'population' },
});
const measured = { calendar: 'normalHours', timeZone: 'Europe/Berlin' } as const;

/** Conditions and orders of which a person takes another pair every hour. */
const conditions = [
  ...['', 'project = WEB', 'priority in (Highest, High)', 'status was Blocked', 'created >= -180d'],
  ...['labels is not empty', 'summary ~ "basket"', 'status changed AFTER "2025-10-01"', 'assignee is empty'],
];
const orders = ['', 'updated DESC', 'priority, updated', 'summary', 'key DESC', 'assignee, status, created'];
const groups = [[], ['issuetype'], ['labels'], ['priority', 'project']];

/** What a person asks in an hour. */
function hourOf(
  person: number,
  hour: number,
): { reports: readonly AskedReport[]; words: readonly AnyQuestion[] } {
  const jql = conditions[(person + hour) % conditions.length] ?? '';
  const order = orders[(person * 5 + hour) % orders.length] ?? '';
  const groupBy = groups[(person + 2 * hour) % groups.length] ?? [];
  const selection = byJql(jql);
  const listed = byJql(order === '' ? jql : `${jql} ORDER BY ${order}`);
  const list = { reportType: 'statusDuration', selection: listed } as const;
  return {
    reports: [
      { reportType: 'statusDuration', selection, groupBy, statistic: statistic('average') },
      { reportType: 'statusDuration', selection, calendar: 'Office', statistic: statistic('percentile', 85) },
      { reportType: 'assigneeDurationByStatus', selection, statistic: statistic('median') },
      { ...list, page: { by: 'index', start: 0, size: 100 } },
      { ...list, page: { by: 'index', start: 100, size: 100 } },
    ],
    words: [
      { kind: 'weekly', week: 'last', selection, ...measured },
      { kind: 'aging', selection, ...measured },
    ],
  };
}

/** In MB, once garbage is collected. */
async function residentMb(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await pause(200);
  }
  return process.memoryUsage.rss() / 1e6;
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
const before = await residentMb();
let asked = 0;
for (let hour = 0; hour < HOURS; hour += 1) {
  for (const [person, { id }] of people.slice(0, PEOPLE).entries()) {
    asked += await askFor(principalOf(id, person === 0 ? 'admin' : undefined), person, hour);
  }
}
tellFound({ asked, before, after: await residentMb(), peakMb: peakMb() });
await product.close();
