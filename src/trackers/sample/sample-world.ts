import { millisecondsInDay, millisecondsInHour, millisecondsInWeek } from 'date-fns/constants';
import type { FieldValue, Instant } from '../../model/issue.ts';
import type { CalendarDefinition, Holiday } from '../../model/settings.ts';
import { isoDay } from '../../time/date-text.ts';
import { weekdayOf, yearOf } from '../../time/wall-clock.ts';
import { type Interval, shiftsBetween } from '../../time/working-time.ts';
import { offsetAt } from '../../time/zones.ts';
import { company, type ProjectKey } from './company.ts';
import type { OfficeName } from './offices.ts';
import { createRandom } from './random.ts';

const MONTHS = 19;
const SPRINT_LENGTH = 2 * millisecondsInWeek;

interface Leave extends Interval {
  readonly who: string;
  readonly reason: 'vacation' | 'illness';
}

/** The absence of a person, from one local midnight to another; `cover` takes over urgent work. */
type Absence = Leave & { readonly cover: string };
type Offices = Readonly<Record<OfficeName, CalendarDefinition>>;

export type World = ReturnType<typeof createWorld>;

/**
 * All that does not depend on a single issue, as of a day. It begins with a month, so that within a month tomorrow's
 * world continues today's. `from` and `today` are UTC midnights between which everything happens; of what is planned,
 * that much is shown which begins before `plannedUntil`. Sprints of the web team run from the beginning on.
 */
export function createWorld(seed: number, today: Instant) {
  const from = Date.UTC(yearOf(today), new Date(today).getUTCMonth() - MONTHS, 1);
  const plannedUntil = today + 120 * millisecondsInDay;
  const [firstYear, lastYear] = [yearOf(from), yearOf(plannedUntil)];
  const offices = createOffices(firstYear, lastYear);
  const absences = planAbsences(seed, yearsBetween(firstYear - 1, lastYear + 1)).filter(
    (absence) => absence.end > from && absence.start < plannedUntil,
  );
  const sprints: (Interval & { value: FieldValue })[] = [];
  // Half past eight UTC on a Monday: mid-morning in Berlin all year round.
  const monday = from - weekdayOf(from) * millisecondsInDay - millisecondsInWeek;
  for (let start = monday + 8.5 * millisecondsInHour; start < today + SPRINT_LENGTH; start += SPRINT_LENGTH) {
    const id = String(sprints.length + 1);
    sprints.push({ value: { id, name: `WEB Sprint ${id}` }, start, end: start + SPRINT_LENGTH });
  }
  const attendance = createAttendance(offices, absences, { start: from, end: today + millisecondsInDay });
  // The instant at which the web team abandoned its status Analysis.
  const analysisGone = from + 252 * millisecondsInDay + 7.5 * millisecondsInHour;
  return { seed, from, today, plannedUntil, offices, absences, attendance, sprints, analysisGone };
}

