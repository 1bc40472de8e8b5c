/** Runs so many pieces of work at a time; the others wait for their turn. */
export function createAtMost(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Whoever waits takes over the place that is left.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
