import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import { about, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { readWallDate, type WallDate } from '../../time/date-text.ts';
import { instantOf } from '../../time/wall-clock.ts';

/** `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd HH:mm:00`, on a wall clock that is named elsewhere. */
export const localDate = z
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
export function beginning({ wall }: WallDate, timeZone: string): Instant {
  return instantOf(wall, timeZone);
}

/** The instant at which a span ends that a date is the last part of. */
export function ending({ wall, dateOnly }: WallDate, timeZone: string): Instant {
  return instantOf(dateOnly ? wall + millisecondsInDay : wall, timeZone);
}

function readDate(name: string, text: string): WallDate {
  const date = readWallDate(text);
  if (date !== null) return date;
  throw badRequest(about(name, `'${text}' is not a date. Try: yyyy-MM-dd or yyyy-MM-dd HH:mm.`));
}
