import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { ExportInput } from '../../model/export.ts';
import type { Selection } from '../../model/request.ts';

const KEYS_SHOWN = 5;
const NAME_LENGTH = 80;
const QUERY_LENGTH = 300;

/** What was asked for, in parts of a sentence: `Status Duration` of `project WEB` as `XLSX`. */
export interface ExportTitle {
  readonly report: string;
  readonly issues: string;
  readonly format: string;
}

/** An export in plain words, nothing escaped. */
export function exportTitle(
  { type, request }: ExportInput,
  { reportTypes }: Pick<ReportingApi, 'reportTypes'>,
): ExportTitle {
  const title = reportTypes.find(({ id }) => id === request.reportType)?.title ?? request.reportType;
  return { report: title, issues: issuesText(request.selection), format: type };
}

/** The same as one text: `Status Duration of project WEB as XLSX`. */
export function exportTitleText({ report, issues, format }: ExportTitle): string {
  return `${report} of ${issues} as ${format}`;
}

/** What issues are meant, in plain words, nothing escaped. */
export function issuesText(selection: Selection): string {
  switch (selection.by) {
    case 'keys': {
      const { keys, title } = selection;
      if (title !== undefined) return shorten(title, NAME_LENGTH);
      const more = keys.length - KEYS_SHOWN;
      return keys.slice(0, KEYS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
    }
    case 'project':
      return `project ${shorten(selection.project, NAME_LENGTH)}`;
    case 'user':
      return `issues of ${shorten(selection.user, NAME_LENGTH)}`;
    case 'savedFilter':
      return `filter ${shorten(selection.id, NAME_LENGTH)}`;
    case 'sprint':
      return `sprint ${shorten(selection.id, NAME_LENGTH)}`;
    case 'jql':
      return selection.title === undefined
        ? `the query ${shorten(selection.jql, QUERY_LENGTH)}`
        : `issues ${shorten(selection.title, NAME_LENGTH)}`;
  }
}
