import { z } from 'zod';
import { wallTimeOf } from '../../time/date-text.ts';

/** `yyyy-MM-dd HH:mm:ss` on the wall clock of the server, in ms as if it were UTC. */
export const serverDatetime = z
  .string()
  .transform((given, context) => {
    const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(given.trim()) ?? [];
    // No clock has shown the year 0.
    const wall = Number(parts[0]) > 0 ? wallTimeOf(parts.map(Number)) : null;
    if (wall !== null) return wall;
    context.addIssue('is not a date with a time. Try: yyyy-MM-dd HH:mm:ss');
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18 18:00:00'] });
