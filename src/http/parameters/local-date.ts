import { z } from 'zod';
import { wallTime } from '../local-time.ts';

/** `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd HH:mm:00`, on a wall clock that is told elsewhere. */
export const localDate = z
  .string()
  .transform((given, context) => {
    const wall = wallTime(given.trim().replace(/( \d\d:\d\d):00$/, '$1'));
    if (wall !== null) return wall;
    context.addIssue(
      'is not a date, or not a whole minute; allowed: yyyy-MM-dd, yyyy-MM-dd HH:mm or yyyy-MM-dd HH:mm:00',
    );
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18'] });
