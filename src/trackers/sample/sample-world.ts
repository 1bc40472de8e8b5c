import { millisecondsInDay, millisecondsInHour, millisecondsInWeek } from 'date-fns/constants';
import type { FieldValue, Instant } from '../../model/issue.ts';
import { type Absence, type Attendance, createAttendance, planAbsences } from './attendance.ts';
import type { ProjectKey, Step } from './seed-data.ts';
import { createOffices, isoWeekday, type Offices } from './working-hours.ts';

const MONTHS = 19;
/** Absences are planned ahead; this much of the plan is shown. */
const OUTLOOK = 120 * millisecondsInDay;
const SPRINT_LENGTH = 2 * millisecondsInWeek;
/** Half past eight UTC: mid-morning in Berlin all year round. */
const HOUR_OF_PLANNING = 8.5 * millisecondsInHour;

/** Two weeks of the web team's work; each begins the moment the one before ends. */
interface PlannedSprint {
  readonly value: FieldValue;
  readonly start: Instant;
  readonly end: Instant;
}

/** All that does not depend on a single issue. */
export interface World {
  readonly seed: number;
  /** The company's first day, a UTC midnight. */
  readonly from: Instant;
  /** Nothing happens at or after this UTC midnight. */
  readonly today: Instant;
  /** Of what is planned, that much is shown which begins before this UTC midnight. */
  readonly plannedUntil: Instant;
  readonly offices: Offices;
  readonly absences: readonly Absence[];
  readonly attendance: Attendance;
  /** From the one running at the beginning to the one after the running one. */
  readonly sprints: readonly PlannedSprint[];
  /** When the web team gave up its status Analysis. */
  readonly analysisGone: Instant;
}

/** The world as of a day. It begins with a month, so that within a month tomorrow's world continues today's. */
export function createWorld(seed: number, today: Instant): World {
  const date = new Date(today);
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS, 1);
  const firstYear = new Date(from).getUTCFullYear();
  const plannedUntil = today + OUTLOOK;
  const lastYear = new Date(plannedUntil).getUTCFullYear();
  const offices = createOffices(firstYear, lastYear);
  const absences = planAbsences(seed, firstYear - 1, lastYear + 1, offices).filter(
    (absence) => absence.until > from && absence.from < plannedUntil,
  );
  const sprints: PlannedSprint[] = [];
  const monday = from - (isoWeekday(from) - 1) * millisecondsInDay - millisecondsInWeek;
  for (let start = monday + HOUR_OF_PLANNING; start < today + SPRINT_LENGTH; start += SPRINT_LENGTH) {
    const id = String(sprints.length + 1);
    sprints.push({ value: { id, name: `WEB Sprint ${id}` }, start, end: start + SPRINT_LENGTH });
  }
  return {
    ...{ seed, from, today, plannedUntil, offices, absences, sprints },
    attendance: createAttendance(offices, absences, { from, until: today + millisecondsInDay }),
    analysisGone: from + 252 * millisecondsInDay + 7.5 * millisecondsInHour,
  };
}

/** How long work takes compared with the usual: the web team gets faster, the service desk a little slower. */
export function paceOf(project: ProjectKey, at: Instant, world: World): number {
  const share = Math.min(1, (at - world.from) / (590 * millisecondsInDay));
  if (project === 'WEB') return 1.35 - 0.6 * share;
  return project === 'OPS' ? 0.9 + 0.25 * share : 1;
}

/** The first appointment of this kind at or after an instant; without a gate the instant itself. */
export function passGate(gate: Step['gate'], at: Instant, { sprints }: World): Instant {
  if (gate === undefined) return at;
  if (gate === 'sprint') return sprints.find(({ start }) => start >= at)?.start ?? Infinity;
  // Releases are on Thursdays, as the first day of the epoch was.
  const [every, hour] = gate === 'release' ? [millisecondsInWeek, 13] : [millisecondsInDay, 1.7];
  const offset = hour * millisecondsInHour;
  return Math.ceil((at - offset) / every) * every + offset;
}
