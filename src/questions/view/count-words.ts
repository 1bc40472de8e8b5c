const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A count as people write it, with one decimal at most where it is a mean. */
export function countWords(count: number): string {
  return wholeNumbers.format(count);
}

/** The same of a count that nobody may know. */
export function countOrUnknown(count: number | null): string {
  return count === null ? 'unknown' : countWords(count);
}

/** `1 issue`, `12 open issues`; the plural ends with an s. */
export function countOf(count: number, one: string): string {
  return `${countWords(count)} ${count === 1 ? one : `${one}s`}`;
}
