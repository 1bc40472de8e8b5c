import type { FieldValue } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import type { BetweenMetric } from '../../model/request.ts';
import type { MetricState } from '../../model/table.ts';
import { type FieldVisits, NONE } from '../visits/field-visits.ts';
import { columnOf, fixedKeys, nowhere } from './measuring/report-keys.ts';
import { type ClockSlots, type ReportType, ROLE } from './measuring/report-type.ts';

/** Time from one status to another: one column per metric that the request defines, with the state of its clock. */
export const durationBetweenStatuses: ReportType = {
  id: reportIds.durationBetweenStatuses,
  title: 'Duration Between Statuses',
  shape: 'issue',
  options: ['metrics'],
  requires: ['metrics'],
  sharesOut: false,
  kind: 'duration',
  levels: ['metric'],
  composite: false,
  fields: 'status',
  hasVisits: false,
  readsCut: () => false,
  keys: ({ statuses }, { metrics }) => ({
    ...fixedKeys(metrics.map(({ name }) => columnOf({ id: name, title: name }, 'duration'))),
    clocks: clocksOf(statuses, metrics),
  }),
  measure:
    ({ statuses }, { clocks }, sink) =>
    () => {
      for (const [metric, clock] of clocks.entries()) {
        const { ms, state } = betweenStatuses(statuses, clock);
        if (ms !== null) sink.add(metric, ms, 0, 0, 0);
        sink.setState(metric, state);
      }
    },
  current: nowhere,
};

/** Builds the clocks of metrics, with the roles of statuses by their codes. */
function clocksOf(statuses: readonly (FieldValue | null)[], metrics: readonly BetweenMetric[]): ClockSlots[] {
  return metrics.map(({ from, to, pausedIn }) => {
    const [starting, stopping, pausing] = [new Set(from.statuses), new Set(to.statuses), new Set(pausedIn)];
    const roleOf = (id: string) =>
      (starting.has(id) ? ROLE.from : 0) |
      (stopping.has(id) ? ROLE.to : 0) |
      (pausing.has(id) ? ROLE.paused : 0);
    return {
      roles: Uint8Array.from(statuses, (status) => (status === null ? 0 : roleOf(status.id))),
      from: from.statuses.length === 0 ? 'creation' : from.visit,
      to: to.visit,
    };
  });
}

/** The result of a metric's clock; `ms` is null if the clock has not started or if that is unknown. */
interface BetweenResult {
  readonly ms: number | null;
  readonly state: MetricState;
}

/**
 * The working time (ms) from entering a *from* status to entering a *to* status, without the time in *paused-in*
 * statuses. The clock starts with the first or last visit of a from status (without from statuses: with the creation of
 * the issue) and stops with the first or last visit of a to status at or after that. Until it stops, it runs to the end
 * of the visits. The result is unknown if a cut history could hide a visit that would change it, or hides when the
 * clock started.
 */
function betweenStatuses(visits: FieldVisits, { roles, from, to }: ClockSlots): BetweenResult {
  const { count, codes, gap, underWay } = visits;
  const has = (visit: number, role: number) => ((roles[codes[visit]] ?? 0) & role) !== 0;
  const find = (role: number, which: 'first' | 'last', start: number) => {
    let found = NONE;
    for (let i = start; i < count; i += 1) {
      if (!has(i, role)) continue;
      found = i;
      if (which === 'first') break;
    }
    return found;
  };
  const start = from === 'creation' ? (count > 0 ? 0 : NONE) : find(ROLE.from, from, 0);
  if (start === NONE) return { ms: null, state: gap === NONE ? 'notStarted' : 'unknown' };
  const stop = find(ROLE.to, to, start);
  const until = stop === NONE ? count : stop;
  if (gap !== NONE && (start === gap || start === underWay || couldChange())) {
    return { ms: null, state: 'unknown' };
  }
  let ms = 0;
  for (let i = start; i < until; i += 1) if (!has(i, ROLE.paused)) ms += visits.ms(i);
  if (stop !== NONE) return { ms, state: 'completed' };
  return { ms, state: has(count - 1, ROLE.paused) ? 'paused' : 'running' };

  /** True if unknown time could hide a visit that would be chosen instead of the start or the stop. */
  function couldChange(): boolean {
    if (gap < start) return from === 'first';
    return gap < until || to === 'last' || from === 'last';
  }
}
