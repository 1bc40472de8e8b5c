import type { Instant } from '../../model/issue.ts';

/** The instants from `from` on that lie before `until`, in whole ms. */
export interface Window {
  readonly from: Instant;
  readonly until: Instant;
}

export const always: Window = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

export function intersect(a: Window, b: Window): Window {
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) };
}

/** Whether some instant lies in both. */
export function overlap(a: Window, b: Window): boolean {
  return Math.max(a.from, b.from) < Math.min(a.until, b.until);
}
