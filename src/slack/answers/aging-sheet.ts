import type { Part } from '../../api/answers.ts';
import type { Aging, AgingIssue } from '../../model/aging.ts';
import type { Question } from '../../model/question.ts';
import { shorten } from '../messages/shorten.ts';
import { agingColumns, agingRow } from './aging-rows.ts';
import { agingChart } from './answer-charts.ts';
import { countOf, countWords } from './count-words.ts';
import { dayMsOf } from './day-length.ts';
import { figureTable } from './figure-table.ts';
import { footText } from './foot-text.ts';
import { incompleteWarning } from './incomplete-warning.ts';
import type { Sheet } from './sheet.ts';
import { selectionWords } from './subject-words.ts';
import { unknownAges } from './unknown-ages.ts';
import { timeText } from './value-text.ts';
import { say, type Wording } from './wording.ts';

const NAME_LENGTH = 80;

/** Open issues by how far they are beyond what is usual. */
export function agingSheet(aging: Aging, question: Question, { start, size }: Part): Sheet {
  const { issues, unknown, provenance } = aging;
  const dayMs = dayMsOf(provenance.calendar);
  const shown = issues.slice(start, start + size);
  const selection = question.kind === 'aging' ? question.selection : null;
  return {
    headline: say((wording) =>
      headText(aging, selection === null ? '' : selectionWords(selection, wording), wording),
    ),
    warnings: [...incompleteWarning(provenance), ...unknownAges(unknown)],
    fields: [],
    chart: agingChart(shown, dayMs),
    table: figureTable(
      agingColumns,
      shown.map((issue) => agingRow(issue, dayMs)),
    ),
    remarks: [],
    page: { start, end: start + shown.length, total: issues.length },
    foot: say((wording) => footText(provenance, wording, selection?.by === 'jql' ? selection.jql : null)),
    details: [],
    hasFile: true,
    isPersonal: false,
  };
}

function headText({ issues, beyond, provenance }: Aging, which: string, wording: Wording): string {
  const { strong } = wording;
  const [first] = issues;
  if (first === undefined)
    return `${strong('No open issue')}${which}, or none that you may see. Ask about other issues, or see what was finished with /tis weekly.`;
  const dayMs = dayMsOf(provenance.calendar);
  const all = `${countOf(issues.length, 'open issue')}${which}`;
  if (beyond === 0)
    return `${strong('Nothing stays longer than usual')}: ${all}. ${oldestText(issues, dayMs, wording)}`;
  const sits = beyond === 1 ? 'stays' : 'stay';
  return `${strong(countWords(beyond))} of ${all} ${sits} longer than usual. ${furthestText(first, dayMs, wording)}`;
}

function furthestText(
  { key, link, status, ageMs, usual }: AgingIssue,
  dayMs: number,
  wording: Wording,
): string {
  const { strong } = wording;
  const compared = usual === null ? '' : `, usual is ≤ ${timeText(usual.p85, dayMs)}`;
  return `Furthest beyond: ${wording.key(key, link)}, in ${wording.words(shorten(status.title, NAME_LENGTH))} for ${strong(timeText(ageMs, dayMs))}${compared}.`;
}

function oldestText(issues: readonly AgingIssue[], dayMs: number, wording: Wording): string {
  const [oldest] = issues.toSorted((a, b) => b.ageMs - a.ageMs);
  if (oldest === undefined) return '';
  const { key, link, status, ageMs } = oldest;
  return `Longest: ${wording.key(key, link)}, in ${wording.words(shorten(status.title, NAME_LENGTH))} for ${wording.strong(timeText(ageMs, dayMs))}.`;
}
