import { shorten } from '../../block-kit/shorten.ts';
import type { Aging, AgingIssue } from '../../model/answer.ts';
import type { MeasuredQuestion } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import type { ViewContext } from '../kind.ts';
import { agingColumns, agingRow } from '../view/aging-rows.ts';
import { agingChart } from '../view/answer-charts.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import {
  categoryWarning,
  dataEndWarning,
  incompleteWarning,
  unclearWarning,
  unknownAges,
} from '../view/answer-warnings.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { countOf, countWords, timeText } from '../view/figure-words.ts';
import { footText, historiesOf, queryText } from '../view/foot-text.ts';
import { selectionWords } from '../view/subject-words.ts';
import { say, type Wording } from '../view/wording.ts';

const NAME_LENGTH = 80;

/** Open issues by how long they have been where they are, against what is usual there. */
export interface AgingQuestion extends MeasuredQuestion {
  readonly kind: 'aging';
  readonly selection: Selection;
}

/** Open issues by how far they are beyond what is usual. */
export function agingView(
  aging: Aging,
  {
    question: { selection },
    part: { start, size },
    place,
  }: ViewContext & { readonly question: AgingQuestion },
): Sheet {
  const { issues, count, unknown, doubts, provenance } = aging;
  const dayMs = dayMsOf(provenance.calendar);
  const shown = issues.slice(start, start + size);
  return {
    headline: say((wording) => headText(aging, selectionWords(selection, wording), wording)),
    warnings: [
      ...dataEndWarning(provenance),
      ...incompleteWarning(provenance),
      ...categoryWarning(doubts),
      ...unknownAges(unknown, provenance),
      ...unclearWarning(doubts),
    ],
    fields: [],
    chart: agingChart(shown, dayMs),
    table: figureTable(
      agingColumns,
      shown.map((issue) => agingRow(issue, dayMs)),
    ),
    remarks: [],
    page: { start, end: start + shown.length, total: count },
    foot: say((wording) => footText(historiesOf(provenance), wording, queryText(selection, place))),
    details: [],
    hasFile: true,
    isPersonal: false,
  };
}

function headText(aging: Aging, which: string, wording: Wording): string {
  const { issues, count, beyond, provenance } = aging;
  const { strong } = wording;
  const [first] = issues;
  if (first === undefined) return nothingText(aging, which, wording);
  const dayMs = dayMsOf(provenance.calendar);
  const all = `${countOf(count, 'open issue')}${which}`;
  if (beyond === 0) return `${withinText(aging, all, wording)} ${oldestText(aging, dayMs, wording)}`;
  const sits = beyond === 1 ? 'stays' : 'stay';
  return `${strong(countWords(beyond))} of ${all} ${sits} longer than usual. ${furthestText(first, dayMs, wording)}`;
}

/** Nothing is beyond what is usual, as far as that can be told. */
function withinText({ count, withBaseline }: Aging, all: string, { strong }: Wording): string {
  if (withBaseline === 0) return `${strong(all)}, and too few visits to tell what is usual.`;
  const some =
    withBaseline === count
      ? ''
      : `, of ${withBaseline === 1 ? 'the one' : `the ${countWords(withBaseline)}`} that can be compared with what is usual`;
  return `${strong('Nothing stays longer than usual')}${some}: ${all}.`;
}

/** No issue has an age: because there is none, or because nobody can tell. */
function nothingText({ unknown, doubts, provenance }: Aging, which: string, { strong }: Wording): string {
  if (unknown.length > 0) {
    return `${strong(countOf(unknown.length, 'open issue'))}${which}, ${unknown.length === 1 ? 'of which it is not' : 'of none of which it is'} known since when.`;
  }
  if (doubts.unclear.length + provenance.undecided > 0) {
    return `${strong('No issue is known to be open')}${which}, but of some nobody can tell.`;
  }
  return `${strong('No open issue')}${which}, or none that you may see. Ask about other issues, or see what was finished with /tis weekly.`;
}

function furthestText(
  { key, link, status, ageMs, baseline }: AgingIssue,
  dayMs: number,
  wording: Wording,
): string {
  const { strong } = wording;
  const compared = baseline === null ? '' : `, usual is ≤ ${timeText(baseline.p85, dayMs)}`;
  return `Furthest beyond: ${wording.key(key, link)}, in ${wording.words(shorten(status.title, NAME_LENGTH))} for ${strong(timeText(ageMs, dayMs))}${compared}.`;
}

function oldestText({ oldest }: Aging, dayMs: number, wording: Wording): string {
  if (oldest === null) return '';
  const { key, link, status, ageMs } = oldest;
  return `Longest: ${wording.key(key, link)}, in ${wording.words(shorten(status.title, NAME_LENGTH))} for ${wording.strong(timeText(ageMs, dayMs))}.`;
}
