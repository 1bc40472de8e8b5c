import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { type Absence, planAbsences } from './absences.ts';
import { type Attendance, createAttendance } from './attendance.ts';
import { createOffices, type Office, type OfficeName } from './office.ts';
import type { ProjectKey } from './people.ts';
import { planSprints, type Sprint } from './sprints.ts';

const MONTHS = 19;
/** Absences are planned ahead; this much of the plan is told. */
const OUTLOOK = 120 * millisecondsInDay;

/** All that does not depend on a single issue. */
export interface World {
  readonly seed: number;
  /** The company's first day, a UTC midnight. */
  readonly from: Instant;
  /** Nothing happens at or after this UTC midnight. */
  readonly today: Instant;
  /** Of what is planned, that much is told which begins before this UTC midnight. */
  readonly plannedUntil: Instant;
  readonly offices: Readonly<Record<OfficeName, Office>>;
  readonly absences: readonly Absence[];
  readonly attendance: Attendance;
  readonly sprints: readonly Sprint[];
  /** When the web team gave up its status Analysis. */
  readonly analysisGone: Instant;
}

/**
 * The world as it is told on a day. It begins with a month, so that within a month tomorrow's world
 * continues today's.
 */
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
  return {
    seed,
    from,
    today,
    plannedUntil,
    offices,
    absences,
    attendance: createAttendance(offices, absences, from, today + millisecondsInDay),
    sprints: planSprints(from, today),
    analysisGone: from + 252 * millisecondsInDay + 7.5 * millisecondsInHour,
  };
}

/** How long work takes compared with the usual: the web team gets faster, the service desk a little slower. */
export function paceOf(project: ProjectKey, at: Instant, world: World): number {
  const share = Math.min(1, (at - world.from) / (590 * millisecondsInDay));
  if (project === 'WEB') return 1.35 - 0.6 * share;
  return project === 'OPS' ? 0.9 + 0.25 * share : 1;
}
