import type { Instant, Issue } from '../../model/issue.ts';
import type { CurrentValue } from '../../model/table.ts';
import type { Period } from '../../time/periods.ts';
import type { Arrange, MeasureContext, Measured, ReportType, Subject } from '../measure/report-type.ts';
import {
  createTally,
  openVisit,
  sinceOf,
  statusSubjects,
  twoLevelColumn,
  unknownOf,
  visitsOf,
} from '../measure/value-columns.ts';

/** Time per status, and for each status per day, week, month, quarter or year. */
export const statusDurationByTimePeriod: ReportType = {
  id: 'statusDurationByTimePeriod',
  title: 'Status Duration per Time Period',
  shape: 'issue',
  kind: 'duration',
  levels: ['status', 'period'],
  composite: true,
  columns: { kernel: 'statusPeriod', arrange: statusFirst },
  measure: (issue, context) => statusByPeriod(issue, context, statusFirst),
};

/** Time per day, week, month, quarter or year, and for each of them per status. */
export const timePeriodDurationByStatus: ReportType = {
  id: 'timePeriodDurationByStatus',
  title: 'Time Period Duration per Status',
  shape: 'issue',
  kind: 'duration',
  levels: ['period', 'status'],
  composite: true,
  columns: { kernel: 'statusPeriod', arrange: periodFirst },
  measure: (issue, context) => statusByPeriod(issue, context, periodFirst),
};

function statusFirst(status: Subject, period: Subject): readonly [Subject, Subject] {
  return [status, period];
}

function periodFirst(status: Subject, period: Subject): readonly [Subject, Subject] {
  return [period, status];
}

/**
 * Time per pair of status and time period of the calendar's zone; `arrange` says which of the two is the first level.
 * A visit over several periods counts as one visit in each of them.
 */
function statusByPeriod(issue: Issue, context: MeasureContext, arrange: Arrange): Measured {
  const { visits, contradictions } = visitsOf(issue, 'status', context);
  const tally = createTally();
  let current: CurrentValue[] = [];
  const open = openVisit(visits);
  for (const visit of visits) {
    if (visit.value === null) continue;
    const subjects = statusSubjects(issue, visit.value, context);
    for (const { period, start, end } of cutByPeriods(visit.start, visit.end, context.periods)) {
      const ms = context.calendar.between(start, end);
      const columns = subjects.map((status) => twoLevelColumn(...arrange(status, period), 'duration'));
      for (const column of columns) tally.add(column, ms, 1);
      if (visit === open) {
        current = columns.map(({ id, title }) => ({ columnId: id, title, since: sinceOf(visit) }));
      }
    }
  }
  return { ...tally.measured(), current, unknown: unknownOf(visits, context), contradictions };
}

/** The part of a span that lies in one period. */
interface PeriodPiece {
  readonly period: Period;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * A span cut where periods begin; `periods` adjoin each other and reach over the span. A span of 0 ms lies in the
 * period that begins last at or before it.
 */
export function cutByPeriods(start: Instant, end: Instant, periods: readonly Period[]): PeriodPiece[] {
  const pieces: PeriodPiece[] = [];
  for (let at = lastBeginningBy(start, periods); ; at += 1) {
    const period = periods[at];
    if (period === undefined || (pieces.length > 0 && period.start >= end)) return pieces;
    pieces.push({ period, start: Math.max(start, period.start), end: Math.min(end, period.end) });
  }
}

function lastBeginningBy(instant: Instant, periods: readonly Period[]): number {
  let [low, high] = [0, periods.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((periods[middle]?.start ?? 0) <= instant) low = middle;
    else high = middle - 1;
  }
  return low;
}
