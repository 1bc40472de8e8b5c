import { reportIds } from '../../model/report-ids.ts';
import { FIRST_VALUE } from '../columns/value-codes.ts';
import { noKeys, nowhere, statusLevel, transitionTitle } from './measuring/report-keys.ts';
import type { MeasureContext, ReportKeys, ReportType, Vocabulary } from './measuring/report-type.ts';

/** Number of times that each transition happened: one column per pair of statuses. */
export const transitionCount: ReportType = {
  id: reportIds.transitionCount,
  title: 'Transition Count',
  shape: 'issue',
  options: [],
  requires: [],
  sharesOut: true,
  kind: 'count',
  levels: ['status', 'status'],
  composite: false,
  fields: 'status',
  hasVisits: true,
  readsCut: () => true,
  keys: transitionKeys,
  // Transitions into and out of unknown time are unknown.
  measure:
    ({ statuses: visits }, { statuses: { at, slots }, inner }, sink) =>
    () => {
      for (let i = 1; i < visits.count; i += 1) {
        const from = visits.codes[i - 1];
        const to = visits.codes[i];
        if (from < FIRST_VALUE || to < FIRST_VALUE) continue;
        sink.add(slots[at[from]] * inner + slots[at[to]], 1, 1, from, to);
      }
    },
  current: nowhere,
};

function transitionKeys(vocabulary: Vocabulary, context: MeasureContext): ReportKeys {
  // Transitions are between single statuses, even if these are consolidated.
  const { codes } = statusLevel(vocabulary, { ...context, consolidated: [] });
  const statusOf = (code: number) => vocabulary.statuses[code] ?? { id: '', name: '' };
  const inner = Math.max(1, codes.size);
  return {
    ...noKeys,
    statuses: codes,
    inner,
    keys: codes.size * inner,
    columnOf(_key, status, other) {
      const [from, to] = [statusOf(status), statusOf(other)];
      return {
        id: `${from.id}:${to.id}`,
        title: transitionTitle(from.name, to.name),
        kind: 'count',
        part: 'value',
        ids: [from.id, to.id],
        statuses: [from, to],
      };
    },
  };
}
