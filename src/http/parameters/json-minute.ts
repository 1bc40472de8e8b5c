import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { wallClock } from '../local-time.ts';

const pattern =
  /^(?!0000)(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::00(?:\.0{1,9})?)?(?:Z|([+-])(0\d|1[0-8]):?([0-5]\d))$/i;

/** An instant of a JSON body in ISO 8601 with its offset, a whole minute, as epoch ms. */
export const jsonMinute = z
  .string()
  .transform((given, context) => {
    const [, year, month, day, hour, minute, sign, hours = 0, minutes = 0] = pattern.exec(given.trim()) ?? [];
    const wall = wallClock([year, month, day, hour, minute].map(Number));
    const ahead = (Number(hours) * 60 + Number(minutes)) * millisecondsInMinute;
    if (wall !== null) return sign === '-' ? wall + ahead : wall - ahead;
    context.addIssue(
      'is not a whole minute in ISO 8601 with an offset; allowed: for example 2024-12-18T18:00Z or 2024-12-18T18:00+03:00',
    );
    return z.NEVER;
  })
  .meta({ type: 'string', examples: ['2024-12-18T18:00Z'] });
