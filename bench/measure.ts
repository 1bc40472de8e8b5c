import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** Times of one piece of work (ms): of the first run, and of those after it; `cpu` is the least processor time of all threads. */
export interface Times {
  readonly first: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
  readonly repeats: number;
  readonly cpu: number | null;
}

/** Runs `work` once and then again and again, seven times or for about three seconds, at least three times unless it is slow. */
export async function timed(work: () => unknown): Promise<Times> {
  const once = async (): Promise<Taken> => {
    const start = performance.now();
    const before = process.cpuUsage();
    await work();
    return { ms: performance.now() - start, cpuMs: processorMs(before) };
  };
  const first = await once();
  const again: Taken[] = [];
  const wanted = repeatsAfter(first.ms);
  while (again.length < wanted) again.push(await once());
  return timesOf(first, again);
}

/** How often something is worth repeating that took so long (ms) the first time. */
export function repeatsAfter(first: number): number {
  if (first > 20_000) return 1;
  if (first > 1_000) return 3;
  return first > 50 ? 7 : 15;
}

/** One run: on the clock and of the processor, by all threads (ms; null where nobody looked). */
export interface Taken {
  readonly ms: number;
  readonly cpuMs: number | null;
}

/** Since `process.cpuUsage()` was asked last. */
export function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

export function timesOf(first: Taken, again: readonly Taken[]): Times {
  const sorted = again.map(({ ms }) => ms).sort((a, b) => a - b);
  const cpu = [first, ...again].flatMap(({ cpuMs }) => cpuMs ?? []);
  return {
    first: first.ms,
    least: sorted[0] ?? first.ms,
    median: atShare(sorted, 0.5),
    most: sorted.at(-1) ?? first.ms,
    repeats: again.length,
    cpu: cpu.length === 0 ? null : Math.min(...cpu),
  };
}

/** The value below which that share of sorted values is; NaN of none. */
export function atShare(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How long others waited while something was done (ms): `late` by the loop's own timer, `held` by time of a processor in one go. */
export interface Waited {
  readonly late: number;
  readonly held: number;
}

/** Watches the loop of this process; each call of the answer says what was since the call before. */
export function watchWaits(): () => Promise<Waited> {
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let held = 0;
  let before = used();
  setInterval(() => {
    const now = used();
    held = Math.max(held, now - before);
    before = now;
  }, 1).unref();
  return async () => {
    // The timer says something of a long wait only when it has come round.
    await pause(4 * resolution);
    const found = { late: Math.max(0, delay.max / 1e6 - resolution), held };
    delay.reset();
    // The first sample after a reset only starts the next one.
    await pause(3 * resolution);
    held = 0;
    return found;
  };
}

/** The most memory this process ever held, MB. */
export function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}

/** As `bin/run-program.js` sets it. */
export const malloc = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' } as const;

/** A process of its own. */
interface Program {
  /** From the folder bench/. */
  readonly path: string;
  readonly job: unknown;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a program found, line by line as JSON; it gets its job as its one argument. */
export async function runProgram<Found>(
  { path, job, environment = {} }: Program,
  read: (line: unknown) => Found,
): Promise<readonly Found[]> {
  const child = spawn(
    process.execPath,
    // As `npm start` runs the product.
    [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=16',
      '--v8-pool-size=0',
      '--expose-gc',
      `${import.meta.dirname}/${path}`,
      JSON.stringify(job),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...malloc, ...environment } },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const found: Found[] = [];
  for await (const line of createInterface(child.stdout)) found.push(read(JSON.parse(line)));
  const code = await ended;
  if (code !== 0) throw new Error(`${path} ended with ${code}.`);
  return found;
}

/** The job of this process. */
export function ownJob(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** Hands one thing found to the process that started this one. */
export function tellFound(found: object): void {
  console.log(JSON.stringify(found));
}

/** The libraries that are measured beside the product are no part of it. */
export const peersInstall = 'npm install --prefix bench/peers --ignore-scripts';

export function hasPeers(): boolean {
  return existsSync(`${import.meta.dirname}/peers/node_modules`);
}
