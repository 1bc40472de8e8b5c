import type { FieldValue } from '../../model/issue.ts';
import type { ReportType, ValueColumn } from '../measure/report-type.ts';
import { transitionsOf } from '../measure/timeline.ts';
import { createTally, transitionTitle, unknownOf, visitsOf } from '../measure/value-columns.ts';

/** How many times each transition happened: one column per pair of statuses, from and to. */
export const transitionCount: ReportType = {
  id: 'transitionCount',
  title: 'Transition Count',
  shape: 'issue',
  kind: 'count',
  levels: ['status', 'status'],
  composite: false,
  columns: { kernel: 'transition', columnOf: transitionColumn },
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const tally = createTally();
    for (const { from, to } of transitionsOf(visits)) {
      const named = (value: FieldValue) => ({ id: value.id, name: context.nameOf(issue, 'status', value) });
      tally.add(transitionColumn(named(from), named(to)), 1, 1);
    }
    return {
      ...tally.measured(),
      current: [],
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};

function transitionColumn(from: FieldValue, to: FieldValue): ValueColumn {
  return {
    id: `${from.id}:${to.id}`,
    title: transitionTitle(from.name, to.name),
    kind: 'count',
    part: 'value',
    ids: [from.id, to.id],
    statuses: [from, to],
  };
}
