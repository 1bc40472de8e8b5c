import type { Aging } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Provenance } from '../../model/table.ts';
import type { Told } from '../answers.ts';
import { dataEndsBefore } from './answer-provenance.ts';

/**
 * Whether there is nothing to say: no issue, nothing that waits, nothing finished and no time spent. Where nobody can
 * tell, or the data does not reach as far as the question does, that is to be said.
 */
export function isEmpty(told: Told): boolean {
  switch (told.kind) {
    case 'issue':
      return false;
    case 'report':
      return (
        (told.table.page?.total ?? told.table.provenance.issues) === 0 &&
        reaches(told.table.provenance, told.request.dateRange?.to ?? null)
      );
    case 'weekly': {
      const { finished, statuses, doubts, provenance } = told.weekly;
      return (
        finished.week === 0 &&
        statuses.every(({ within }) => within.week === 0) &&
        doubts.sinceUnknown.length + doubts.unclear.length + provenance.undecided === 0 &&
        reaches(provenance, told.weekly.week.end)
      );
    }
    case 'aging':
      return nothingWaits(told.aging);
    case 'mine':
      return nothingWaits(told.mine.own) && told.mine.covered.every(({ aging }) => nothingWaits(aging));
    case 'compare':
      return (
        told.comparison.issues.every((count) => count === 0) &&
        told.comparison.provenance.every((one) => one.undecided === 0 && reaches(one, null))
      );
  }
}

/** An issue of which nobody knows since when it waits, waits. */
function nothingWaits({ count, unknown, doubts, provenance }: Aging): boolean {
  return (
    count + unknown.length + doubts.unclear.length + provenance.undecided === 0 && reaches(provenance, null)
  );
}

function reaches(provenance: Pick<Provenance, 'asOf' | 'dataAsOf'>, until: Instant | null): boolean {
  return dataEndsBefore(until, provenance) === null;
}
