import { millisecondsInDay, millisecondsInWeek } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { createRandom } from './random.ts';
import { automation, type Person, people, teamOf } from './seed-data.ts';
import {
  type Clock,
  createClock,
  isoWeekday,
  localMidnight,
  type Offices,
  officeHours,
  type Span,
} from './working-hours.ts';

/** Somebody is away, from one local midnight to another; `cover` takes over what cannot wait. */
export interface Absence extends Span {
  readonly who: string;
  readonly cover: string;
  readonly reason: 'vacation' | 'illness';
}

type Leave = Omit<Absence, 'cover'>;

/** Everybody's absences of the years from `firstYear` to `lastYear`, by beginning; nobody is away twice at once. */
export function planAbsences(seed: number, firstYear: number, lastYear: number, offices: Offices): Absence[] {
  const leaves = people.flatMap((person) => {
    const days: Leave[] = [];
    for (let year = firstYear; year <= lastYear; year += 1) days.push(...leavesOf(person, seed, year));
    const kept: Leave[] = [];
    for (const leave of days.sort((a, b) => a.from - b.from))
      if (leave.from > (kept.at(-1)?.until ?? -Infinity)) kept.push(leave);
    const midnight = (day: Instant) => localMidnight(offices[person.office].timeZone, day);
    return kept.map((leave) => ({ ...leave, from: midnight(leave.from), until: midnight(leave.until) }));
  });
  return leaves
    .map((leave) => ({ ...leave, cover: coverOf(leave, leaves) }))
    .sort((a, b) => a.from - b.from || (a.who < b.who ? -1 : 1));
}

/** One person's year in whole days: weeks in spring and summer, most turns of the year, a few colds. */
function leavesOf(person: Person, seed: number, year: number): Leave[] {
  const random = createRandom(seed, 'absence', person.id, year);
  const who = person.id;
  const leaves: Leave[] = [];
  const dayOfYear = (day: number): Instant => Date.UTC(year, 0, 1) + day * millisecondsInDay;
  const weeks = (from: Instant, count: number) => {
    // From Saturday on: the weekend before a vacation is part of it.
    const saturday = from - ((isoWeekday(from) + 1) % 7) * millisecondsInDay;
    const until = saturday + (count * 7 + 2) * millisecondsInDay;
    leaves.push({ who, from: saturday, until, reason: 'vacation' });
  };
  weeks(dayOfYear(random.whole(165, 235)), random.whole(2, 3));
  weeks(dayOfYear(random.whole(40, 140)), 1);
  if (random.chance(0.5)) weeks(dayOfYear(random.whole(270, 325)), 1);
  // By turns, so that every team keeps somebody.
  if ((people.indexOf(person) + year) % 4 !== 0) {
    const from = Date.UTC(year, 11, random.whole(19, 23));
    leaves.push({ who, from, until: Date.UTC(year + 1, 0, random.whole(2, 6)), reason: 'vacation' });
  }
  for (let colds = random.count(1.8); colds > 0; colds -= 1) {
    const from = dayOfYear(random.whole(0, 364));
    leaves.push({ who, from, until: from + random.whole(1, 4) * millisecondsInDay, reason: 'illness' });
  }
  return leaves;
}

/** The next of the same team and duty who is there all the time, else anybody of the team. */
function coverOf(leave: Leave, leaves: readonly Leave[]): string {
  const at = people.findIndex(({ id }) => id === leave.who);
  const after = [...people.slice(at + 1), ...people.slice(0, at)];
  const team = after.filter((one) => one.project === people[at]?.project);
  const there = team.filter((one) => !leaves.some((other) => other.who === one.id && overlap(other, leave)));
  const alike = there.find((one) => one.duty === people[at]?.duty);
  return (alike ?? there[0] ?? team[0] ?? people[0]).id;
}

function overlap(a: Span, b: Span): boolean {
  return a.from < b.until && b.from < a.until;
}

/** Who is there when. */
export interface Attendance {
  clock(who: string): Clock;
  /** The person's first absence of at least `days` days that begins within the span. */
  longAbsence(who: string, within: Span, days: number): Absence | undefined;
  /** The person, or whoever covers while they are away: the cover, a team mate, at last automation. */
  standIn(who: string, at: Instant): string;
  /** Those of the list who are not away, or the whole list if all are. */
  present(list: readonly Person[], at: Instant): readonly Person[];
  /** Whose turn it is to be called at night and on weekends; turns change weekly. */
  onCall(at: Instant): string;
}

/** Attendance between two UTC midnights; beyond them nobody works. */
export function createAttendance(
  offices: Offices,
  absences: readonly Absence[],
  { from, until }: Span,
): Attendance {
  const byPerson = Map.groupBy(absences, ({ who }) => who);
  const hours = {
    Berlin: officeHours(offices.Berlin, from, until),
    'New York': officeHours(offices['New York'], from, until),
  };
  // Absences begin and end at night, so no stretch of work is touched in part.
  const clocks = new Map(
    people.map(({ id, office }) => {
      const away = byPerson.get(id) ?? [];
      return [id, createClock(hours[office].filter((span) => !away.some((other) => overlap(span, other))))];
    }),
  );
  const always = createClock([{ from: from - millisecondsInWeek, until }]);
  const absenceOf = (who: string, at: Instant) =>
    byPerson.get(who)?.find((absence) => absence.from <= at && at < absence.until);
  const firstThere = (ids: readonly string[], at: Instant) =>
    ids.find((id) => absenceOf(id, at) === undefined) ?? automation.id;
  const desk = teamOf('OPS', 'lead', 'maker').map(({ id }) => id);
  return {
    clock: (who) => clocks.get(who) ?? always,
    longAbsence: (who, within, days) =>
      byPerson
        .get(who)
        ?.find(
          (one) =>
            one.from >= within.from &&
            one.from < within.until &&
            one.until - one.from >= days * millisecondsInDay,
        ),
    standIn: (who, at) => {
      const cover = absenceOf(who, at)?.cover;
      if (cover === undefined) return who;
      const project = people.find(({ id }) => id === who)?.project ?? 'OPS';
      return firstThere([cover, ...teamOf(project, 'lead', 'maker', 'tester').map(({ id }) => id)], at);
    },
    present: (list, at) => {
      const there = list.filter(({ id }) => absenceOf(id, at) === undefined);
      return there.length > 0 ? there : list;
    },
    onCall: (at) => {
      const turn = Math.floor(at / millisecondsInWeek) % desk.length;
      return firstThere([...desk.slice(turn), ...desk.slice(0, turn)], at);
    },
  };
}
