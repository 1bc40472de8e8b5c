import { reportIds } from '../../model/report-ids.ts';
import { causeBit, causesOfCode } from '../columns/blocked-rows.ts';
import { FIRST_VALUE } from '../columns/value-codes.ts';
import { type FieldVisits, NONE, overlapMs } from '../visits/field-visits.ts';
import { columnOf, fixedKeys, statusKeys } from './measuring/report-keys.ts';
import type { Current, CurrentKey, IssueReport, Measure, ReportType } from './measuring/report-type.ts';

/** The columns, in the order of their keys, and the causes that count for each. */
const columns = [
  { id: 'blocked', title: 'Blocked', causes: causeBit.flag | causeBit.status | causeBit.link },
  { id: 'flag', title: 'Blocked: Flag', causes: causeBit.flag },
  { id: 'status', title: 'Blocked: Status', causes: causeBit.status },
  { id: 'link', title: 'Blocked: Link', causes: causeBit.link },
] as const;
/** The causes (bits) of a visit; none of one that does not exist. */
const causesAt = ({ codes, count }: FieldVisits, visit: number) =>
  visit < 0 || visit >= count ? 0 : causesOfCode(codes[visit]);

/** Adds an amount for each visit, or 1 for each time that begins, to the columns of its causes. */
const byCause =
  (amount: 'ms' | 'times'): Measure =>
  ({ blocked: visits }, _plan, sink) =>
  () => {
    for (let i = 0; i < visits.count; i += 1) {
      const causes = causesAt(visits, i);
      if (causes === 0) continue;
      const ms = visits.ms(i);
      const before = causesAt(visits, i - 1);
      for (let key = 0; key < columns.length; key += 1) {
        const own = columns[key]?.causes ?? 0;
        if ((causes & own) === 0) continue;
        const begun = (before & own) === 0 ? 1 : 0;
        sink.add(key, amount === 'ms' ? ms : begun, begun, 0, 0);
      }
    }
  };

/** The causes that block the issue at the end, each since the beginning of its own time. */
const currentCauses: Current = ({ blocked: visits }) =>
  columns.flatMap(({ causes: own }, key): readonly CurrentKey[] => {
    let first = visits.open;
    if (first === NONE || (causesAt(visits, first) & own) === 0) return [];
    while ((causesAt(visits, first - 1) & own) !== 0) first -= 1;
    return [{ key, since: visits.since(first), status: 0, other: 0 }];
  });

const durations = columns.map(({ id, title }) => columnOf({ id, title }, 'duration'));

/**
 * Time in which the issue was blocked, and how many times: by whatever it was, and by each cause. Causes that overlap count once
 * in the first column.
 */
export const blockedDuration: IssueReport = {
  id: reportIds.blockedDuration,
  title: 'Blocked Duration',
  shape: 'issue',
  options: [],
  requires: [],
  sharesOut: false,
  kind: 'duration',
  levels: ['metric'],
  composite: false,
  fields: 'blocked',
  hasVisits: true,
  readsCut: () => false,
  keys: () => fixedKeys(durations),
  measure: byCause('ms'),
  current: currentCauses,
};

const counts = columns.map(({ id, title }) => columnOf({ id, title }, 'count'));

/** The number of times the issue was blocked: by whatever it was, and by each cause. */
export const blockedCount: ReportType = {
  ...blockedDuration,
  id: reportIds.blockedCount,
  title: 'Blocked Count',
  kind: 'count',
  keys: () => fixedKeys(counts),
  measure: byCause('times'),
};

/** Time in which the issue was blocked, by the status that it was in, with the number of visits in which it was. */
export const blockedDurationByStatus: ReportType = {
  ...blockedDuration,
  id: reportIds.blockedDurationByStatus,
  title: 'Blocked Duration by Status',
  sharesOut: true,
  levels: ['status'],
  keys: (vocabulary, context) => statusKeys(vocabulary, context, 'duration'),
  measure:
    ({ blocked, statuses }, { statuses: { at, slots } }, sink) =>
    () => {
      let i = 0;
      for (let visit = 0; visit < statuses.count; visit += 1) {
        const code = statuses.codes[visit];
        const [start, end] = [statuses.bounds[visit], statuses.bounds[visit + 1]];
        if (start === end) continue;
        while (i > 0 && blocked.bounds[i] > start) i -= 1;
        for (; i < blocked.count && blocked.bounds[i] < end; i += 1) {
          const isApart = blocked.bounds[i + 1] <= start;
          if (isApart || code < FIRST_VALUE || causesAt(blocked, i) === 0) continue;
          const ms = overlapMs(statuses, visit, blocked, i);
          for (let slot = at[code] ?? 0; slot < (at[code + 1] ?? 0); slot += 1)
            sink.addPart(slots[slot] ?? 0, ms, statuses.at + visit, code, 0);
        }
      }
    },
  current: ({ blocked, statuses }, { statuses: { at, slots } }) => {
    const isBlocked = blocked.open !== NONE && causesAt(blocked, blocked.open) !== 0;
    if (!isBlocked || statuses.open === NONE) return [];
    const status = statuses.codes[statuses.open] ?? 0;
    const since = statuses.since(statuses.open);
    return Array.from(slots.subarray(at[status], at[status + 1]), (key) => ({
      key,
      since,
      status,
      other: 0,
    }));
  },
};
