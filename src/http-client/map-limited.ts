import pLimit from 'p-limit';

/**
 * The results in the order of the items, with at most `concurrency` calls under way. The first failure fails all, and
 * nothing is begun after it, which `p-limit`'s own `map` would do.
 */
export function mapLimited<Item, Result>(
  concurrency: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(concurrency);
  return limit.map(items, async (item) => {
    try {
      return await work(item);
    } catch (error) {
      limit.clearQueue();
      throw error;
    }
  });
}
