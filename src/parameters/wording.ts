import type { z } from 'zod';
import { viewFormats } from '../output/duration-text.ts';
import { whyBadPattern } from '../time/java-dates.ts';
import { oneOf, text } from './parameter.ts';

const pattern = text.refine((given) => whyBadPattern(given) === null, {
  error: ({ input }) => whyBadPattern(String(input)) ?? undefined,
});

/** How figures and dates become text. */
export const wordingParameters = {
  viewFormat: oneOf(viewFormats).default('minutes').meta({ description: 'The unit of durations.' }),
  dayLength: oneOf(['24HourDays', 'businessDays'], { calendarDays: '24HourDays' })
    .default('24HourDays')
    .meta({
      description:
        'How long a day is where durations are told in days: 24 hours, or a working day of the calendar (of normalHours 24 hours). A calendar whose working days differ in length allows 24HourDays only.',
    }),
  dateFormat: pattern.optional().meta({
    description: 'Java date pattern for dates; without it the one of /rest/formatSettings.',
    examples: ['dd/MMM/yy'],
  }),
  dateTimeFormat: pattern.optional().meta({
    description: 'Java date pattern for dates with a time; without it the one of /rest/formatSettings.',
    examples: ['dd/MMM/yy h:mm a'],
  }),
};

/** The wording that was asked for, checked. */
export type AskedWording = z.output<z.ZodObject<typeof wordingParameters>>;
