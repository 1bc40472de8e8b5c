import { reportIds } from '../../model/report-ids.ts';
import { placeAfter } from '../columns/sort-rows.ts';
import { FIRST_VALUE } from '../columns/value-codes.ts';
import { currentStatus, noKeys, statusLevel, twoLevelColumn } from './measuring/report-keys.ts';
import type {
  Arrange,
  Current,
  IssueReport,
  Measure,
  MeasureContext,
  ReportKeys,
  ReportType,
  Vocabulary,
} from './measuring/report-type.ts';

/**
 * Measures the time per pair of status and period; periods are in the calendar's time zone. A visit over several
 * periods counts as one visit in each of them. A visit of 0 ms counts in the last period that has begun at its start.
 */
const statusByPeriod: Measure = (cursor, { statuses: { at, slots }, periods, inner }, sink) => {
  const { statuses: visits } = cursor;
  const count = periods.length - 1;
  const [begin, end] = [periods[0] ?? 0, periods[count]];
  return () => {
    // Visits are in order, so the periods in which they begin are, too.
    let period = lastBegun(periods, visits.bounds[0] ?? 0);
    for (let i = 0; i < visits.count; i += 1) {
      const start = visits.bounds[i];
      const until = visits.bounds[i + 1];
      while (period + 1 < count && periods[period + 1] <= start) period += 1;
      const code = visits.codes[i];
      if (code < FIRST_VALUE) continue;
      let before = start < begin ? cursor.work(begin) : visits.works[i];
      for (let one = period; ; one += 1) {
        const next = periods[one + 1] ?? end;
        const isLast = one + 1 >= count || next >= until;
        // Work before the first period and after the last one does not count.
        const done =
          isLast && until <= end && until >= begin
            ? visits.works[i + 1]
            : cursor.work(isLast && until < begin ? begin : next);
        for (let slot = at[code] ?? 0; slot < (at[code + 1] ?? 0); slot += 1) {
          sink.add((slots[slot] ?? 0) * inner + one, done - before, 1, code, 0);
        }
        before = done;
        if (isLast) break;
      }
    }
  };
};

/** The current status, in the period of the as-of instant. */
const currentPeriod: Current = (cursor, plan) => {
  const { statuses: visits } = cursor;
  const { periods, inner } = plan;
  const start = visits.bounds[visits.open] ?? 0;
  const until = visits.bounds[visits.open + 1] ?? 0;
  const period = lastBegun(periods, until);
  // A visit that ends exactly with a period does not reach the next one, unless it has a length of 0 ms.
  const isBefore = period > 0 && periods[period] === until && start < until;
  return currentStatus(cursor, plan).map((one) => ({
    ...one,
    key: one.key * inner + period - Number(isBefore),
  }));
};

/** Time per status, divided by day, week, month, quarter or year. */
export const statusDurationByTimePeriod: IssueReport = {
  id: reportIds.statusDurationByTimePeriod,
  title: 'Status Duration per Time Period',
  shape: 'issue',
  options: ['timePeriod'],
  requires: [],
  sharesOut: true,
  kind: 'duration',
  levels: ['status', 'period'],
  composite: true,
  fields: 'status',
  hasVisits: true,
  readsCut: () => true,
  keys: (vocabulary, context) => periodKeys(vocabulary, context, (status, period) => [status, period]),
  measure: statusByPeriod,
  current: currentPeriod,
};

/** Time per day, week, month, quarter or year, divided by status. */
export const timePeriodDurationByStatus: ReportType = {
  ...statusDurationByTimePeriod,
  id: reportIds.timePeriodDurationByStatus,
  title: 'Time Period Duration per Status',
  levels: ['period', 'status'],
  keys: (vocabulary, context) => periodKeys(vocabulary, context, (status, period) => [period, status]),
};

function periodKeys(vocabulary: Vocabulary, context: MeasureContext, arrange: Arrange): ReportKeys {
  const { codes, subjectAt } = statusLevel(vocabulary, context);
  const { periods } = context;
  const inner = Math.max(1, periods.length);
  return {
    ...noKeys,
    statuses: codes,
    inner,
    keys: codes.size * inner,
    columnOf(key, status) {
      const period = periods[key % inner] ?? { id: '', title: '' };
      return twoLevelColumn(...arrange(subjectAt(status, Math.floor(key / inner)), period), 'duration');
    },
  };
}

/** Index of the last period that has begun by an instant; 0 if none has. */
function lastBegun(periods: Float64Array, instant: number): number {
  return Math.max(0, placeAfter(periods.subarray(0, -1), instant) - 1);
}