function yearsBetween(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** All offices, with the holidays of the years from `firstYear` to `lastYear`, both included. */
function createOffices(firstYear: number, lastYear: number): Offices {
  const years = yearsBetween(firstYear, lastYear);
  const open = (name: OfficeName): CalendarDefinition => {
    const { holidays: rules, ...office } = company.offices[name];
    const byDate = (a: Holiday, b: Holiday) => (a.date < b.date ? -1 : 1);
    const inYear = (year: number) =>
      Object.entries(rules)
        .map(([name, dayIn]) => ({ name, date: isoDay(dayIn(year)), recurring: false }))
        .sort(byDate);
    return { ...office, holidays: years.flatMap(inYear) };
  };
  return { Berlin: open('Berlin'), 'New York': open('New York'), 'Service desk': open('Service desk') };
}

/** The beginning of the local day of this date, by the offset at noon: clocks change at night. */
export function localMidnight(timeZone: string, day: Instant): Instant {
  return day - offsetAt(day + millisecondsInDay / 2, timeZone);
}

/** The absences of all people in some years, by beginning; no person has two at once. */
function planAbsences(seed: number, years: readonly number[]): Absence[] {
  const leaves = company.people.flatMap((person, index) => {
    const taken: Leave[] = [];
    // By turns, so that every team has a person present at the turn of the year.
    const leaves = years.flatMap((year) => leavesOf(person.id, seed, year, (index + year) % 4 !== 0));
    for (const leave of leaves.sort((a, b) => a.start - b.start))
      if (leave.start > (taken.at(-1)?.end ?? -Infinity)) taken.push(leave);
    const midnight = (day: Instant) => localMidnight(company.offices[person.office].timeZone, day);
    return taken.map((leave) => ({ ...leave, start: midnight(leave.start), end: midnight(leave.end) }));
  });
  /** The first of the team who is there all the time, those of the same duty before others. */
  const coverOf = (leave: Leave) => {
    const away = new Set(leaves.filter((other) => overlap(other, leave)).map(({ who }) => who));
    const person = company.people.find(({ id }) => id === leave.who);
    return person?.covers.find((id) => !away.has(id)) ?? person?.next ?? leave.who;
  };
  return leaves
    .map((leave) => ({ ...leave, cover: coverOf(leave) }))
    .sort((a, b) => a.start - b.start || (a.who < b.who ? -1 : 1));
}

/** One person's year in whole days: weeks in spring and summer, most turns of the year, a few colds. */
function leavesOf(who: string, seed: number, year: number, turnOfYear: boolean): Leave[] {
  const random = createRandom(seed, 'absence', who, year);
  const leaves: Leave[] = [];
  const dayOfYear = (min: number, max: number) => Date.UTC(year, 0, 1 + random.whole(min, max));
  const leave = (start: Instant, days: number, reason: Leave['reason']) =>
    leaves.push({ who, start, end: start + days * millisecondsInDay, reason });
  // From Saturday on: the weekend before a vacation is part of it.
  const weeks = (from: Instant, count: number) =>
    leave(from - ((weekdayOf(from) + 2) % 7) * millisecondsInDay, count * 7 + 2, 'vacation');
  weeks(dayOfYear(165, 235), random.whole(2, 3));
  weeks(dayOfYear(40, 140), 1);
  if (random.chance(0.5)) weeks(dayOfYear(270, 325), 1);
  if (turnOfYear) {
    const december = random.whole(19, 23);
    leave(Date.UTC(year, 11, december), 31 - december + random.whole(2, 6), 'vacation');
  }
  for (let colds = random.count(1.8); colds > 0; colds -= 1)
    leave(dayOfYear(0, 364), random.whole(1, 4), 'illness');
  return leaves;
}

function overlap(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The attendance between two UTC midnights; beyond them no person works, but the automation always does. */
function createAttendance(offices: Offices, absences: readonly Absence[], { start, end }: Interval) {
  const awayOf = Map.groupBy(absences, ({ who }) => who);
  const hours = {
    Berlin: shiftsBetween(offices.Berlin, start, end),
    'New York': shiftsBetween(offices['New York'], start, end),
  };
  const clocks = new Map(
    company.people.map(({ id, office }) => {
      const away = awayOf.get(id) ?? [];
      // Absences begin and end at night, so no stretch of work is touched in part.
      return [id, createClock(hours[office].filter((span) => !away.some((other) => overlap(span, other))))];
    }),
  );
  const always = createClock([{ start: start - millisecondsInWeek, end }]);
  const absenceOf = (who: string, at: Instant) =>
    awayOf.get(who)?.find((absence) => absence.start <= at && at < absence.end);
  const firstThere = (ids: readonly string[], at: Instant) =>
    ids.find((id) => absenceOf(id, at) === undefined) ?? 'automation';
  const desk = company.projects.OPS.team.all;
  /** The person, or the one who covers while they are away: the cover, a team mate, at last automation. */
  const standIn = (who: string, at: Instant): string => {
    const cover = absenceOf(who, at)?.cover;
    if (cover === undefined) return who;
    const project = company.people.find(({ id }) => id === who)?.project ?? 'OPS';
    return firstThere([cover, ...company.projects[project].team.all], at);
  };
  return {
    clock: (who: string): Clock => clocks.get(who) ?? always,
    standIn,
    leadOf: (project: ProjectKey, at: Instant) => standIn(company.projects[project].lead, at),
    /** The person's first absence of at least `days` days that begins within the span. */
    longAbsence: (who: string, within: Interval, days: number) => {
      const isLong = (one: Interval) => one.end - one.start >= days * millisecondsInDay;
      const begun = awayOf.get(who)?.filter(({ start }) => within.start <= start && start < within.end);
      return begun?.find(isLong);
    },
    /** Those who are not away, or all of them if all are. */
    present: (ids: readonly string[], at: Instant) => {
      const there = ids.filter((id) => absenceOf(id, at) === undefined);
      return there.length > 0 ? there : ids;
    },
    /** The person on call at night and on weekends; turns change weekly. */
    onCall: (at: Instant) => {
      const turn = Math.floor(at / millisecondsInWeek) % desk.length;
      return firstThere([...desk.slice(turn), ...desk.slice(0, turn)], at);
    },
  };
}

/** One person's own working time, absences left out. */
type Clock = ReturnType<typeof createClock>;

/** Compiles ordered spans into a clock; with running sums every question is one binary search. */
export function createClock(spans: readonly Interval[]) {
  const starts = spans.map(({ start }) => start);
  const ends = spans.map(({ end }) => end);
  const worked = [0];
  for (const { start, end } of spans) worked.push((worked.at(-1) ?? 0) + end - start);
  const workedUntil = (at: Instant): number => {
    const i = countBelow(starts, at) - 1;
    return i < 0 ? 0 : (worked[i] ?? 0) + Math.min(at, ends[i] ?? 0) - (starts[i] ?? 0);
  };
  return {
    /**
     * The instant at which `work` milliseconds of working time have passed since another; Infinity beyond the known
     * time.
     */
    after(from: Instant, work: number): Instant {
      const target = workedUntil(from) + Math.max(work, 1);
      const i = countBelow(worked, target) - 1;
      const start = starts[i];
      return start === undefined ? Infinity : start + target - (worked[i] ?? 0);
    },
    between: (from: Instant, until: Instant): number => workedUntil(until) - workedUntil(from),
    /** The end of the last working stretch that is over at an instant; -Infinity when there is none. */
    lastEnd: (at: Instant): Instant => ends[countBelow(ends, at + 1) - 1] ?? -Infinity,
  };
}

/** The number of the ascending values below a limit. */
function countBelow(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
