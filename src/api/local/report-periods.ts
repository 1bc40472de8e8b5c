import type { Trim } from '../../engine/timeline.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { TimePeriod } from '../../model/request.ts';
import { type Period, periodAt } from '../../time/periods.ts';

/** A wider table helps nobody, and grows with the number of issues as well. */
const MOST_PERIODS = 1000;

/** All periods, adjoining, in which the issues lived, as far as the trim window shows it. */
export function reportPeriods(
  issues: readonly Issue[],
  period: TimePeriod,
  { asOf, trim, timeZone }: { readonly asOf: Instant; readonly trim: Trim; readonly timeZone: string },
): Period[] {
  const born = issues.reduce((earliest, { created }) => Math.min(earliest, created), asOf);
  const from = Math.max(born, trim.from ?? born);
  const until = Math.min(asOf, trim.to ?? asOf);
  const periods: Period[] = [];
  for (let at = from; at <= until || periods.length === 0; ) {
    const next = periodAt(at, period, timeZone);
    periods.push(next);
    if (periods.length > MOST_PERIODS) {
      throw badRequest(
        `timePeriod '${period}' makes more than ${MOST_PERIODS} periods; allowed: a longer period, or a window set by trimHistoryStartDate and trimHistoryEndDate.`,
      );
    }
    at = next.end;
  }
  return periods;
}
