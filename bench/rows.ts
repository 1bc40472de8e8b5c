/** One line of the printed table: the best time, and how many of what that is per second. */
export interface BenchRow {
  readonly ms: number;
  readonly per: string;
  readonly of: string;
}

/** Times `work` (ms), best of `times` runs: machines are noisy, and noise only ever adds. */
export async function best(times: number, work: () => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i += 1) {
    const start = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

export function row(ms: number, count: number, of: string): BenchRow {
  return {
    ms: Math.round(ms * 10) / 10,
    per: `${Math.round((count / ms) * 1000).toLocaleString('en')}/s`,
    of,
  };
}
