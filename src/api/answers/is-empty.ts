import type { Aging } from '../../model/aging.ts';
import type { Told } from '../answers.ts';

/** Whether there is nothing to say: no issue, nothing that waits, nothing finished and no time spent. */
export function isEmpty(told: Told): boolean {
  switch (told.kind) {
    case 'issue':
      return false;
    case 'report':
      return (told.table.page?.total ?? told.table.provenance.issues) === 0;
    case 'weekly': {
      const { finished, statuses } = told.weekly;
      return finished.week === 0 && statuses.every(({ within }) => within.week === 0);
    }
    case 'aging':
      return nothingWaits(told.aging);
    case 'mine':
      return nothingWaits(told.mine.own) && told.mine.covered.every(({ aging }) => nothingWaits(aging));
    case 'compare':
      return told.comparison.issues.every((count) => count === 0);
  }
}

/** An issue of which nobody knows since when it waits, waits. */
function nothingWaits({ issues, unknown }: Aging): boolean {
  return issues.length === 0 && unknown.length === 0;
}
