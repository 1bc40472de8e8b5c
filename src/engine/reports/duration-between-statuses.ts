import type { BetweenMetric } from '../../model/request.ts';
import type { MetricState } from '../../model/table.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { ReportType } from '../measure/report-type.ts';
import type { Visit } from '../measure/timeline.ts';
import { columnOf, unknownOf, visitsOf } from '../measure/value-columns.ts';

/** Time from one status to another: one column per metric the principal defines, with the state of its clock. */
export const durationBetweenStatuses: ReportType = {
  id: 'durationBetweenStatuses',
  title: 'Duration Between Statuses',
  shape: 'issue',
  kind: 'duration',
  levels: ['metric'],
  composite: false,
  columns: { kernel: 'between' },
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const results = context.metrics.map((metric) => ({
      id: metric.name,
      ...betweenStatuses(visits, metric, context.calendar),
    }));
    return {
      columns: results.map(({ id }) => columnOf({ id, title: id }, 'duration')),
      lines: [
        Object.fromEntries(results.flatMap(({ id, ms }) => (ms === null ? [] : [[id, { value: ms }]]))),
      ],
      current: [],
      unknown: unknownOf(visits, context),
      contradictions,
      states: Object.fromEntries(results.map(({ id, state }) => [id, state])),
    };
  },
};

/** How far the clock of a metric has come; `ms` is null where it was not started, or where nobody can tell. */
interface BetweenResult {
  readonly ms: number | null;
  readonly state: MetricState;
}

/**
 * The working time from entering a *from* status to entering a *to* status, less the time in *paused-in* statuses.
 *
 * The clock starts with the first or last visit of a from status (without from statuses: with the issue) and stops
 * with the first or last visit of a to status at or after that. Until it stops it runs to the end of the visits. A
 * cut history gives no figure as soon as its unknown time could hide a visit that would change the answer, or when the
 * clock started.
 */
export function betweenStatuses(
  visits: readonly Visit[],
  metric: BetweenMetric,
  calendar: Calendar,
): BetweenResult {
  const gap = visits.findIndex((visit) => !visit.known);
  const start = startIndex(visits, metric);
  if (start === -1) return { ms: null, state: gap === -1 ? 'notStarted' : 'unknown' };
  const stop = stopIndex(visits, metric, start);
  const begun = visits[start]?.begun === true;
  if (gap !== -1 && (!begun || couldChange(gap, { start, stop, end: visits.length }, metric))) {
    return { ms: null, state: 'unknown' };
  }
  const until = stop === -1 ? visits.length : stop;
  const counted = visits.slice(start, until).filter((visit) => !isIn(visit, metric.pausedIn));
  const ms = counted.reduce((sum, visit) => sum + calendar.between(visit.start, visit.end), 0);
  return { ms, state: stop === -1 ? runningState(visits.at(-1), metric) : 'completed' };
}

function startIndex(visits: readonly Visit[], { from }: BetweenMetric): number {
  if (from.statuses.length === 0) return visits.length === 0 ? -1 : 0;
  const entered = (visit: Visit) => isIn(visit, from.statuses);
  return from.visit === 'first' ? visits.findIndex(entered) : visits.findLastIndex(entered);
}

function stopIndex(visits: readonly Visit[], { to }: BetweenMetric, start: number): number {
  const entered = (visit: Visit, i: number) => i >= start && isIn(visit, to.statuses);
  return to.visit === 'first' ? visits.findIndex(entered) : visits.findLastIndex(entered);
}

/** Unknown time outside what was chosen matters only if a visit there would be chosen instead. */
function couldChange(
  gap: number,
  { start, stop, end }: { readonly start: number; readonly stop: number; readonly end: number },
  { from, to }: BetweenMetric,
): boolean {
  if (gap < start) return from.statuses.length > 0 && from.visit === 'first';
  if (gap < (stop === -1 ? end : stop)) return true;
  return to.visit === 'last' || (from.statuses.length > 0 && from.visit === 'last');
}

function runningState(last: Visit | undefined, { pausedIn }: BetweenMetric): MetricState {
  return last !== undefined && isIn(last, pausedIn) ? 'paused' : 'running';
}

function isIn({ value }: Visit, statuses: readonly string[]): boolean {
  return value !== null && statuses.includes(value.id);
}
