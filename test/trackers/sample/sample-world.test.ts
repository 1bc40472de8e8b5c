import { millisecondsInDay } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { shiftsBetween } from '../../../src/time/working-time.ts';
import { company, projectKeys } from '../../../src/trackers/sample/company.ts';
import { createClock, createWorld } from '../../../src/trackers/sample/sample-world.ts';
import { workflows } from '../../../src/trackers/sample/workflows.ts';
import { sampleOf } from './sample-of.ts';

const { offices } = createWorld(7, Date.parse('2026-06-01'));
const iso = (at: number | undefined) => new Date(at ?? Number.NaN).toISOString();

test('holidays follow Easter and the fourth Thursday of November', () => {
  expect(offices.Berlin.holidays.map(({ date }) => date)).toEqual(
    expect.arrayContaining(['2025-04-18', '2025-04-21', '2026-04-03', '2026-05-25']),
  );
  expect(offices['New York'].holidays.map(({ date }) => date)).toEqual(
    expect.arrayContaining(['2025-11-27', '2026-11-26', '2026-09-07']),
  );
  expect(offices['New York'].holidays.find(({ date }) => date === '2026-11-26')?.name).toBe('Thanksgiving');
});

test('office hours begin at local time on both sides of a clock change', () => {
  const berlin = shiftsBetween(offices.Berlin, Date.parse('2026-03-27'), Date.parse('2026-03-31'));
  expect([iso(berlin[0]?.start), iso(berlin[2]?.start)]).toEqual([
    '2026-03-27T08:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
  ]);
});

test('nobody has hours on a holiday', () => {
  expect(shiftsBetween(offices.Berlin, Date.parse('2026-04-03'), Date.parse('2026-04-07'))).toEqual([]);
});

const clock = createClock([
  { start: 100, end: 200 },
  { start: 300, end: 350 },
]);

test('after moves over what is not working time', () => {
  expect(clock.after(0, 10)).toBe(110);
  expect(clock.after(190, 30)).toBe(320);
  expect(clock.after(250, 50)).toBe(350);
  expect(clock.after(340, 11)).toBe(Infinity);
});

test('between counts working time only', () => {
  expect(clock.between(0, 1000)).toBe(150);
  expect(clock.between(150, 310)).toBe(60);
  expect(clock.between(200, 300)).toBe(0);
});

test('lastEnd is the end of the last stretch that is over', () => {
  expect(clock.lastEnd(199)).toBe(-Infinity);
  expect(clock.lastEnd(200)).toBe(200);
  expect(clock.lastEnd(900)).toBe(350);
});

test('after and between agree', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 340 }), fc.integer({ min: 1, max: 150 }), (from, work) => {
      const at = clock.after(from, work);
      if (at < Infinity) expect(clock.between(from, at)).toBe(work);
      else expect(clock.between(from, 1000)).toBeLessThan(work);
    }),
  );
});

test.each(projectKeys)(
  'every step of %s, the first ones included, leads to steps that there are',
  (project) => {
    const { urgentStart, starts } = company.projects[project];
    const steps = Object.values(workflows[project]);
    const ways = steps.flatMap(({ replacedBy, next = {} }) => [
      ...Object.keys(next),
      replacedBy ?? urgentStart,
    ]);
    const known = new Set(Object.keys(workflows[project]));
    expect([...ways, urgentStart, ...Object.keys(starts)].filter((name) => !known.has(name))).toEqual([]);
  },
);

test.each(projectKeys)('what ends in %s has a resolution', (project) => {
  const steps = Object.entries(workflows[project]).filter(([name]) => name !== 'over');
  const ending = steps.filter(([, step]) => step.in.category === 'Done');
  expect(ending.filter(([, { resolutions }]) => resolutions === undefined)).toEqual([]);
});

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
