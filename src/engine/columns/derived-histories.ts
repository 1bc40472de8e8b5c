/**
 * The field, of no tracker, that holds the keys of the issues that an issue is linked to as blocked by. Its history has no visits
 * of issues that never were.
 */
export const BLOCKERS = 'calc:blockers';

/** The field, of no tracker, whose history is that of a flag (its field) without the visits of issues that never had one. */
export function flagHistory(flag: string): string {
  return `${FLAG}${flag}`;
}

/** The flag behind a field of `flagHistory`; null of any other field. */
export function flagBehind(field: string): string | null {
  return field.startsWith(FLAG) ? field.slice(FLAG.length) : null;
}

const FLAG = 'calc:flag ';

/** Returns true of a field, of no tracker, that has a history alone. */
export function isDerived(field: string): boolean {
  return field === BLOCKERS || flagBehind(field) !== null;
}
