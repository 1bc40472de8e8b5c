import type { Running } from './build-dwell.ts';
import { fillShare, fillText } from './output/sync-text.ts';

/** Whose issues a started Dwell tells of. */
export function toldOf({ tracker, empty, sync }: Pick<Running, 'tracker' | 'empty' | 'sync'>): string {
  switch (tracker) {
    case 'jira':
      if (sync === null) return 'the issues of Jira (the first fill begins)';
      return `the issues of ${sync.site}${sync.filled ? '' : ` (first fill: ${filledText(sync)})`}`;
    case 'hosted':
      return 'what the hosted service tells (TIS_BASE_URL)';
    default:
      if (empty) return 'no issues yet: import some';
      return tracker === 'sample' ? 'an invented company (TRACKER=sample)' : 'the imported issues';
  }
}

function filledText(sync: NonNullable<Running['sync']>): string {
  const share = fillShare(sync);
  return share === null ? fillText(sync) : `${share} %`;
}
