/** The formats of files as people type and choose them. */
export const formats = ['xlsx', 'xls', 'csv', 'json'] as const;
/** One of them. */
export type Format = (typeof formats)[number];

/** The units durations in files can have. */
export const units = ['hours', 'days', 'minutes', 'seconds'] as const;
/** One of them. */
export type Unit = (typeof units)[number];

/** What a word means, whatever its case; undefined where it is none of them. */
export function oneOf<T extends string>(allowed: readonly T[], word: string | undefined): T | undefined {
  return allowed.find((one) => one === word?.toLowerCase());
}
