const LONGEST = 200;

/** A value as a message quotes it: whole where people can read it, cut (between characters) where they could not. */
export function shown(value: string): string {
  const text = value.toWellFormed();
  return text.length <= LONGEST ? text : `${[...text].slice(0, LONGEST).join('')}…`;
}
