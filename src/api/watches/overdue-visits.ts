import type { AgingIssue } from '../../model/aging.ts';
import type { Instant } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';
import type { CalendarFacts } from '../../model/table.ts';
import type { Threshold, WatchWish } from '../../model/watch.ts';
import { calendarOf } from '../../time/calendar.ts';
import { weekdayHours } from '../../time/working-days.ts';
import type { Overdue } from '../watches.ts';
import type { WatchesParts } from './watches-parts.ts';

/** What a watch sees. */
export interface Sight {
  /** Issues in its status, of which it is known since when. */
  readonly visits: readonly AgingIssue[];
  /** Those that sit too long, furthest beyond first. */
  readonly overdue: readonly Overdue[];
  /** Of how many open issues it is not known since when they are where they are. */
  readonly sinceUnknown: number;
  readonly calendar: CalendarFacts;
  readonly asOf: Instant;
  /** When the data was last taken from the tracker; null when it is computed on the spot. */
  readonly dataAsOf: Instant | null;
}

/** Looks with somebody's rights. Issues of which a cut history does not tell since when are never too long. */
export async function overdueVisits(
  { selection, status, threshold, calendar, timeZone }: WatchWish,
  asker: Asker,
  { answers }: Pick<WatchesParts, 'answers'>,
): Promise<Sight> {
  const { told, asOf } = await answers.answer(asker, { kind: 'aging', selection, calendar, timeZone }, null);
  if (told.kind !== 'aging') throw new Error(`A question about ages was answered with ${told.kind}`);
  const { issues, unknown, provenance } = told.aging;
  const measured = measuredIn(threshold, timeZone, asOf);
  const visits = issues.filter((issue) => isStatus(issue.status, status)).map(measured.again);
  const overdue = visits
    .flatMap((issue): Overdue[] => {
      const thresholdMs = thresholdOf(threshold, issue);
      return thresholdMs === null || issue.ageMs <= thresholdMs ? [] : [{ issue, thresholdMs }];
    })
    .toSorted((a, b) => beyond(b) - beyond(a));
  return {
    visits,
    overdue,
    sinceUnknown: unknown.length,
    calendar: measured.calendar ?? provenance.calendar,
    asOf,
    dataAsOf: provenance.dataAsOf,
  };
}

/** A threshold in weekdays is held against ages in weekdays. */
function measuredIn(threshold: Threshold, timeZone: string, asOf: Instant) {
  if (threshold.by === 'usual' || threshold.weekdays === undefined) {
    return { calendar: null, again: (issue: AgingIssue) => issue };
  }
  const { between, ...calendar } = calendarOf(weekdayHours(timeZone));
  return { calendar, again: (issue: AgingIssue) => ({ ...issue, ageMs: between(issue.since, asOf) }) };
}

/** By id, for a status may be called something else by now; by name, for projects may have one each of the same name. */
function isStatus({ id, title }: AgingIssue['status'], { id: wanted, name }: WatchWish['status']): boolean {
  return id === wanted || title.toLowerCase() === name.toLowerCase();
}

function thresholdOf(threshold: Threshold, { usual }: AgingIssue): number | null {
  return threshold.by === 'time' ? threshold.ms : (usual?.p85 ?? null);
}

function beyond({ issue, thresholdMs }: Overdue): number {
  return issue.ageMs - thresholdMs;
}
