import { z } from 'zod';

/** The address of a service over HTTP, without a slash at the end. */
export const address = z
  .url({ protocol: /^https?$/, error: 'Try: an address such as https://dwell.example.com' })
  .refine((url) => !/[?#]/.test(url), { error: 'Try: an address without ? and #' })
  .refine((url) => !namesUser(url), {
    error: 'Try: an address without a user and a password, which have settings of their own',
  })
  .transform((url) => url.replace(/\/+$/, ''));

/** Marks a setting whose value no message may repeat. */
export const unquotable = { isSecret: true };

/** A secret that is sent in a header as it is. */
export const secret = z
  .string()
  .regex(/^[!-~]+$/, { error: 'Try: a token of ASCII characters without blanks' })
  .optional()
  .meta(unquotable);

/** One of a few words. */
export function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, { error: `Try: ${values.join(', ')}` });
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number) {
  const error = `Try: a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error });
}

/** Addresses are part of sentences and logs, where a password must not be. */
function namesUser(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
