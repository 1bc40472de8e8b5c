import { z } from 'zod';

/** The id of something that is kept under a number; `what` is what it is called. */
export function recordId(what: string) {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: `is not the id of a ${what}. Try: a whole number` })
    .transform(Number)
    .meta({ type: 'integer', description: `Id of the ${what}.` });
}
