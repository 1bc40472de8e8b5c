/** More of a value does not help to recognise it. */
const LONGEST_QUOTE = 60;

/** A value for a sentence, in quotes, its end left out when it is long. */
export function quoted(value: string): string {
  return `'${value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value}'`;
}
