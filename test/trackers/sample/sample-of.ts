import { company } from '../../../src/trackers/sample/company.ts';
import { generateSample } from '../../../src/trackers/sample/generate-sample.ts';

const { statuses, users } = company;

/** An invented company and its work, with what they were made from. */
type Sample = ReturnType<typeof makeSample>;

const samples = new Map<string, Sample>();

/** The sample of a date such as `2026-08-20`; within a suite always the same object. */
export function sampleOf(date: string): Sample {
  const sample = samples.get(date) ?? makeSample(date);
  samples.set(date, sample);
  return sample;
}

/** Ids of the statuses in which an issue counts as finished. */
export function doneIds(): Set<string> {
  return new Set(statuses.filter(({ category }) => category === 'Done').map(({ id }) => id));
}

function makeSample(date: string) {
  const { world, ...sample } = generateSample({ seed: 7, today: Date.parse(date) });
  const { offices, absences, sprints } = world;
  return { ...sample, statuses, users, offices: Object.values(offices), absences, sprints };
}
