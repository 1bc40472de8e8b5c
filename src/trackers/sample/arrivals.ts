import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Birth, IssueType } from './birth.ts';
import { isoWeekday } from './office-hours.ts';
import { automation, type ProjectKey, people, teamOf } from './people.ts';
import { type Choices, createRandom, type Random } from './random.ts';
import type { World } from './world.ts';

type Arrival = Omit<Birth, 'number'>;

/** Issues a working day brings on average. */
const rates: Readonly<Record<ProjectKey, number>> = { WEB: 1.3, APP: 0.95, OPS: 0.8 };

const types: Readonly<Record<ProjectKey, Choices<IssueType>>> = {
  WEB: [
    ['Story', 45],
    ['Bug', 37],
    ['Task', 18],
  ],
  APP: [
    ['Story', 42],
    ['Bug', 40],
    ['Task', 18],
  ],
  OPS: [
    ['Service Request', 72],
    ['Task', 16],
    ['Bug', 12],
  ],
};

/** Every issue that is created before today, in order, numbered per project. */
export function listArrivals(world: World): Birth[] {
  const arrivals: Arrival[] = [];
  for (let day = world.from; day < world.today; day += millisecondsInDay) {
    for (const project of ['WEB', 'APP', 'OPS'] as const) {
      const random = createRandom(world.seed, 'arrivals', project, day / millisecondsInDay);
      for (let count = random.count(rates[project] * season(day, world)); count > 0; count -= 1) {
        const arrival = workdayArrival(project, day, world, random);
        if (arrival !== null) arrivals.push(arrival);
      }
      if (project === 'OPS') arrivals.push(...incidents(isQuiet(day, world), day, random));
    }
  }
  const numbers: Record<ProjectKey, number> = { WEB: 0, APP: 0, OPS: 0 };
  return arrivals
    .filter(({ at }) => at < world.today)
    .sort((a, b) => a.at - b.at)
    .map((arrival) => {
      numbers[arrival.project] += 1;
      return { ...arrival, number: numbers[arrival.project] };
    });
}

/** Something a person reports in their working hours; null when nobody who was asked works that day. */
function workdayArrival(project: ProjectKey, day: Instant, world: World, random: Random): Arrival | null {
  const [first, ...rest] = teamOf(project, 'lead', 'maker', 'tester');
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const reporter =
      first === undefined || random.chance(0.3) ? random.pick(people) : random.pick([first, ...rest]);
    const clock = world.attendance.clock(reporter.id);
    const hours = clock.between(day, day + millisecondsInDay);
    if (hours === 0) continue;
    const at = Math.round(clock.after(day, random.next() * hours));
    const type = random.weigh(types[project]);
    const urgent = project !== 'OPS' && type === 'Bug' && random.chance(0.14);
    return { project, at, reporter: reporter.id, type, urgent };
  }
  return null;
}

/** What monitoring reports: now and then, and always on quiet days, when jobs run that nobody watches. */
function incidents(quiet: boolean, day: Instant, random: Random): Arrival[] {
  const count = quiet ? 1 + random.count(0.1) : random.count(0.14);
  return Array.from({ length: count }, () => ({
    project: 'OPS',
    at: day + random.whole(5, 19 * 60) * 60_000 + random.whole(0, 59_999),
    reporter: automation.id,
    type: 'Incident',
    urgent: true,
  }));
}

/** Busier over time, quieter in August, nearly silent over the turn of the year. */
function season(day: Instant, world: World): number {
  const growth = 0.88 + (0.26 * (day - world.from)) / (590 * millisecondsInDay);
  if (isTurnOfYear(day)) return 0.3 * growth;
  return new Date(day).getUTCMonth() === 7 ? 0.8 * growth : growth;
}

function isQuiet(day: Instant, { offices }: World): boolean {
  const date = new Date(day).toISOString().slice(0, 10);
  const holiday = Object.values(offices).some(({ holidays }) => holidays.some((one) => one.date === date));
  return holiday || isoWeekday(day) > 5 || isTurnOfYear(day);
}

function isTurnOfYear(day: Instant): boolean {
  const date = new Date(day).toISOString().slice(5, 10);
  return date >= '12-22' || date <= '01-03';
}
