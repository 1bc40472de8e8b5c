import type { ReportType, ValueColumn } from '../engine/report-type.ts';
import { transitionsOf } from '../engine/timeline.ts';
import { createTally, transitionTitle, unknownOf, visitsOf } from '../engine/value-columns.ts';

/** How many times each transition happened: one column per pair of statuses, from and to. */
export const transitionCount: ReportType = {
  id: 'transitionCount',
  title: 'Transition Count',
  shape: 'issue',
  kind: 'count',
  levels: ['status', 'status'],
  composite: false,
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const tally = createTally();
    for (const { from, to } of transitionsOf(visits)) {
      const name = (value: typeof from) => context.nameOf(issue, 'status', value);
      const column: ValueColumn = {
        id: `${from.id}:${to.id}`,
        title: transitionTitle(name(from), name(to)),
        kind: 'count',
        part: 'value',
        ids: [from.id, to.id],
        statuses: [from, to].map((value) => ({ id: value.id, name: name(value) })),
      };
      tally.add(column, 1, 1);
    }
    return {
      ...tally.measured(),
      current: [],
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};
