import { type Asker, ask, type ReportRequest } from '../../model/request.ts';
import type { ExportWords } from './read-export-words.ts';

/** The list that is meant by what somebody typed or chose. */
export function requestOfWords(
  { reportType, selection }: Pick<ExportWords, 'reportType' | 'selection'>,
  asker: Asker,
): ReportRequest {
  return ask({ asker, reportType, selection, includeDeletedStatuses: true });
}
