/** Runs one piece of work at a time. */
export type TakeTurns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Each work begins when the one before has ended, well or not: what it looks up beforehand, such as the names that
 * are taken, still holds when it writes.
 */
export function createTakeTurns(): TakeTurns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
