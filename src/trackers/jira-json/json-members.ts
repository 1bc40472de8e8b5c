/** Stands for a member that Jira does not write like that; null and undefined are values. */
export const odd = Symbol('odd');
export type Odd = typeof odd;

/** A text; null or undefined where there is none. */
type OptionalText = string | null | undefined;

/** An object of JSON, which a list is not. */
export function isRecord(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

export function isNothing(raw: unknown): raw is null | undefined {
  return raw === null || raw === undefined;
}

/** Any other value than a text is none. */
export function textOf(raw: unknown): OptionalText {
  return typeof raw === 'string' || raw === undefined ? raw : null;
}

/** Some answers spell ids as numbers. */
export function idOf(raw: unknown): OptionalText | Odd {
  if (typeof raw === 'string' || isNothing(raw)) return raw;
  return Number.isFinite(raw) ? String(raw) : odd;
}
