import { z } from 'zod';

/** A status by id, as a text or a number, or by name. */
export const statusReference = z.union([
  z.string().trim().min(1).max(200),
  z.int().nonnegative().transform(String),
]);
