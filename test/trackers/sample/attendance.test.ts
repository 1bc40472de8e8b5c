import { millisecondsInDay } from 'date-fns/constants';
import { expect, test } from '#jest';
import { shiftsBetween } from '../../../src/time/working-time.ts';
import { company } from '../../../src/trackers/sample/company.ts';
import { sampleOf } from './sample-of.ts';

const today = Date.parse('2026-08-20');
const sample = sampleOf('2026-08-20');
const absencesOf = Map.groupBy(sample.absences, ({ who }) => who);

/** Who did something when: creations and changes. */
const deeds = sample.issues.flatMap((issue) => {
  const reporter = issue.fields.reporter;
  const who = typeof reporter === 'object' && reporter !== null && 'id' in reporter ? reporter.id : null;
  return [{ who, at: issue.created }, ...issue.changes.map(({ by, at }) => ({ who: by, at }))];
});

test('nobody does anything while away', () => {
  expect(sample.absences.length).toBeGreaterThan(80);
  const whileAway = deeds.filter(({ who, at }) =>
    absencesOf.get(who ?? '')?.some(({ start, end }) => start <= at && at < end),
  );
  expect(whileAway).toEqual([]);
});

test('absences of a person follow each other, and somebody else covers', () => {
  for (const absences of absencesOf.values()) {
    for (const [i, absence] of absences.entries()) {
      expect(absence.end).toBeGreaterThan(absence.start);
      expect(absence.cover).not.toBe(absence.who);
      expect(absence.start).toBeGreaterThan(absences[i - 1]?.end ?? 0);
    }
  }
});

test('most is done within the working hours of whoever does it', () => {
  const hours = new Map(
    sample.offices.map((office) => [
      office.name,
      shiftsBetween(office, today - 650 * millisecondsInDay, today),
    ]),
  );
  const office = new Map(company.people.map((person) => [person.id, person.office]));
  const own = deeds.filter(({ who }) => office.has(who ?? ''));
  const inHours = own.filter(({ who, at }) =>
    hours.get(office.get(who ?? '') ?? '')?.some(({ start, end }) => start <= at && at <= end),
  );

  expect(own.length / deeds.length).toBeGreaterThan(0.85);
  expect(inHours.length / own.length).toBeGreaterThan(0.9);
  expect(inHours.length).toBeLessThan(own.length);
});
