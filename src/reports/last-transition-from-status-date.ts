import type { ReportType } from '../engine/report-type.ts';
import { exits, transitionDates } from '../engine/transition-dates.ts';

/** The date of the last exit from each status. */
export const lastTransitionFromStatusDate: ReportType = {
  id: 'lastTransitionFromStatusDate',
  title: 'Last Transition From Status Date',
  shape: 'issue',
  kind: 'instant',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => transitionDates(issue, context, exits, 'last'),
};
