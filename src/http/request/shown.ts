const LONGEST = 200;

/** A value as a message quotes it: whole where people can read it, cut where they could not. */
export function shown(value: string): string {
  return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}…`;
}
