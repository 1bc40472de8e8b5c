import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { MAX_COVERAGE_DAYS, type TimeSpan } from '../../model/delegation.ts';
import { about, badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import { isoText, readWallDate, type WallDate } from '../../time/date-text.ts';
import { isoWeek, lastWeekOf, periodAt } from '../../time/periods.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { isTimeZone } from '../../time/zones.ts';
import { instant, text } from './parameter.ts';

/** `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd HH:mm:00`, on a wall clock that is named elsewhere. */
const localDate = z
  .string()
  .transform((given, context) => {
    const date = readWallDate(given.trim().replace(/( \d\d:\d\d):00$/, '$1'));
    if (date !== null) return date;
    context.addIssue(
      'is not a date, or not a whole minute. Try: yyyy-MM-dd, yyyy-MM-dd HH:mm or yyyy-MM-dd HH:mm:00',
    );
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18'] });

/** `yyyy-MM-dd` or `yyyy-MM-dd HH:mm` read in a zone; a missing time is 00:00. */
export function localTime(name: string, text: string, timeZone: string): Instant {
  return beginning(readDate(name, text), timeZone);
}

/** Reads the end of a span, which is outside the span: a date without a time means the end of that day. */
export function localEnd(name: string, text: string, timeZone: string): Instant {
  return ending(readDate(name, text), timeZone);
}

/** The instant of a date in a zone. */
function beginning({ wall }: WallDate, timeZone: string): Instant {
  return instantOf(wall, timeZone);
}

/** The instant at which a span ends that a date is the last part of. */
function ending({ wall, dateOnly }: WallDate, timeZone: string): Instant {
  return instantOf(dateOnly ? wall + millisecondsInDay : wall, timeZone);
}

function readDate(name: string, text: string): WallDate {
  const date = readWallDate(text);
  if (date !== null) return date;
  throw badRequest(about(name, `'${text}' is not a date. Try: yyyy-MM-dd or yyyy-MM-dd HH:mm.`));
}

/** The parameters that trim histories. */
export const windowParameters = {
  trimHistoryStartDate: text.optional().meta({
    description:
      'The history before this counts as if the issue had been created then: yyyy-MM-dd or yyyy-MM-dd HH:mm in the time zone of the user; a missing time is 00:00.',
  }),
  trimHistoryEndDate: text.optional().meta({
    description: 'The history from this on counts as if the issue had gone then; a missing time is 00:00.',
  }),
  asOf: instant.optional().meta({
    description: 'Answer as the world was at this instant (ISO 8601 with an offset, not in the future).',
  }),
};

/** The window of history, read in a zone, and the instant that is spoken of. */
export function readWindow(
  {
    trimHistoryStartDate: start,
    trimHistoryEndDate: end,
    asOf,
  }: z.output<z.ZodObject<typeof windowParameters>>,
  { now, timeZone }: { readonly now: Instant; readonly timeZone: string },
): Pick<ReportRequest, 'asOf' | 'trim'> {
  if (asOf !== undefined && asOf > now) {
    throw badRequest(about('asOf', `'${isoText(asOf)}' is in the future. Try: any instant up to now.`));
  }
  const from = start === undefined ? null : localTime('trimHistoryStartDate', start, timeZone);
  const to = end === undefined ? null : localTime('trimHistoryEndDate', end, timeZone);
  if (from !== null && to !== null && to <= from) {
    throw badRequestAs(
      'conflicting-values',
      about('trimHistoryEndDate', `'${end}' is not after trimHistoryStartDate '${start}'.`),
    );
  }
  return { asOf: asOf ?? null, trim: { from, to } };
}

/** The parameters of a week and the zone of its days. */
export const weekParameters = {
  week: text
    .transform((given) => given.toUpperCase())
    .refine((given) => given === 'LAST' || given === 'THIS' || /^(19|2\d)\d\d-W\d\d$/.test(given), {
      error: 'is not a week. Try: last, this, or an ISO week such as 2026-W46',
    })
    .default('LAST')
    .meta({
      default: 'last',
      description: 'last: the last whole ISO week; this: the running one; or any, such as 2026-W46.',
      examples: ['last', 'this', '2026-W46'],
    }),
  timeZone: text
    .refine(isTimeZone, { error: 'is not known. Try: an IANA time zone, such as Europe/Berlin' })
    .optional()
    .meta({
      description: 'The IANA time zone whose Mondays begin the weeks; without it yours.',
      examples: ['Europe/Berlin'],
    }),
};

/** The week meant by the clocks of a zone: one of the two words, or the instant it starts. */
export function readWeek(week: string, timeZone: string): 'last' | 'this' | Instant {
  if (week === 'LAST') return 'last';
  if (week === 'THIS') return 'this';
  const year = Number(week.slice(0, 4));
  const found = isoWeek(year, Number(week.slice(6)), timeZone);
  if (found !== null) return found.start;
  throw badRequest(
    about('week', `'${week}' is none of ${year}. Try: ${lastWeekOf(year)} and those before it.`),
  );
}

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

/** The requested span; weeks are those of ISO 8601 in the zone. */
export function readSpan(
  { from, to }: z.output<z.ZodObject<typeof spanParameters>>,
  now: Instant,
  timeZone: string,
): TimeSpan {
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
