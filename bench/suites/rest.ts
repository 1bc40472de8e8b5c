import { setTimeout as pause } from 'node:timers/promises';
import { atShare, runProgram, timesOf } from '../measure.ts';
import { askServer, type Request } from '../product/ask-server.ts';
import { answerFound } from '../product/asked.ts';
import { type Server, startServer } from '../product/start-server.ts';
import { atMost, figureRow, lateAtMost, promised, type Row, timeRow } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { createChance } from '../world/chance.ts';
import { projects } from '../world/invent-issue.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'rest';
/** Nobody notices less (ms). */
const LATE_MS = 50;
/** From here on an answer is to be written as a stream (bytes). */
const LARGE = 1_000_000;

const SINGLES = 400;
/** Of single issues; between two of them others have a turn. */
const EVERY_MS = 20;
/** So long before, reports are asked for. */
const BEFORE_MS = 1_000;

const everything = { filterType: 'customjql', customjql: 'created >= "2000-01-01"' };
const durations = { ...everything, columnsBy: 'statusDuration' };
const average = { ...durations, aggregationType: 'average' };
const terms = (count: number) =>
  Array.from({ length: count }, (_, i) => `cf[${10016 + (i % 2) * 4}]`).join(', ');

/** Every kind of request there is about many issues. */
const requests: readonly Request[] = [
  ['single issue', '/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' }],
  ['first page', '/rest/issues', durations],
  ['largest page', '/rest/issues', { ...durations, pageSize: '1000' }],
  [
    'largest page, expanded dates',
    '/rest/issues',
    { ...durations, columnsBy: 'statusDurationByTimePeriod', timePeriod: 'Month', pageSize: '1000' },
  ],
  ['largest page as CSV', '/rest/issues', { ...durations, outputType: 'csv', pageSize: '1000' }],
  ['order by one', '/rest/issues/v2', { ...durations, customjql: 'order by summary' }],
  ['order by key', '/rest/issues/v2', { ...durations, customjql: 'order by key' }],
  ['order by two', '/rest/issues/v2', { ...durations, customjql: 'order by priority desc, updated asc' }],
  ['order by 100 terms', '/rest/issues/v2', { ...durations, customjql: `order by ${terms(100)}` }],
  ['order by 1,000 terms', '/rest/issues/v2', { ...durations, customjql: `order by ${terms(1000)}` }],
  ['by text', '/rest/issues/v2', { ...durations, customjql: 'text ~ basket' }],
  ['by history', '/rest/issues/v2', { ...durations, customjql: 'status changed to Done after "2025-10-01"' }],
  ['by assignee', '/rest/issues/v2', { ...durations, customjql: 'assignee was "Person 5"' }],
  ['by sprint', '/rest/issues/v2', { ...durations, customjql: 'sprint = 310' }],
  ['grouped list', '/rest/issues/v2', { ...durations, groupByFields: 'assignee' }],
  ['with fields', '/rest/issues/v2', { ...durations, fieldColumns: 'summary,assignee,parent' }],
  ['average', '/rest/issues/aggregation', average],
  [
    'median in a calendar',
    '/rest/issues/aggregation',
    { ...average, aggregationType: 'median', calendar: 'Office' },
  ],
  ['average by type', '/rest/issues/aggregation', { ...average, groupByFields: 'issuetype' }],
  ['average by assignee', '/rest/issues/aggregation', { ...average, groupByFields: 'assignee' }],
  [
    'sum by label',
    '/rest/issues/aggregation',
    { ...average, aggregationType: 'sum', groupByFields: 'labels' },
  ],
  ['average by summary', '/rest/issues/aggregation', { ...average, groupByFields: 'summary' }],
  ['two levels', '/rest/issues/aggregation', { ...average, columnsBy: 'statusDurationByAssignee' }],
  [
    'two levels by summary',
    '/rest/issues/aggregation',
    { ...average, columnsBy: 'statusDurationByAssignee', groupByFields: 'summary' },
  ],
  [
    'by month',
    '/rest/issues/aggregation',
    { ...average, columnsBy: 'statusDurationByTimePeriod', timePeriod: 'Month' },
  ],
  ['transitions', '/rest/issues/aggregation', { ...average, columnsBy: 'transitionCount' }],
  [
    'any field',
    '/rest/issues/aggregation',
    { ...average, columnsBy: 'anyFieldDuration', historyFields: 'priority' },
  ],
  ['weekly', '/rest/issues/weekly', { ...everything, week: 'last' }],
  ['weekly of a project', '/rest/issues/weekly', { filterType: 'project', projectKey: 'WEB', week: 'last' }],
  ['a sprint and five before', '/rest/sprints/355/report', {}],
  ['small export, CSV', '/rest/smallexport', { ...durations, outputType: 'CSV' }],
  ['small export, XLSX', '/rest/smallexport', { ...durations, outputType: 'XLSX' }],
  ['small export, XLS', '/rest/smallexport', { ...durations, outputType: 'XLS' }],
  ['small export, JSON', '/rest/smallexport', { ...durations, outputType: 'JSON' }],
  ['statuses', '/rest/statuses', {}],
  ['openapi', '/openapi.json', {}],
];

/** What runs beside single issues. */
const expensive: readonly Request[] = [
  ['weekly', '/rest/issues/weekly', { ...everything, week: 'last' }],
  ['two levels', '/rest/issues/aggregation', { ...average, columnsBy: 'assigneeDurationByStatus' }],
  [
    'by month',
    '/rest/issues/aggregation',
    { ...average, columnsBy: 'statusDurationByTimePeriod', timePeriod: 'Month' },
  ],
  ['median', '/rest/issues/aggregation', { ...average, aggregationType: 'median', calendar: 'Office' }],
];

