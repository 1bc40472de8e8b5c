import type { MovingRange, Question } from '../../model/question.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { AnswerPlace } from './answer-place.ts';
import { dataEndWarning } from './data-end-warning.ts';
import { footText } from './foot-text.ts';
import { incompleteWarning } from './incomplete-warning.ts';
import { listSheet } from './list-sheet.ts';
import { queryText } from './query-text.ts';
import type { ReportParts } from './report-parts.ts';
import type { Sheet } from './sheet.ts';
import { statisticSheet } from './statistic-sheet.ts';
import { rangeWords, selectionWords } from './subject-words.ts';
import { say, type Wording } from './wording.ts';

/** A report over issues: a list in parts, or figures that condense it. */
export function reportSheet(
  table: Table,
  request: ReportRequest,
  question: Question,
  place: AnswerPlace,
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
  return { ...sheet, ...(table.statistic === null ? listSheet(parts) : statisticSheet(parts)) };
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
