/**
 * Everybody without delegates who can be reached from a person over delegates and those of theirs, depth first,
 * delegates in order; none where the person has no delegate. A person met again is passed over: whoever can be reached
 * from there is told already, which spares following every path.
 */
export function* chainEnds(
  person: string,
  delegatesOf: (person: string) => readonly string[],
): Generator<string, undefined> {
  const met = new Set([person]);
  const waiting = [...delegatesOf(person)].reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (met.has(next)) continue;
    met.add(next);
    const delegates = delegatesOf(next);
    if (delegates.length === 0) yield next;
    for (const delegate of delegates.toReversed()) waiting.push(delegate);
  }
}
