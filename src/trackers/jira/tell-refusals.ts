import type { TrackerEntry } from '../tracker.ts';

/** That a list has not been told to its end, once for all the refusals there were; nothing where there were none. */
export function tellRefusals(source: string, refusals: readonly string[]): TrackerEntry[] {
  const [first, ...others] = refusals;
  if (first === undefined) return [];
  const reason = others.length === 0 ? first : `${first} (and ${others.length} more like it)`;
  return [{ kind: 'unreadable', source, reason }];
}
