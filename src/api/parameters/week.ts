import { about, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { isoWeek, lastWeekOf } from '../../time/periods.ts';
import { isTimeZone } from '../../time/zones.ts';
import { text } from './parameter.ts';

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
