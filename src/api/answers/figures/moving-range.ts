import { millisecondsInDay } from 'date-fns/constants';
import { about, badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MovingRange, When } from '../../../model/question.ts';
import type { DateRange, TimePeriod } from '../../../model/request.ts';
import { type Period, periodBack } from '../../../time/periods.ts';
import { isTimeZone } from '../../../time/zones.ts';

/** No tracker is older, and queries cannot write earlier dates. */
const EARLIEST = Date.UTC(1900, 0, 2);

const periods = { week: 'Week', month: 'Month', quarter: 'Quarter', year: 'Year' } as const;

/** The instant that a moving time refers to, and the zone of its days and weeks. */
export interface Standpoint {
  readonly asOf: Instant;
  readonly timeZone: string;
}

/** A moving range as of an instant; null where it is none or open at both ends. An unknown zone is `bad-request`. */
export function rangeOf(range: MovingRange | null, standpoint: Standpoint): DateRange | null {
  if (range === null) return null;
  const { from, to } = spanOf(range.when, standpoint);
  return from === null && to === null ? null : { field: range.field, from, to };
}

/**
 * The instants from (included) and to (excluded) that are meant; null is open. Days are 24 hours each, and end open:
 * an answer ends with its instant. An unknown zone is `bad-request`.
 */
function spanOf(when: When, { asOf, timeZone }: Standpoint): Pick<DateRange, 'from' | 'to'> {
  switch (when.by) {
    case 'days':
      return { from: Math.max(EARLIEST, asOf - when.days * millisecondsInDay), to: null };
    case 'period': {
      const { start, end } = periodIn(asOf, periods[when.period], timeZone, when.back);
      return { from: start, to: end };
    }
    case 'dates':
      return { from: when.from, to: when.to };
  }
}

/** `periodBack` in a zone of a request. An unknown zone is `bad-request`. */
export function periodIn(at: Instant, period: TimePeriod, timeZone: string, back: number): Period {
  if (!isTimeZone(timeZone)) {
    throw badRequest(
      about('timeZone', `'${timeZone}' is not known. Try: an IANA time zone, such as Europe/Berlin.`),
    );
  }
  return periodBack(at, period, timeZone, back);
}
