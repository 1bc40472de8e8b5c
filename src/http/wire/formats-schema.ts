import { z } from 'zod';
import { type DateFormats, defaultDateFormats } from '../../model/settings.ts';

/** The patterns in which dates are written; both are always told. */
export const formatsSchema = z
  .object({
    dateFormat: z.string().meta({ description: 'Java date pattern.', examples: ['dd/MMM/yy'] }),
    dateTimeFormat: z.string().meta({ description: 'Java date pattern.', examples: ['dd/MMM/yy h:mm a'] }),
  })
  .meta({ id: 'Formats', examples: [defaultDateFormats] }) satisfies z.ZodType<DateFormats>;
