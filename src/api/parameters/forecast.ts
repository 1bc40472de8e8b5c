import type { z } from 'zod';
import { about, badRequestAs } from '../../model/error.ts';
import { readIsoDay } from '../../time/date-text.ts';
import { text, wholeNumber } from './parameter.ts';
import { present } from './saved-report.ts';

/** More issues are finished by no team in five years. */
export const MAX_COUNT = 100_000;
/** Larger numbers are not exact in every language. */
const MAX_SEED = 2 ** 48 - 1;

/** The parameters of a forecast beside its issues. */
export const forecastParameters = {
  count: wholeNumber(1, MAX_COUNT)
    .optional()
    .meta({
      description: 'When so many issues are finished; without it, and without until, all that are open.',
      examples: [20],
    }),
  until: text
    .refine((given) => readIsoDay(given) !== null, { error: 'is not a date. Try: yyyy-MM-dd' })
    .optional()
    .meta({
      description: 'How many issues are finished by the end of this day (yyyy-MM-dd), instead of when.',
      examples: ['2026-12-24'],
      format: 'date',
    }),
  seed: wholeNumber(0, MAX_SEED).optional().meta({
    description: 'The same seed draws the same; without it, it follows from the question and the day.',
  }),
};

/** The number or the day of a question, where the parameters go together. */
export function forecastOf({ count, until, seed }: z.output<z.ZodObject<typeof forecastParameters>>) {
  if (count !== undefined && until !== undefined) {
    throw badRequestAs('conflicting-values', about('until', 'cannot be used with count. Try: one of them.'));
  }
  return present({ issues: count, until, seed });
}
