import { reportIds } from '../../model/report-ids.ts';
import { FIRST_VALUE } from '../columns/value-codes.ts';
import { NONE } from '../visits/field-visits.ts';
import { currentStatus, statusKeys } from './measuring/report-keys.ts';
import type { IssueReport, Measure, ReportType } from './measuring/report-type.ts';

/** Time in status: one column per status that the issue was in, with its working time and number of visits. */
export const statusDuration: IssueReport = {
  id: reportIds.statusDuration,
  title: 'Status Duration',
  shape: 'issue',
  options: ['multiVisitBehavior'],
  requires: [],
  sharesOut: true,
  kind: 'duration',
  levels: ['status'],
  composite: false,
  fields: 'status',
  hasVisits: true,
  readsCut: (behavior) => behavior === 'total',
  keys: (vocabulary, context) => statusKeys(vocabulary, context, 'duration'),
  measure: (cursor, plan, sink) =>
    (plan.multiVisitBehavior === 'total' ? allVisits : combinedVisits)(cursor, plan, sink),
  current: currentStatus,
};

/** Number of times that each status was entered; being created in a status counts as entering it. */
export const statusCount: ReportType = {
  ...statusDuration,
  id: reportIds.statusCount,
  title: 'Status Count',
  options: [],
  kind: 'count',
  readsCut: () => true,
  keys: (vocabulary, context) => statusKeys(vocabulary, context, 'count'),
  measure:
    ({ statuses: visits }, { statuses: { at, slots } }, sink) =>
    () => {
      for (let i = 0; i < visits.count; i += 1) {
        const code = visits.codes[i];
        const end = at[code + 1] ?? 0;
        for (let slot = at[code] ?? 0; slot < end; slot += 1) sink.add(slots[slot] ?? 0, 1, 1, code, 0);
      }
    },
};

const allVisits: Measure =
  ({ statuses: visits }, { statuses: { at, slots } }, sink) =>
  () => {
    const { count, codes, works } = visits;
    for (let i = 0; i < count; i += 1) {
      const code = codes[i];
      const ms = works[i + 1] - works[i];
      const end = at[code + 1] ?? 0;
      for (let slot = at[code] ?? 0; slot < end; slot += 1) sink.add(slots[slot] ?? 0, ms, 1, code, 0);
    }
  };

/**
 * Measures the first visit to each status, the last one, or the mean of all. A consolidated status is the sum of the
 * figures of its members. There is no figure if unknown time could hide the visit in question, or a part of it.
 */
const combinedVisits: Measure = (
  { statuses: visits },
  { statuses: { at, slots, size }, multiVisitBehavior },
  sink,
) => {
  const [first, last] = [new Int32Array(size), new Int32Array(size)];
  const [sums, counts] = [new Float64Array(size), new Uint32Array(size)];
  const observedCodes: number[] = [];
  return () => {
    observedCodes.length = 0;
    for (let i = 0; i < visits.count; i += 1) {
      const code = visits.codes[i];
      if (code < FIRST_VALUE) continue;
      const own = slots[at[code] ?? 0] ?? 0;
      if (counts[own] === 0) {
        observedCodes.push(code);
        first[own] = i;
      }
      last[own] = i;
      sums[own] += visits.ms(i);
      counts[own] += 1;
    }
    for (const code of observedCodes) {
      const own = slots[at[code] ?? 0] ?? 0;
      const count = counts[own];
      const amount = combined(first[own], last[own], sums[own] / count);
      sums[own] = 0;
      counts[own] = 0;
      const end = at[code + 1] ?? 0;
      for (let slot = at[code] ?? 0; slot < end; slot += 1) {
        if (amount === null) sink.observe(slots[slot] ?? 0, code, 0);
        else sink.add(slots[slot] ?? 0, amount, count, code, 0);
      }
    }
  };

  function combined(firstVisit: number, lastVisit: number, mean: number): number | null {
    const { gap, underWay } = visits;
    const isWhole = gap === NONE;
    if (multiVisitBehavior === 'average') return isWhole ? mean : null;
    // A visit before unknown time may continue in it.
    if (multiVisitBehavior === 'first') return isWhole || gap > firstVisit + 1 ? visits.ms(firstVisit) : null;
    return isWhole || (lastVisit > gap && lastVisit !== underWay) ? visits.ms(lastVisit) : null;
  }
};
