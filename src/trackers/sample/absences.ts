import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Office, OfficeName } from './office.ts';
import { isoWeekday, localMidnight, type Span } from './office-hours.ts';
import { type Person, people } from './people.ts';
import { createRandom } from './random.ts';

/** Somebody is away, from one local midnight to another; `cover` takes over what cannot wait. */
export interface Absence extends Span {
  readonly who: string;
  readonly cover: string;
  readonly reason: 'vacation' | 'illness';
}

type Leave = Omit<Absence, 'cover'>;

/** Everybody's absences of the years from `firstYear` to `lastYear`, by beginning; nobody is away twice at once. */
export function planAbsences(
  seed: number,
  firstYear: number,
  lastYear: number,
  offices: Readonly<Record<OfficeName, Office>>,
): Absence[] {
  const leaves = people.flatMap((person) => {
    const { timeZone } = offices[person.office];
    const days: Leave[] = [];
    for (let year = firstYear; year <= lastYear; year += 1) days.push(...leavesOf(person, seed, year));
    return withoutOverlaps(days).map((leave) => ({
      ...leave,
      from: localMidnight(timeZone, leave.from),
      until: localMidnight(timeZone, leave.until),
    }));
  });
  return leaves
    .map((leave) => ({ ...leave, cover: coverOf(leave, leaves) }))
    .sort((a, b) => a.from - b.from || (a.who < b.who ? -1 : 1));
}

/** One person's year in whole days: weeks in spring and summer, most turns of the year, a few colds. */
function leavesOf(person: Person, seed: number, year: number): Leave[] {
  const random = createRandom(seed, 'absence', person.id, year);
  const who = person.id;
  const weeks = (from: Instant, count: number): Leave => {
    // From Saturday on: the weekend before a vacation is part of it.
    const saturday = from - ((isoWeekday(from) + 1) % 7) * millisecondsInDay;
    return { who, from: saturday, until: saturday + (count * 7 + 2) * millisecondsInDay, reason: 'vacation' };
  };
  const dayOfYear = (day: number): Instant => Date.UTC(year, 0, 1) + day * millisecondsInDay;
  const leaves = [
    weeks(dayOfYear(random.whole(165, 235)), random.whole(2, 3)),
    weeks(dayOfYear(random.whole(40, 140)), 1),
  ];
  if (random.chance(0.5)) leaves.push(weeks(dayOfYear(random.whole(270, 325)), 1));
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

function withoutOverlaps(leaves: readonly Leave[]): Leave[] {
  const kept: Leave[] = [];
  for (const leave of [...leaves].sort((a, b) => a.from - b.from)) {
    if (leave.from > (kept.at(-1)?.until ?? -Infinity)) kept.push(leave);
  }
  return kept;
}

/** The next of the same team and duty who is there all the time, else anybody of the team. */
function coverOf(leave: Leave, leaves: readonly Leave[]): string {
  const at = people.findIndex(({ id }) => id === leave.who);
  const after = [...people.slice(at + 1), ...people.slice(0, at)];
  const project = people[at]?.project;
  const team = after.filter((one) => one.project === project);
  const there = team.filter((one) => !leaves.some((other) => other.who === one.id && overlaps(other, leave)));
  const alike = there.find((one) => one.duty === people[at]?.duty);
  return (alike ?? there[0] ?? team[0] ?? people[0]).id;
}

function overlaps(a: Span, b: Span): boolean {
  return a.from < b.until && b.from < a.until;
}
