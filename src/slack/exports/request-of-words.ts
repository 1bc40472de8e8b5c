import type { Principal } from '../../model/principal.ts';
import { ask, type ReportRequest } from '../../model/request.ts';
import type { ExportWords } from './read-export-words.ts';

/** The list that is meant by what somebody typed or chose. */
export function requestOfWords(
  { reportType, selection }: Pick<ExportWords, 'reportType' | 'selection'>,
  principal: Principal,
): ReportRequest {
  return ask({ principal, reportType, selection, includeDeletedStatuses: true });
}
