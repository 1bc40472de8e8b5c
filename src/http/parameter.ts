import { z } from 'zod';

/** One of several words, in any case; the message of a failure completes the sentence "name 'value' …". */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z
    .string()
    .transform((text) => words.find((word) => word.toLowerCase() === text.trim().toLowerCase()) ?? text)
    .pipe(z.enum(words, { error: () => `is not known; allowed: ${words.join(', ')}` }));
}

/** `true` or `false`. */
export const flag = oneOf(['true', 'false']).transform((word) => word === 'true');

/** A list of words separated by commas; blanks around them and empty ones do not count. */
export const words = z.string().transform((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

/** An instant in ISO 8601 with its offset, as epoch ms. */
export const instant = z.string().transform((text, context) => {
  // A "+" that was not percent-encoded arrives as a blank.
  const parsed = z.iso.datetime({ offset: true }).safeParse(text.trim().replace(' ', '+'));
  if (parsed.success) return Date.parse(parsed.data);
  context.addIssue(
    'is not an ISO 8601 instant with an offset; allowed: for example 2026-01-05T09:30:00.000Z',
  );
  return z.NEVER;
});

const issueKeyPattern = /^[A-Z][A-Z0-9_]*-\d+$/i;

/** An issue key such as WEB-12. */
export const issueKey = z.string().trim().regex(issueKeyPattern, {
  error: 'is not an issue key; allowed: a project key, a hyphen and a number, such as WEB-12',
});
