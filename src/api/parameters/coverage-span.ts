import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { z } from 'zod';
import { MAX_COVERAGE_DAYS, type TimeSpan } from '../../model/delegation.ts';
import { about, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { periodAt } from '../../time/periods.ts';
import { beginning, ending, localDate } from './local-date.ts';

/** The years in which a delegation can be. */
const FIRST = Date.UTC(1970, 0);
const LAST = Date.UTC(9999, 11, 31, 23, 59);

const anyDate = localDate.refine(({ wall }) => wall >= FIRST && wall < LAST + millisecondsInMinute, {
  error: 'is out of range. Try: a date of the years 1970 to 9999',
});

/** The span of time that coverage is about. */
export const spanParameters = {
  from: anyDate.optional().meta({
    description:
      'Where the span begins: yyyy-MM-dd, yyyy-MM-dd HH:mm or yyyy-MM-dd HH:mm:00 in the time zone of the server. Without both ends: the running week from Monday on; without one: the week of the other.',
  }),
  to: anyDate.optional().meta({
    description:
      'Where it ends. A date without a time includes that whole day; one with a time ends at that very minute.',
  }),
};

type Input = z.output<z.ZodObject<typeof spanParameters>>;

/** The requested span; weeks are those of ISO 8601 in the zone. */
export function readSpan({ from, to }: Input, now: Instant, timeZone: string): TimeSpan {
  const start = from === undefined ? null : beginning(from, timeZone);
  const end = to === undefined ? null : ending(to, timeZone);
  const week = periodAt(start ?? (end === null ? now : end - 1), 'Week', timeZone);
  // The end of the last day would be in a year that ISO 8601 cannot write.
  const span = { from: start ?? week.start, until: Math.min(end ?? week.end, LAST) };
  if (span.until <= span.from)
    throw badRequestAs('conflicting-values', about('to', 'is not after from. Try: a later date.'));
  if (span.until - span.from > MAX_COVERAGE_DAYS * millisecondsInDay) {
    throw badRequest(about('to', `is too far from from. Try: at most ${MAX_COVERAGE_DAYS} days after it.`));
  }
  return span;
}
