import type { MovingRange, ReportQuestion, SavedQuestion } from '../../model/question.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { ViewContext } from '../kind.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import { dataEndWarning, incompleteWarning } from '../view/answer-warnings.ts';
import { footText, queryText } from '../view/foot-text.ts';
import { rangeWords, selectionWords } from '../view/subject-words.ts';
import { say, type Wording } from '../view/wording.ts';
import { listView } from './list-view.ts';
import { statisticView } from './statistic-view.ts';

/** A table, and the request it answers: of a list only a part. */
export interface ReportFigures {
  readonly table: Table;
  readonly request: ReportRequest;
}

/** A report over issues: a list in parts, or figures that condense it. */
export function reportView(
  { table, request }: ReportFigures,
  { question, place }: Pick<ViewContext, 'place'> & { readonly question: ReportQuestion | SavedQuestion },
): Sheet {
  const range = question.kind === 'report' ? question.range : rangeOf(request);
  const which = (wording: Wording) =>
    `${selectionWords(request.selection, wording)}${rangeWords(range, wording)}`;
  const parts: ReportParts = { table, request, which };
  const query = queryText(request.selection, place);
  const sheet = {
    warnings: [...dataEndWarning(table.provenance, endOf(request)), ...incompleteWarning(table.provenance)],
    fields: [],
    foot: say((wording) => footText(table.provenance, wording, query)),
    details: [],
    hasFile: true,
    isPersonal: false,
  };
  return { ...sheet, ...(table.statistic === null ? listView(parts) : statisticView(parts)) };
}

function rangeOf({ dateRange }: ReportRequest): MovingRange | null {
  if (dateRange === null) return null;
  const { field, from, to } = dateRange;
  return { field, when: { by: 'dates', from, to } };
}

/** The end of the time that was asked about, where it has one. */
function endOf({ dateRange }: ReportRequest) {
  const at = dateRange?.to ?? null;
  return at === null ? null : { at, called: 'the end of that time' };
}

/** What a list and a statistic have in common. */
export interface ReportParts {
  readonly table: Table;
  readonly request: ReportRequest;
  /** Which issues are meant, to follow their number. */
  readonly which: (wording: Wording) => string;
}
