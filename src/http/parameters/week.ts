import { millisecondsInWeek } from 'date-fns/constants';
import type { z } from 'zod';
import { badRequest } from '../../model/error.ts';
import type { WeeklyQuestion } from '../../model/question.ts';
import { periodAt } from '../../time/periods.ts';
import { firstInstantFrom, isTimeZone } from '../../time/zone.ts';
import { text } from '../parameter.ts';

const HALF_DAY_MS = 43_200_000;

/** Which week is told, and by whose clocks. */
export const weekParameters = {
  week: text
    .transform((given) => given.toUpperCase())
    .refine((given) => given === 'LAST' || given === 'THIS' || /^(19|2\d)\d\d-W\d\d$/.test(given), {
      error: 'is no week; allowed: last, this, or an ISO week such as 2026-W46',
    })
    .default('LAST')
    .meta({
      default: 'last',
      description: 'last: the last whole ISO week; this: the running one; or any, such as 2026-W46.',
      examples: ['last', 'this', '2026-W46'],
    }),
  timeZone: text
    .refine(isTimeZone, { error: 'is not known; allowed: an IANA time zone, such as Europe/Berlin' })
    .optional()
    .meta({
      description: 'The IANA time zone whose Mondays begin the weeks; without it that of the asker.',
      examples: ['Europe/Berlin'],
    }),
};

/** The week meant by the clocks of a zone. */
export function readWeek(
  { week }: z.output<z.ZodObject<typeof weekParameters>>,
  timeZone: string,
): WeeklyQuestion['week'] {
  if (week === 'LAST') return 'last';
  if (week === 'THIS') return 'this';
  const [year, number] = [Number(week.slice(0, 4)), Number(week.slice(6))];
  // The fourth of January lies in the first week of its year, and noon of it does in every zone.
  const wall = Date.UTC(year, 0, 4) + HALF_DAY_MS + (number - 1) * millisecondsInWeek;
  const { id, start } = periodAt(firstInstantFrom(wall, timeZone), 'Week', timeZone);
  if (id === week) return start;
  throw badRequest(`week '${week}' is none of ${year}; allowed: ${lastWeekOf(year)} and those before it.`);
}

/** The 28th of December lies in the last week of its year. */
function lastWeekOf(year: number): string {
  return periodAt(Date.UTC(year, 11, 28), 'Week', 'UTC').id;
}
