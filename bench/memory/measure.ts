import { createLocalReporting } from '../../src/api/reporting/create-local-reporting.ts';
import { createPageLists } from '../../src/api/reporting/take-page.ts';
import { inStore } from '../../src/cache/backing.ts';
import { createStoreMirror } from '../../src/mirror/create-mirrors.ts';
import { ask, type ReportRequest } from '../../src/model/request.ts';
import type { CalendarDefinition } from '../../src/model/settings.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { always } from '../always.ts';
import { best, row } from '../rows.ts';

/** A process of its own, so that its memory is that of the issues: `folder` holds the store, `now` is the instant asked at. */
const [folder = '', nowText = '0'] = process.argv.slice(2);
const now = Number(nowText);
const office: CalendarDefinition = {
  id: 1,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).map((weekday) => ({
    weekday,
    start: 32_400_000,
    end: 63_900_000,
  })),
  holidays: [],
};

const store = openSqliteStore(folder);
const issues = store.issues('file');
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
const average = { type: 'average', denominator: 'nonNull', deviation: 'population', percentile: 0 } as const;
const page = { by: 'token', token: null, size: 100 } as const;
const admin = { user: 'ada', admin: true };

function report(jql: string, choices: Partial<ReportRequest>, asker = admin) {
  return reporting.report(
    ask({ asker, reportType: 'statusDuration', selection: { by: 'jql', jql }, ...choices }),
  );
}

const before = held();
const count = await issues.count();
const loaded = await best(1, () => mirror.issues());
const loadedBytes = held() - before;
const loadedPeak = peak();
const [first] = await mirror.issues();
const single = await best(20, () => mirror.issue(first?.key ?? ''));
const time = (jql: string, choices: Partial<ReportRequest>) => best(3, () => report(jql, choices));
const rows = {
  'load from the store': row(loaded, count, 'issues'),
  'single issue': row(single, 1, 'issues'),
  'average per status, 24/7': row(await time('', { statistic: average }), count, 'issues'),
  'average per status, calendar': row(
    await time('', { statistic: average, calendar: 'Office' }),
    count,
    'issues',
  ),
  'first page of a JQL list': row(
    await time('status = Done and priority = High order by updated desc', { page }),
    count,
    'issues looked at',
  ),
  'first page by history': row(
    await time('status changed to Done after -30d', { page }),
    count,
    'issues looked at',
  ),
};
const asked = () => report('project = WEB', { statistic: average }, { user: 'bob', admin: false });
const cold = await best(1, asked);
const again = await best(3, asked);
const longestWait = { ms: 0 };
let turn = performance.now();
const watch = setInterval(() => {
  longestWait.ms = Math.max(longestWait.ms, performance.now() - turn - 1);
  turn = performance.now();
}, 1);
const changed: number[] = [];
for (let i = 0; i < 3; i += 1) {
  const some = (await mirror.issues())[Math.floor((count * (i + 1)) / 5)];
  if (some === undefined) break;
  await issues.putIssues([{ ...some, summary: `changed ${i}` }], (_kept, incoming) => incoming);
  changed.push(await best(1, asked));
}
clearInterval(watch);
console.table({
  ...rows,
  'some are closed, first time': row(cold, count, 'issues'),
  'some are closed, again': row(again, count, 'issues'),
  'some are closed, one has changed': row(Math.max(...changed), count, 'issues'),
});
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
console.table({
  'held per issue after loading': `${Math.round(loadedBytes / count)} B`,
  'held per issue after everything': `${Math.round((held() - before) / count)} B`,
  'resident at most while loading': megabytes(loadedPeak),
  'resident at most in all': megabytes(peak()),
  'longest wait of others beside the changes': `${Math.round(longestWait.ms)} ms`,
});
store.close();

function held(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function peak(): number {
  return process.resourceUsage().maxRSS * 1024;
}
