/** No one reads more names in a line. */
const SHOWN = 5;

/** The first few of a list, and how many more there are: `Ada, Bob and 3 more`. */
export function someOf(all: readonly string[], most = SHOWN): string {
  const more = all.length - most;
  return all.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The same for a narrow place: as many as fit into so many characters, at least one. */
export function someWithin(all: readonly string[], length: number): string {
  let most = Math.min(SHOWN, all.length);
  while (most > 1 && someOf(all, most).length > length) most -= 1;
  return someOf(all, most);
}

/** All of a short list, else the first few: `Ada, Bob and Carl`. */
export function listText(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  if (last === undefined || others.length === 0 || names.length > SHOWN) return someOf(names);
  return `${others.reverse().join(', ')} and ${last}`;
}
