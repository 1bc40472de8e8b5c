import { generateSample, type Sample } from '../../../src/tracker/sample/generate-sample.ts';

export const DAY = 86_400_000;

/** The sample as told on a date such as `2026-08-20`. */
export function sampleOf(date: string, seed = 7): Sample {
  return generateSample({ seed, today: Date.parse(date) });
}

/** Ids of the statuses in which an issue counts as finished. */
export function doneIds(sample: Sample): Set<string> {
  return new Set(sample.statuses.filter(({ category }) => category === 'Done').map(({ id }) => id));
}
