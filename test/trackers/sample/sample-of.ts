import { generateSample, type Sample } from '../../../src/trackers/sample/generate-sample.ts';

export const DAY = 86_400_000;

const told = new Map<string, Sample>();

/** The sample as told on a date such as `2026-08-20`; within a suite always the same object. */
export function sampleOf(date: string): Sample {
  const sample = told.get(date) ?? generateSample({ seed: 7, today: Date.parse(date) });
  told.set(date, sample);
  return sample;
}

/** Ids of the statuses in which an issue counts as finished. */
export function doneIds(sample: Sample): Set<string> {
  return new Set(sample.statuses.filter(({ category }) => category === 'Done').map(({ id }) => id));
}
