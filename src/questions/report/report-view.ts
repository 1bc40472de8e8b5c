import type { MovingRange, ReportQuestion, SavedQuestion } from '../../model/question.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Table } from '../../model/table.ts';
import type { ViewContext } from '../kind.ts';
import type { Sheet } from '../view/answer-sheet.ts';
import {
  beyondDoubts,
  dataEndWarning,
  footText,
  incompleteWarning,
  queryText,
} from '../view/answer-warnings.ts';
import { happened, subjectWords } from '../view/subject-words.ts';
import { type Said, say, type Wording } from '../view/wording.ts';
import { listView } from './list-view.ts';
import { isByPeriod } from './period-view.ts';
import { type ReportParts, statisticView } from './statistic-view.ts';
import type { ReportSummary } from './summarize.ts';
import { summaryView } from './summary-view.ts';
import type { Trend } from './trend.ts';
import { trendView } from './trend-view.ts';

/** A table, and the request it answers: of a list only a part. A summary has a table without lines. */
export interface ReportFigures {
  readonly table: Table;
  readonly request: ReportRequest;
  readonly summary?: ReportSummary;
  /** So has a trend. */
  readonly trend?: Trend;
}

/** A report over issues: a list in parts, figures that condense it, or a summary. */
export function reportView(
  { table, request, summary, trend }: ReportFigures,
  { question, place }: Pick<ViewContext, 'place'> & { readonly question: ReportQuestion | SavedQuestion },
): Sheet {
  const { page, provenance } = table;
  const asked = question.kind === 'report' ? question.range : rangeOf(request);
  // A trend without a first day has the last periods only.
  const range = trend !== undefined && asked?.when.by === 'dates' ? rangeOf(request) : asked;
  const subject = (wording: Wording) =>
    subjectWords(request.selection, trend?.finished ?? page?.total ?? provenance.issues, range, wording);
  const parts: ReportParts = { table, subject, isOfTime: range !== null };
  const query = queryText(request.selection, place);
  const foot = (wording: Wording) => footText(provenance, wording, query);
  const known =
    summary === undefined ? provenance : beyondDoubts(provenance, summary.doubts, request.dateRange);
  const warnings = [
    ...dataEndWarning(provenance, endOf(request)),
    ...incompleteWarning(known),
    ...(range !== null && trend === undefined && isByPeriod(table) ? [fewerEarlier(range, request)] : []),
  ];
  const sheet = { warnings, fields: [], foot: say(foot), hasFile: true, isPersonal: false };
  if (summary !== undefined) {
    const {
      leftOut,
      warnings: more,
      ...view
    } = summaryView(summary, provenance, {
      subject,
      withAverage: question.kind === 'report' && question.withAverage === true,
    });
    return {
      ...sheet,
      ...view,
      warnings: [...warnings, ...more],
      foot: say((wording) => capitalized([leftOut(wording), foot(wording)].filter((one) => one !== null))),
    };
  }
  if (trend !== undefined) {
    const { warnings: more, ...view } = trendView(trend, provenance, subject);
    return { ...sheet, ...view, warnings: [...warnings, ...more] };
  }
  return { ...sheet, ...(table.statistic === null ? listView(parts) : statisticView(parts)) };
}

/** Periods of issues that something happened to lately cannot be compared with each other. */
function fewerEarlier({ field }: MovingRange, { groupBy }: ReportRequest): Said {
  const more =
    field === 'finished' && groupBy.length > 0
      ? ' For a trend by when issues were finished, leave out the grouping.'
      : '';
  return say(
    () =>
      `Only issues ${happened[field]} in that time are counted, so earlier periods have fewer of them.${more}`,
  );
}

/** Parts of one line, of which only the first begins with a capital letter. */
function capitalized([first = '', ...others]: readonly string[]): string {
  const lower = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others.map(lower)].join(' · ');
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