/**
 * How long one request keeps everybody else waiting. `ADMIN=no` asks as somebody to whom some issues are closed, `ONLY`
 * names the requests (a part of the name), `HEAP` limits the heap (MB), `PROFILE` names a folder for profiles.
 */
export const rest: Suite = {
  name,
  about: 'every kind of request and /healthz beside it; single issues while four expensive reports run',
  quick: [1_000],
  usual: [33_000],
  full: [33_000, 100_000, 1_000_000],
  async run(sizes) {
    const { ONLY = '' } = process.env;
    const wanted = requests.filter(([title]) => title.includes(ONLY));
    return rowsBySize(name, sizes, async (size) => {
      const { dataDir } = await worldOf(size);
      const server = await startServer({ dataDir });
      try {
        return [...(await askEach(server, size, wanted)), ...(await askBeside(server, size))];
      } finally {
        await server.stop();
      }
    });
  },
};

async function askEach(server: Server, size: number, wanted: readonly Request[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const health: number[] = [];
  const large: Pick<Awaited<ReturnType<typeof askWatched>>, 'bytes' | 'ms' | 'late' | 'held'>[] = [];
  for (const request of wanted) {
    const [title] = request;
    const found = [await askWatched(server, request), await askWatched(server, request)] as const;
    const [first, again] = found;
    health.push(...found.flatMap(({ healthMs }) => healthMs));
    const late = Math.max(first.late, again.late);
    const held = Math.max(first.held, again.held);
    // A question that is refused because its answer would be too large is a kind of request as well.
    const fault = first.status < 500 ? null : `answered ${first.status}: ${first.text}`;
    if (again.bytes > LARGE) large.push(again);
    const row = timeRow({ suite: name, name: title, size }, timesOf(first, [again]), {
      lateMs: late,
      heldMs: held,
      peakMb: again.peakMb,
      fault,
    });
    rows.push({ ...lateAtMost(row, LATE_MS), isDetail: true });
  }
  const sorted = health.toSorted((a, b) => a - b);
  const slowest = figureRow(
    { suite: name, name: '/healthz beside any request, slowest', size, unit: 'ms' },
    sorted.at(-1) ?? 0,
    {
      lateMs: Math.max(...rows.map(({ lateMs }) => lateMs ?? 0)),
      heldMs: Math.max(...rows.map(({ heldMs }) => heldMs ?? 0)),
      peakMb: Math.max(...rows.map(({ peakMb }) => peakMb ?? 0)),
    },
  );
  const p99 = figureRow(
    { suite: name, name: '/healthz beside any request, p99', size, unit: 'ms' },
    atShare(sorted, 0.99),
  );
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const streamed = figureRow(
    { suite: name, name: 'answers over 1 MB', size, unit: 'MB/s' },
    sum(large.map(({ bytes }) => bytes)) / 1_000 / sum(large.map(({ ms }) => ms)),
    {
      lateMs: Math.max(...large.map(({ late }) => late)),
      heldMs: Math.max(...large.map(({ held }) => held)),
    },
  );
  return [
    ...rows,
    p99,
    lateAtMost(atMost(slowest, LATE_MS), LATE_MS),
    ...(large.length === 0 ? [] : [lateAtMost(streamed, LATE_MS)]),
  ];
}

/** Asks once, and for its health again and again until the answer is there. */
async function askWatched(server: Server, request: Request) {
  let isOver = false;
  const healthMs: number[] = [];
  const health = async () => {
    while (!isOver) {
      const began = performance.now();
      const response = await fetch(`${server.url}/healthz`);
      await response.text();
      healthMs.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const watching = health();
  const before = await server.watched();
  const found = await askServer(server.url, server.tokens[0] ?? '', request);
  isOver = true;
  await watching;
  const after = await server.watched();
  return { ...found, healthMs, ...after, cpuMs: after.cpuMs - before.cpuMs };
}

/** Single issues at a steady rate, while four principals ask one expensive report after the other. */
async function askBeside(server: Server, size: number): Promise<readonly Row[]> {
  const { url, tokens } = server;
  const reports = runProgram(
    {
      path: 'product/ask-reports.ts',
      job: {
        url,
        tokens: tokens.slice(0, 4),
        requests: expensive,
        forMs: 2 * BEFORE_MS + SINGLES * EVERY_MS,
      },
    },
    (line) => answerFound.parse(line),
  );
  const chance = createChance(11);
  const keys = Array.from({ length: SINGLES }, () => {
    const n = Math.floor(chance() * size);
    return `${projects[n % projects.length]}-${Math.floor(n / projects.length) + 1}`;
  });
  await pause(BEFORE_MS);
  await server.watched();
  const alone = await runProgram(
    { path: 'product/ask-single-issues.ts', job: { url, token: tokens[4] ?? '', keys, everyMs: EVERY_MS } },
    (line) => answerFound.parse(line),
  );
  const { late, held, peakMb } = await server.watched();
  const answered = await reports;
  const faults = new Set([...alone, ...answered].flatMap(({ fault }) => fault ?? []));
  const sorted = alone.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const of = { suite: name, size, unit: 'ms' };
  const fault = faults.size === 0 ? null : [...faults].slice(0, 3).join('; ');
  const p99 = figureRow(
    { ...of, name: 'single issue beside four expensive reports, p99' },
    atShare(sorted, 0.99),
    {
      lateMs: late,
      heldMs: held,
      peakMb,
      fault,
    },
  );
  return [
    figureRow({ ...of, name: 'single issue beside four expensive reports, p50' }, atShare(sorted, 0.5)),
    promised(p99, { text: '< 20 ms', kept: p99.median < 20 }),
    figureRow({ ...of, name: 'expensive reports answered meanwhile', unit: 'reports' }, answered.length),
  ];
}
