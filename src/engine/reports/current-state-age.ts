import type { ReportType } from '../measure/report-type.ts';
import { columnOf, openVisit, sinceOf, unknownOf, visitsOf } from '../measure/value-columns.ts';

const column = columnOf({ id: 'age', title: 'Age' }, 'duration');

/** How long the issue has been in the status it is in, this visit alone. */
export const currentStateAge: ReportType = {
  id: 'currentStateAge',
  title: 'Current State Age',
  shape: 'issue',
  kind: 'duration',
  levels: ['metric'],
  composite: false,
  columns: { kernel: 'age', column },
  measure(issue, context) {
    const { visits, contradictions } = visitsOf(issue, 'status', context);
    const last = openVisit(visits);
    return {
      columns: [column],
      // Since when it has been there nobody knows if the history is cut behind that.
      lines: [
        last?.begun ? { age: { value: context.calendar.between(last.start, last.end), visits: 1 } } : {},
      ],
      current: last === null ? [] : [{ columnId: column.id, title: column.title, since: sinceOf(last) }],
      unknown: unknownOf(visits, context),
      contradictions,
    };
  },
};
