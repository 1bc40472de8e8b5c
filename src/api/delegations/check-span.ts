import type { TimeSpan } from '../../model/delegation.ts';
import { badFields } from '../../model/error.ts';
import { isoMinute } from './iso-minute.ts';

const DAY_MS = 86_400_000;

/** The longest span that is surveyed, in days. */
export const MOST_DAYS = 400;

/** Refuses a span that is empty, or longer than anybody reads. */
export function checkSpan({ from, until }: TimeSpan): void {
  if (!(from < until)) {
    throw badFields({
      until: `until '${isoMinute(until)}' is not after from; allowed: a time after '${isoMinute(from)}'.`,
    });
  }
  if (until - from > MOST_DAYS * DAY_MS) {
    throw badFields({
      until: `until '${isoMinute(until)}' is ${Math.ceil((until - from) / DAY_MS)} days after from; allowed: at most ${MOST_DAYS} days.`,
    });
  }
}
