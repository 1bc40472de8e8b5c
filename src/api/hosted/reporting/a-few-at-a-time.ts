/** The results of questions, in their order, of which so many are under way at once. */
export async function aFewAtATime<Given, Result>(
  given: readonly Given[],
  most: number,
  ask: (one: Given) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < given.length; start += most) {
    results.push(...(await Promise.all(given.slice(start, start + most).map(ask))));
  }
  return results;
}
