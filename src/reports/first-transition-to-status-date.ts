import type { ReportType } from '../engine/report-type.ts';
import { entries, transitionDates } from '../engine/transition-dates.ts';

/** The date of the first entry into each status. */
export const firstTransitionToStatusDate: ReportType = {
  id: 'firstTransitionToStatusDate',
  title: 'First Transition To Status Date',
  shape: 'issue',
  kind: 'instant',
  levels: ['status'],
  composite: false,
  measure: (issue, context) => transitionDates(issue, context, entries, 'first'),
};
