import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Agent, fetch } from 'undici';
import { type Taken, type Times, timesOf } from '../measure.ts';
import { serverEnvironment } from '../product/start-server.ts';
import { atMost, figureRow, type Row, timeRow } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { forgetSnapshots, type World, worldOf } from '../world/world-folder.ts';

const name = 'start';
const STARTS = 3;
const MILLION = 1_000_000;
const LIST_SIZE = 33_000;
const bin = fileURLToPath(new URL('../../bin', import.meta.url));

const everything = {
  filterType: 'customjql',
  customjql: 'created >= "2000-01-01"',
  columnsBy: 'statusDuration',
};
/** An average over all issues, as REST takes it. */
export const averageOfAll = [
  '/rest/issues/aggregation',
  { ...everything, aggregationType: 'average' },
] as const;
const list = ['/rest/issues', everything] as const;

/** Reading a million issues may take longer than a client waits by itself. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** What a start cost: until it was ready, and until a question that was asked at once was answered; memory after it (MB). */
interface Started {
  readonly ready: Taken;
  readonly answered: Taken;
  readonly residentMb: number;
  readonly peakMb: number;
}

/** From `npm start` to answers over REST. */
export const start: Suite = {
  name,
  about: 'process start to the first whole answer over REST, with and without the snapshot; memory',
  quick: [1_000, 10_000],
  usual: [10_000, LIST_SIZE, 100_000],
  full: [1_000, 10_000, LIST_SIZE, 100_000, MILLION],
  async run(sizes) {
    const rows = await emptyStarts();
    return [...rows, ...(await rowsBySize(name, sizes, async (size) => startsOf(await worldOf(size))))];
  },
};

/** Without any issue: what the program itself costs. */
async function emptyStarts(): Promise<readonly Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dwell-bench-'));
  try {
    // The first start of a folder writes compiled code that later ones find.
    const cold = await startOnce({ dataDir });
    const starts = await several(() => startOnce({ dataDir }));
    const commands = await several(() => commandOnce(dataDir));
    const of = { suite: name, size: null };
    return [
      timeRow(
        { ...of, name: 'start without issues, until ready' },
        timesOf(
          cold.ready,
          starts.map(({ ready }) => ready),
        ),
      ),
      timeRow({ ...of, name: 'dwell tokens' }, times(commands)),
    ];
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

async function startsOf({ dataDir, token, issues: size, folder }: World): Promise<readonly Row[]> {
  // Whatever it keeps beside the store is there after this one.
  await startOnce({ dataDir, token, ask: averageOfAll });
  const starts = await several(() => startOnce({ dataDir, token, ask: averageOfAll }));
  const lists = await several(() => startOnce({ dataDir, token, ask: list }));
  forgetSnapshots(dataDir);
  const bare = await startOnce({ dataDir, token, ask: averageOfAll });
  const of = { suite: name, size };
  const answered = timeRow(
    { ...of, name: 'start to first whole answer' },
    times(starts.map(({ answered }) => answered)),
  );
  const resident = Math.min(...starts.map((one) => one.residentMb));
  const first = figureRow(
    { ...of, name: 'first answer after ready, no snapshot', unit: 'ms' },
    since(bare.ready, bare.answered).ms,
    { cpuMs: since(bare.ready, bare.answered).cpuMs },
  );
  const firstList = timeRow(
    { ...of, name: 'first list, asked when ready' },
    times(lists.map(({ ready, answered: after }) => since(ready, after))),
  );
  const residentRow = figureRow({ ...of, name: 'resident after it', unit: 'MB' }, resident, {
    peakMb: Math.max(...starts.map((one) => one.peakMb)),
  });
  const store = sizeOf(join(folder, 'data'), /^dwell\.db/);
  const stored = figureRow({ ...of, name: 'store, for each issue', unit: 'B' }, store / size);
  const snapshot = sizeOf(join(folder, 'data', 'tenants', 'default', 'cache'), /^columns-/);
  return [
    size <= MILLION ? atMost(answered, 3_000) : answered,
    figureRow({ ...of, name: 'start to first whole answer, no snapshot', unit: 'ms' }, bare.answered.ms, {
      cpuMs: bare.answered.cpuMs,
      peakMb: bare.peakMb,
    }),
    size <= LIST_SIZE ? atMost(first, 1_000) : first,
    size <= MILLION ? atMost(residentRow, 600) : residentRow,
    size <= LIST_SIZE ? atMost(firstList, 300) : firstList,
    size >= 10_000 ? atMost(stored, 1_200) : stored,
    ...(snapshot > 0
      ? [figureRow({ ...of, name: 'snapshot, for each issue', unit: 'B' }, snapshot / size)]
      : []),
  ];
}

function sizeOf(folder: string, wanted: RegExp): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder).filter((file) => wanted.test(file));
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

async function several<Found>(once: () => Promise<Found>): Promise<readonly Found[]> {
  const found: Found[] = [];
  while (found.length < STARTS) found.push(await once());
  return found;
}

function times(all: readonly Taken[]): Times {
  return timesOf(all[0] ?? { ms: Number.NaN, cpuMs: null }, all);
}

function since(before: Taken, after: Taken): Taken {
  return { ms: after.ms - before.ms, cpuMs: (after.cpuMs ?? Number.NaN) - (before.cpuMs ?? Number.NaN) };
}

/** Starts the product, asks it at most one question, and ends it. */
export async function startOnce({
  dataDir,
  token,
  ask,
}: {
  readonly dataDir: string;
  readonly token?: string;
  readonly ask?: readonly [path: string, parameters: Readonly<Record<string, string>>];
}): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(bin, 'start.js')], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, ...serverEnvironment(dataDir) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await untilReady(child);
  const taken = () => ({ ms: performance.now() - began, cpuMs: usedBy(child.pid ?? 0) });
  const ready = taken();
  if (ask !== undefined) {
    const [path, parameters] = ask;
    const response = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`, {
      headers: { Authorization: `TISJWT ${token}` },
      dispatcher: patient,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`);
  }
  const answered = taken();
  const found = { ready, answered, residentMb: memoryOf(child, 'VmRSS'), peakMb: memoryOf(child, 'VmHWM') };
  child.kill();
  await once(child, 'close');
  return found;
}

async function untilReady(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('A start has no output.');
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /ready at (http:\S+?) and/.exec(line) ?? [];
    if (url !== undefined) return url.replace('localhost', '127.0.0.1');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  throw new Error(`A start has ended with ${child.exitCode ?? child.signalCode} before it was ready.`);
}

async function commandOnce(dataDir: string): Promise<Taken> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(bin, 'dwell.js'), 'tokens'], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, ...serverEnvironment(dataDir) },
    stdio: 'ignore',
  });
  await once(child, 'close');
  return { ms: performance.now() - began, cpuMs: null };
}

/** In MB, by the kernel; NaN where there is no /proc. */
function memoryOf({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(path, 'utf8')) ?? [];
  return (Number(kilobytes) * 1_024) / 1e6;
}

/** Processor time so far in ms, by clock ticks of a hundredth of a second; where there is no /proc, NaN. */
function usedBy(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
