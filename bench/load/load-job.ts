import { z } from 'zod';

/**
 * The load of one phase: `perSecond` requests begin in a second, whether or not others were answered (open loop), or,
 * with `workers`, each of so many sends the next request once it has the answer to the one before (closed loop).
 */
export const loadJob = z.object({
  url: z.string(),
  tokens: z.array(z.string()),
  issues: z.number(),
  seed: z.number(),
  forMs: z.number(),
  perSecond: z.number().optional(),
  workers: z.number().optional(),
  withExports: z.boolean(),
});
export type LoadJob = z.output<typeof loadJob>;

/**
 * What came of the requests of a class: times are in ms from the moment a request was due. `broken` were neither answered
 * nor refused in time.
 */
const classFound = z.object({
  sent: z.number(),
  answeredMs: z.array(z.number()),
  refusedMs: z.array(z.number()),
  broken: z.array(z.string()),
});
export const loadFound = z.object({
  small: classFound,
  large: classFound,
  /** Ids of the exports that were accepted, each after the number of its token. */
  exports: z.array(z.tuple([z.number(), z.string()])),
  /** Refusals without a header that says when to come back. */
  withoutRetryAfter: z.number(),
  /** The last answer came so long (ms) after the last request was due. */
  drainMs: z.number(),
});
export type LoadFound = z.output<typeof loadFound>;
