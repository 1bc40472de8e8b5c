import { z } from 'zod';
import { readInstant } from '../../time/date-text.ts';

/** No clock has shown the year 0, and none is further than 18 hours from UTC. */
const wholeMinute = /^(?!0000)[\d-]+T\d\d:\d\d(?::00(?:\.0{1,9})?)?(?:Z|[+-](?:0\d|1[0-8]):?\d\d)$/i;

/** An instant of a JSON body in ISO 8601 with its offset, a whole minute, as epoch ms. */
export const jsonMinute = z
  .string()
  .transform((given, context) => {
    const read = wholeMinute.test(given.trim()) ? readInstant(given.trim()) : null;
    if (read !== null) return read.instant;
    context.addIssue(
      'is not a whole minute in ISO 8601 with an offset. Try: for example 2024-12-18T18:00Z or 2024-12-18T18:00+03:00',
    );
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18T18:00Z'] });
