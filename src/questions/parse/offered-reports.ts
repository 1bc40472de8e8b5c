import type { ReportTypeFacts } from '../../api/reporting.ts';

/** These are asked for with more than issues: between which statuses, of which field. */
const needMore = ['durationBetweenStatuses', 'anyFieldDuration'];

/** The report types a file of any issues can be asked for with nothing but their name. */
export function offeredReports(reportTypes: readonly ReportTypeFacts[]): readonly ReportTypeFacts[] {
  return reportTypes.filter(({ id, shape }) => shape === 'issue' && !needMore.includes(id));
}
