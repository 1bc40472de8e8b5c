import type { SyncStatus } from './sync.ts';

/** How far a first fill is: `12,300 of about 50,000 issues (24 %)`, and without an estimate `12,300 issues so far`. */
export function fillText({ done, total }: Pick<SyncStatus, 'done' | 'total'>): string {
  const share = fillShare({ done, total });
  if (total === null || share === null) return `${counted(done)} ${done === 1 ? 'issue' : 'issues'} so far`;
  return `${counted(done)} of about ${counted(Math.max(done, total))} issues (${share} %)`;
}

/** The same in whole percent, which are never 100 before the end; null where nobody can estimate. */
export function fillShare({ done, total }: Pick<SyncStatus, 'done' | 'total'>): number | null {
  if (total === null || total <= 0) return null;
  // The estimate is the tracker's, and issues are created meanwhile.
  return Math.min(99, Math.floor((done / total) * 100));
}

/** A count with its thousands apart. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}
