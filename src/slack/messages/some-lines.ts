const SHOWN = 8;

/** A line of each of the first ones, those that read alike once; the rest is counted. */
export function someLines<One>(all: readonly One[], line: (one: One) => string): readonly string[] {
  const more = all.length - SHOWN;
  return [...new Set(all.slice(0, SHOWN).map(line)), ...(more > 0 ? [`… and ${more} more like these.`] : [])];
}
