import type { ReportType } from '../engine/report-type.ts';
import { visitLines } from '../engine/visit-lines.ts';

/** The same for any field whose history the tracker keeps: one line per visit of each asked-for field. */
export const anyFieldDurationExpanded: ReportType = {
  id: 'anyFieldDurationExpanded',
  title: 'Any Field History Expanded',
  shape: 'visit',
  kind: 'duration',
  levels: ['value'],
  composite: false,
  measure: (issue, context) =>
    visitLines(
      issue,
      context.historyFields.map(({ id }) => id),
      context,
    ),
};
