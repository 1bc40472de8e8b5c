import { millisecondsInDay } from 'date-fns/constants';
import { type CaseIssue, caseWorld } from './case-world.ts';

/** The fields whose history the stand-in knows. */
export type VisitedField = 'status' | 'assignee' | 'priority';

/** A stay of an issue at one value; null is empty. Instants are epoch ms. */
export interface StandInVisit {
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
  /** It is there still. */
  readonly open: boolean;
  readonly by: string | null;
}

/** What of an issue's life counts. */
export interface StandInWindow {
  readonly from: number | null;
  readonly to: number | null;
}

/** The stays of an issue at the values of a field, first to last, cut to the window. */
export function visitsIn(issue: CaseIssue, field: VisitedField, { from, to }: StandInWindow): StandInVisit[] {
  const now = Date.parse(caseWorld.now);
  const entered: { value: string | null; at: number; by: string | null }[] = [
    { value: issue.born[field], at: Date.parse(issue.created), by: null },
  ];
  for (const step of issue.steps) {
    const value = step[field];
    if (value !== undefined) entered.push({ value, at: Date.parse(step.at), by: step.by });
  }
  const visits: StandInVisit[] = [];
  for (let i = 0; i < entered.length; i += 1) {
    const { value = null, at = 0, by = null } = entered[i] ?? {};
    const left = entered[i + 1]?.at;
    let [start, end, open] = [at, left ?? now, left === undefined];
    if (to !== null && start >= to) continue;
    if (from !== null && (end < from || (end === from && start !== end))) continue;
    if (from !== null && start < from) start = from;
    if (to !== null && end > to) [end, open] = [to, false];
    visits.push({ value, start, end, open, by });
  }
  return visits;
}

/** Working ms between two instants; null is the calendar in which every hour counts. */
export function workingMs(start: number, end: number, calendar: typeof caseWorld.calendar | null): number {
  if (calendar === null) return end - start;
  let ms = 0;
  for (
    let day = midnightBefore(start - millisecondsInDay);
    day < end + millisecondsInDay;
    day += millisecondsInDay
  ) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (calendar.holidays.some((holiday) => holiday.date === date)) continue;
    const weekday = new Date(day).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' });
    for (const shift of calendar.workingTimes) {
      if (shift.weekday !== weekday.toUpperCase()) continue;
      const opens = instantAt(day + shift.start, calendar.timeZone);
      const closes = instantAt(day + shift.end, calendar.timeZone);
      ms += Math.max(0, Math.min(end, closes) - Math.max(start, opens));
    }
  }
  return ms;
}

/** The last midnight (UTC) at or before an instant. */
export function midnightBefore(instant: number): number {
  return instant - (instant % millisecondsInDay);
}

/** The instant at which clocks of a zone show a wall time, which is told in ms as if it were UTC. */
export function instantAt(wall: number, timeZone: string): number {
  return wall - offsetAt(wall - offsetAt(wall, timeZone), timeZone);
}

/** By how many ms the clocks of a zone are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const text = new Date(instant).toLocaleString('sv-SE', { timeZone });
  return Date.parse(`${text.replace(' ', 'T')}Z`) - (instant - (instant % 1000));
}
