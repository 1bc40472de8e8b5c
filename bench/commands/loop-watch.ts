import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process did with one processor: its share of it (1 is all), its time (ms), and how late its loop came round (ms). */
export interface LoopFound {
  readonly cpu: number;
  readonly cpuMs: number;
  readonly 'delay p50': number;
  readonly 'delay p99': number;
  readonly 'delay max': number;
  /** MiB at most. */
  readonly peak: number;
}

/** Watches this process from now on; the answer tells what came of it so far. */
export function watchLoop(): () => LoopFound {
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const started = performance.now();
  const before = process.cpuUsage();
  const late = (nanoseconds: number) => Math.round(nanoseconds / 1e5 - resolution * 10) / 10;
  return () => {
    const { user, system } = process.cpuUsage(before);
    return {
      cpu: Math.round((user + system) / 10 / (performance.now() - started)) / 100,
      cpuMs: Math.round((user + system) / 1_000),
      'delay p50': late(delay.percentile(50)),
      'delay p99': late(delay.percentile(99)),
      'delay max': late(delay.max),
      peak: Math.round(process.resourceUsage().maxRSS / 1024),
    };
  };
}
