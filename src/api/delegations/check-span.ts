import { millisecondsInDay } from 'date-fns/constants';
import type { TimeSpan } from '../../model/delegation.ts';
import { about, badRequest } from '../../model/error.ts';
import { isoMinute } from '../../time/iso-dates.ts';

/** The longest span that is surveyed, in days. */
export const MOST_DAYS = 400;

/** Refuses a span that is empty, or longer than anybody reads. */
export function checkSpan({ from, until }: TimeSpan): void {
  if (!(from < until)) {
    throw badRequest(
      about('until', `'${isoMinute(until)}' is not after from; allowed: a time after '${isoMinute(from)}'.`),
    );
  }
  if (until - from > MOST_DAYS * millisecondsInDay) {
    throw badRequest(
      about(
        'until',
        `'${isoMinute(until)}' is ${Math.ceil((until - from) / millisecondsInDay)} days after from; allowed: at most ${MOST_DAYS} days.`,
      ),
    );
  }
}
