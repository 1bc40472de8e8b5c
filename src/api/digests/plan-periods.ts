import type { DigestRun, Schedule } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { fireTimes } from '../../time/cron.ts';
import { isWorkingDay, nextWorkingDay } from '../../time/working-days.ts';

/** Of one outage so many periods are caught up, the newest. */
const CAUGHT_UP = 3;
/** Of a longer outage only the newest of the others are named. */
const NAMED = 100;

const MISSED = 'It was missed while Dwell was away; the newest three periods were caught up.';
const OUTDATED = 'It could not be brought before the next three were due; the newest three are.';

/** Why a period that waits is not brought any more, as `waiting` newer ones wait; null: it is. */
export function whyOutdated(waiting: number): string | null {
  return waiting >= CAUGHT_UP ? OUTDATED : null;
}

/** Whether a period was left out for newer ones. */
export function isMissed({ state, message }: Pick<DigestRun, 'state' | 'message'>): boolean {
  return state === 'skipped' && (message === MISSED || message === OUTDATED);
}

/** A period as it is written: when it may begin, or why it never will. */
export interface Period {
  readonly due: Instant;
  readonly notBefore: Instant;
  readonly skipped: string | null;
}

/** The periods due from `first` on up to now, oldest first, and when the next one is due; null: never again. */
export function planPeriods(
  { schedule, calendar }: { readonly schedule: Schedule; readonly calendar: CalendarDefinition | null },
  first: Instant,
  now: Instant,
): { readonly periods: readonly Period[]; readonly nextDue: Instant | null } {
  const { dues, nextDue } = duesUntil(schedule, first, now);
  const planned = dues.map((due, i) => periodOf(due, dues[i + 1] ?? nextDue, schedule, calendar));
  const told = planned.filter(({ skipped }) => skipped === null);
  const caughtUp = new Set(told.slice(-CAUGHT_UP));
  return {
    nextDue,
    periods: planned.map((period) =>
      period.skipped !== null || caughtUp.has(period) ? period : { ...period, skipped: MISSED },
    ),
  };
}

/** When a period may begin that falls on a day off: the same time of the next working day; null where there is none. */
export function beginOf(
  due: Instant,
  { timeZone }: Schedule,
  calendar: CalendarDefinition | null,
): Instant | null {
  if (calendar === null || isWorkingDay(calendar, due, timeZone)) return due;
  return nextWorkingDay(calendar, due, timeZone);
}

/** A period in the light of the one after it. */
export function periodOf(
  due: Instant,
  following: Instant | null,
  schedule: Schedule,
  calendar: CalendarDefinition | null,
): Period {
  const begin = beginOf(due, schedule, calendar);
  const name = calendar?.name ?? '';
  if (begin === null) {
    return {
      due,
      notBefore: due,
      skipped: `It was due on a day off, and ${name} has no working day within a year.`,
    };
  }
  if (begin > due && following !== null && following <= begin) {
    return {
      due,
      notBefore: due,
      skipped: `It was due on a day off of ${name}, and the next one falls due before the next working day is over its time.`,
    };
  }
  return { due, notBefore: begin, skipped: null };
}

function duesUntil(
  schedule: Schedule,
  first: Instant,
  now: Instant,
): { readonly dues: readonly Instant[]; readonly nextDue: Instant | null } {
  let dues: readonly Instant[] = [first];
  for (;;) {
    const last = dues.at(-1) ?? first;
    const more = fireTimes(schedule, last, NAMED);
    const after = more.find((at) => at > now);
    dues = [...dues, ...more.filter((at) => at <= now)].slice(-(NAMED + CAUGHT_UP));
    if (after !== undefined || more.length === 0) return { dues, nextDue: after ?? null };
  }
}
