import { z } from 'zod';
import { text } from '../../api/parameters/parameter.ts';
import { readInstant, wallTimeOf } from '../../time/date-text.ts';

/** `yyyy-MM-dd HH:mm:ss` on the wall clock of the server, in ms as if it were UTC. */
const serverDatetime = z
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

/** The parameters of every look-up besides the person. */
export const lookUpParameters = {
  category: text.meta({
    description:
      'general, or the name of a category, in any case. A named one is covered by general as well.',
    examples: ['general'],
  }),
  datetime: serverDatetime
    .optional()
    .describe(
      'The time to look at, yyyy-MM-dd HH:mm:ss in the time zone of the server; now if left out. A time that daylight saving skips is moved forward; of one that occurs twice, the first counts.',
    ),
};

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
