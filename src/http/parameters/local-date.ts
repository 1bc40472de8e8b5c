import { z } from 'zod';
import { NOT_A_DATE, wallTime } from '../local-time.ts';

/** `yyyy-MM-dd` or `yyyy-MM-dd HH:mm`, on a wall clock that is told elsewhere. */
export const localDate = z
  .string()
  .transform((given, context) => {
    const wall = wallTime(given);
    if (wall !== null) return wall;
    context.addIssue(NOT_A_DATE);
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18'] });
