import { z } from 'zod';

// The message of a failure completes the sentence "name 'value' …"; what `meta` holds is JSON Schema.

/** One of several words, in any case. An alias stands for one of them and is accepted beside it. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  aliases: Readonly<Record<string, Words[number]>> = {},
) {
  const spellings = new Map(
    [...words.map((word) => [word, word] as const), ...Object.entries(aliases)].map(([spelled, word]) => [
      spelled.toLowerCase(),
      word,
    ]),
  );
  return z
    .string()
    .transform((text) => spellings.get(text.trim().toLowerCase()) ?? text)
    .pipe(z.enum(words, { error: () => `is not known. Try: ${words.join(', ')}` }))
    .meta({ type: 'string', enum: [...words, ...Object.keys(aliases)] });
}

/** `true` or `false`. */
export const flag = oneOf(['true', 'false'])
  .transform((word) => word === 'true')
  .meta({ type: 'boolean', enum: undefined });

/** A list of words separated by commas; blanks around them, empty ones and repeated ones do not count. */
export const words = z
  .string()
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    ),
  ])
  .meta({ type: 'array', items: { type: 'string' } });

/** A plain text; blanks around it do not count. */
export const text = z.string().trim().meta({ type: 'string' });

/** A text that is never repeated, neither in messages nor in logs; empty where none is sent. */
export function secret(description: string) {
  return text.default('').meta({ description, format: 'password' });
}

/** A whole number within bounds. */
export function wholeNumber(minimum: number, maximum: number) {
  return numeric(/^\d{1,15}$/, 'integer', { minimum, maximum }, 'a whole number');
}

/** A number within bounds, with a decimal point if need be. */
export function decimalNumber(minimum: number, maximum: number) {
  return numeric(/^\d{1,15}(\.\d{1,15})?$/, 'number', { minimum, maximum }, 'a number');
}

function numeric(
  pattern: RegExp,
  type: 'integer' | 'number',
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  what: string,
) {
  return z
    .string()
    .transform((given, context) => {
      const number = pattern.test(given.trim()) ? Number(given) : Number.NaN;
      if (number >= minimum && number <= maximum) return number;
      context.addIssue(`is not allowed. Try: ${what} from ${minimum} to ${maximum}`);
      return z.NEVER;
    })
    .meta({ type, minimum, maximum });
}

/** With seconds, or to the minute. */
const isoInstants = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

/** An instant in ISO 8601 with its offset, as epoch ms. */
export const instant = z
  .string()
  .transform((given, context) => {
    // A "+" that was not percent-encoded arrives as a blank.
    const parsed = isoInstants.safeParse(given.trim().replace(' ', '+'));
    if (parsed.success) return Date.parse(parsed.data);
    context.addIssue('is not an ISO 8601 instant with an offset. Try: 2026-01-05T09:30:00.000Z');
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });

/** An issue key such as WEB-12. */
export const issueKey = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_]*-\d+$/, {
    error: 'is not an issue key. Try: a project key, a hyphen and a number, such as WEB-12',
  })
  .meta({ description: 'The key of the issue.', examples: ['APP-350'] });

/** A parameter of another endpoint that must not be sent here: leaving it out unsaid would answer another question. */
export function notHere(reason: string) {
  return z
    .string()
    .refine(() => false, { error: reason })
    .optional()
    .meta({ not: {}, description: reason });
}

const MAX_LENGTH = 200;

/** A value as a message quotes it: whole where people can read it, cut (between characters) where they could not. */
export function shown(value: string): string {
  const text = value.toWellFormed();
  return text.length <= MAX_LENGTH ? text : `${[...text].slice(0, MAX_LENGTH).join('')}…`;
}
