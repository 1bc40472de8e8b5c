import { z } from 'zod';

/** What a process with a reference is started with: the folder of a world's columns, and names of questions. */
interface ReferenceJob {
  readonly columns: string;
  readonly questions: readonly string[];
}

const job = z.object({ columns: z.string(), questions: z.array(z.string()) });

export function readReferenceJob(given: unknown): ReferenceJob {
  return job.parse(given);
}

/** What came of one question. `rows`: the first of the answer, for holding against those of others. */
export const referenceFound = z.object({
  name: z.string(),
  first: z.number(),
  least: z.number(),
  median: z.number(),
  most: z.number(),
  repeats: z.number(),
  cpu: z.number().nullable(),
  peakMb: z.number(),
  rows: z.array(z.array(z.number())).optional(),
});

export type ReferenceFound = z.output<typeof referenceFound>;
