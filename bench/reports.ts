import { join } from 'node:path';
import { createLocalReporting } from '../src/api/reporting/create-local-reporting.ts';
import { createPageLists } from '../src/api/reporting/take-page.ts';
import { inStore } from '../src/cache/backing.ts';
import { createStoreMirror } from '../src/mirror/create-mirrors.ts';
import type { Issue } from '../src/model/issue.ts';
import { ask, type ReportRequest } from '../src/model/request.ts';
import type { CalendarDefinition } from '../src/model/settings.ts';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { always } from './always.ts';
import { type BenchRow, best, row } from './rows.ts';

const asker = { user: 'ada', admin: true };
const office: CalendarDefinition = {
  id: 1,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).flatMap((weekday) => [
    { weekday, start: 32_400_000, end: 45_000_000 },
    { weekday, start: 47_700_000, end: 63_900_000 },
  ]),
  holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
};

/** Reports over many issues in the store, as the port answers them: the sample's issues, told again and again. */
export async function benchReports(
  sample: readonly Issue[],
  count: number,
  folder: string,
  now: number,
): Promise<Record<string, BenchRow>> {
  const store = openSqliteStore(join(folder, 'reports'));
  const issues = store.issues('file');
  for (let at = 0; at < count; at += sample.length) {
    const copies = sample.slice(0, count - at).map((issue, i) => ({ ...issue, key: `WEB-${at + i + 1}` }));
    await issues.putIssues(copies, (_kept, incoming) => incoming);
  }
  const mirror = createStoreMirror('file', issues);
  const reporting = createLocalReporting({
    mirror: async () => mirror,
    calendars: async () => [always, office],
    pages: createPageLists({
      stored: inStore((most) => store.cache({ most, now: () => now })),
      now: () => now,
    }),
    now: () => now,
    newId: () => crypto.randomUUID(),
    timeZone: 'UTC',
    delegateTimes: async () => ({ times: () => [], categories: [], revision: () => '' }),
  });
  const before = process.memoryUsage().heapUsed;
  const loaded = await best(1, () => mirror.issues());
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed - before;
  const time = (choices: Partial<ReportRequest>, jql = '') =>
    best(5, () =>
      reporting.report(
        ask({ asker, reportType: 'statusDuration', selection: { by: 'jql', jql }, ...choices }),
      ),
    );
  const average = {
    type: 'average',
    denominator: 'nonNull',
    deviation: 'population',
    percentile: 0,
  } as const;
  const page = { by: 'token', token: null, size: 100 } as const;
  const rows = {
    [`load ${count.toLocaleString('en')} issues from the store`]: row(loaded, count, 'issues'),
    'average per status, 24/7': row(await time({ statistic: average }), count, 'issues'),
    'average per status, business hours': row(
      await time({ statistic: average, calendar: 'Office' }),
      count,
      'issues',
    ),
    'median per status by issue type': row(
      await time({ statistic: { ...average, type: 'median' }, groupBy: ['issuetype'] }),
      count,
      'issues',
    ),
    'average per assignee and status': row(
      await time({ statistic: average, reportType: 'assigneeDurationByStatus' }),
      count,
      'issues',
    ),
    'first page of a JQL list': row(
      await time({ page }, 'status = Done and priority = High order by updated desc'),
      count,
      'issues looked at',
    ),
    'first page of a JQL list by history': row(
      await time({ page }, 'status changed to Done after -30d'),
      count,
      'issues looked at',
    ),
    'memory held for the issues': { ms: 0, per: `${Math.round(heap / count)} B`, of: 'issue' },
  };
  store.close();
  return rows;
}
