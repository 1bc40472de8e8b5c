import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import { fillStore } from './memory/invent-issues.ts';

/** Nobody notices less. */
const MOST_LATE_MS = 50;

const started = z.object({ url: z.string(), token: z.string() });
const watched = z.object({ late: z.number(), held: z.number(), peak: z.number() });

type Parameters = Readonly<Record<string, string>>;

const everything = { filterType: 'customjql', customjql: 'created >= "2000-01-01"' };
const durations = { ...everything, columnsBy: 'statusDuration' };
const average = { ...durations, aggregationType: 'average' };
const terms = (count: number) =>
  Array.from({ length: count }, (_, i) => `cf[${10016 + (i % 2) * 4}]`).join(', ');

/** Every kind of request there is about many issues. */
const questions: readonly (readonly [name: string, path: string, parameters: Parameters])[] = [
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
  ['by history', '/rest/issues/v2', { ...durations, customjql: 'status changed to Done after -300d' }],
  ['by assignee', '/rest/issues/v2', { ...durations, customjql: 'assignee was "Person 5"' }],
  ['by sprint', '/rest/issues/v2', { ...durations, customjql: 'sprint = 310' }],
  ['grouped list', '/rest/issues/v2', { ...durations, groupByFields: 'assignee' }],
  ['with fields', '/rest/issues/v2', { ...durations, fieldColumns: 'summary,assignee,parent' }],
  ['average', '/rest/issues/aggregation', average],
  [
    'median in a calendar',
    '/rest/issues/aggregation',
    { ...average, aggregationType: 'median', calendar: 'Berlin' },
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
  ['small export, CSV', '/rest/smallexport', { ...durations, outputType: 'CSV' }],
  ['small export, XLSX', '/rest/smallexport', { ...durations, outputType: 'XLSX' }],
  ['small export, XLS', '/rest/smallexport', { ...durations, outputType: 'XLS' }],
  ['small export, JSON', '/rest/smallexport', { ...durations, outputType: 'JSON' }],
  ['statuses', '/rest/statuses', {}],
  ['openapi', '/openapi.json', {}],
];

/**
 * How long one request keeps everybody else waiting: each kind of request asked twice of `ISSUES` (33,000) issues, and
 * how late the event loop came round meanwhile, with the time of a processor used in one go. `ADMIN=no` asks as somebody to whom some issues are closed, `ONLY`
 * names the requests (a part of the name), `HEAP` limits the heap (MB), `PROFILE` names a folder for profiles.
 */
export async function benchTurns(): Promise<void> {
  const { ISSUES = '33000', ONLY = '', PROFILE, HEAP } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'dwell-turns-'));
  try {
    await fillStore(folder, Number(ISSUES), Math.floor(Date.now() / millisecondsInHour) * millisecondsInHour);
    const child = start(folder, [
      ...(PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`]),
      ...(HEAP === undefined ? [] : [`--max-old-space-size=${HEAP}`]),
    ]);
    const [message] = await once(child, 'message');
    const { url, token } = started.parse(message);
    const rows: Record<string, object> = {};
    let [latest, longest] = [0, 0];
    for (const [name, path, parameters] of questions.filter(([name]) => name.includes(ONLY))) {
      const [first, again] = [
        await ask(child, url, token, path, parameters),
        await ask(child, url, token, path, parameters),
      ];
      rows[name] = {
        answer: first.status,
        bytes: first.bytes,
        ms: first.ms,
        'again ms': again.ms,
        'late ms': Math.max(first.late, again.late),
        'held ms': Math.max(first.held, again.held),
        'peak MiB': again.peak,
      };
      latest = Math.max(latest, first.late, again.late);
      longest = Math.max(longest, first.held, again.held);
      console.log(name, JSON.stringify(rows[name]));
    }
    console.table(rows);
    console.log(
      `The event loop came round at most ${latest} ms late and was held for ${longest} ms; ${MOST_LATE_MS} ms are promised.`,
    );
    child.send('stop');
    await once(child, 'exit');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(child: ChildProcess, url: string, token: string, path: string, parameters: Parameters) {
  await late(child);
  const began = performance.now();
  const response = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`, {
    headers: { Authorization: `TISJWT ${token}` },
  });
  let bytes = 0;
  if (response.body !== null) for await (const chunk of response.body) bytes += chunk.length;
  const ms = Math.round(performance.now() - began);
  return { status: response.status, bytes, ms, ...(await late(child)) };
}

async function late(child: ChildProcess): Promise<z.output<typeof watched>> {
  child.send('late');
  const [message] = await once(child, 'message');
  return watched.parse(message);
}

function start(folder: string, options: readonly string[]): ChildProcess {
  const program = fileURLToPath(new URL('turns/dwell-process.ts', import.meta.url));
  return fork(program, [], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16', ...options],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      TRACKER: 'file',
      TIME_ZONE: 'UTC',
      LOG_LEVEL: 'warn',
      PLAYGROUND: 'off',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
