/** Does something with every item, with no more than `most` at a time; the results are in the order of the items. */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<number, Result>();
  const left = items.entries();
  const takeTurns = async () => {
    for (const [i, item] of left) results.set(i, await work(item));
  };
  await Promise.all(Array.from({ length: most }, takeTurns));
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result);
}
