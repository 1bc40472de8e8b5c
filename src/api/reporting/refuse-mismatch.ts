import type { ReportType } from '../../engine/report-type.ts';
import { type AppError, about, badRequestAs } from '../../model/error.ts';
import type { ReportRequest } from '../../model/request.ts';

/** A report type and choices that make no sense together, wherever it is answered: some services would answer another question. */
export function refuseMismatch(request: ReportRequest, report: ReportType): void {
  const { selection, statistic, metrics, historyFields, creditDelegates } = request;
  if (report.shape === 'visit' && (selection.by !== 'keys' || statistic !== null)) {
    throw conflict(
      'columnsBy',
      `'${report.id}' shows the visits of single issues. Try: a report type without Expanded.`,
    );
  }
  if (report.kind === 'instant' && statistic !== null) {
    throw conflict(
      'columnsBy',
      `'${report.id}' shows dates, which have no ${statistic.type}. Try: a duration or count report.`,
    );
  }
  if (report.id === 'durationBetweenStatuses' && metrics.length === 0) throw missing('dbsMetrics');
  if (creditDelegates !== null && report.id !== 'assigneeDuration') {
    const asked = creditDelegates.join(', ') || 'true';
    throw conflict(
      'creditDelegates',
      `'${asked}' does not go with columnsBy '${report.id}'. Try: columnsBy assigneeDuration.`,
    );
  }
  if (report.levels[0] === 'value' && historyFields.length === 0) throw missing('historyFields');

  function conflict(field: string, problem: string): AppError {
    return badRequestAs('conflicting-values', about(field, problem));
  }

  function missing(field: string): AppError {
    return badRequestAs('missing-value', about(field, `is required with columnsBy ${report.id}.`));
  }
}
