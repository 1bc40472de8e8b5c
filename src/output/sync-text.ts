import type { SyncProgress } from '../model/sync.ts';

/** The progress of a first fill: `12,300 of about 50,000 issues (24%)`, and without an estimate `12,300 issues so far`. */
export function fillText({ done, total }: Pick<SyncProgress, 'done' | 'total'>): string {
  const share = fillShare({ done, total });
  const progress = progressText({ done, total });
  return share === null ? `${progress} so far` : `${progress} (${share}%)`;
}

/** A sync whose last turn failed, within a sentence: `stopped at 0 issues`. */
export function stillText({ done, total }: Pick<SyncProgress, 'done' | 'total'>): string {
  return `stopped at ${progressText({ done, total })}`;
}

/** The progress of a fill, without its share: `12,300 of about 50,000 issues`. */
export function progressText({ done, total }: Pick<SyncProgress, 'done' | 'total'>): string {
  const of = total === null || total <= 0 ? '' : ` of about ${counted(Math.max(done, total))}`;
  return `${counted(done)}${of} ${of === '' && done === 1 ? 'issue' : 'issues'}`;
}

/** The share in whole percent, which are never 100 before the end; null without an estimate. */
export function fillShare({ done, total }: Pick<SyncProgress, 'done' | 'total'>): number | null {
  if (total === null || total <= 0) return null;
  // The estimate is the tracker's, and issues are created meanwhile.
  return Math.min(99, Math.floor((done / total) * 100));
}

/** A count with its thousands apart. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** That issues are hidden because their role restrictions were not read; null: there are none. */
export function unreadRolesText(count: number): string | null {
  if (count === 0) return null;
  const [were, them, files] =
    count === 1
      ? ['1 issue was', 'it', 'its file is']
      : [`${counted(count)} issues were`, 'them', 'their files are'];
  return `${were} read by a version of Dwell that did not know "restrict to roles". Until ${files} imported again (Jira is read again by itself), only admins, reporter and assignee see ${them}.`;
}
