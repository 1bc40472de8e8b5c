import type { Answer } from '../../../model/answer.ts';
import type { Question, ReportQuestion, SavedQuestion } from '../../../model/question.ts';
import { type AudienceScope, ask, type ReportRequest } from '../../../model/request.ts';
import type { Provenance, Table } from '../../../model/table.ts';
import { reaches } from '../../outcomes/read-table.ts';
import { withKnownCategories } from '../document.ts';
import { rangeOf } from '../figures/moving-range.ts';
import type { AnswerContext, Figures, QuestionKind } from '../question-kind.ts';
import { explainReport, reportFigures } from './explain-report.ts';
import {
  asksSummary,
  explainSummary,
  type ReportSummary,
  summarize,
  summaryFigures,
  summarySchema,
  trendFigures,
} from './summary-answer.ts';
import type { Trend } from './trend.ts';
import { asksTrend, trendOf } from './trend.ts';

/** A table, and the request it answers: of a list only a part. A summary has a table without lines. */
export interface ReportFigures {
  readonly table: Table;
  readonly request: ReportRequest;
  readonly summary?: ReportSummary;
  /** So has a trend. */
  readonly trend?: Trend;
}

/** The summary of an answer. Over REST a table is a report of its own. */
export function summaryOf({ summary }: ReportFigures): ReportSummary {
  if (summary === undefined) throw new Error('This answer is a table.');
  return summary;
}

type OwnQuestion = ReportQuestion | SavedQuestion;

/** The members that a report and a saved one have in common, once their request is known. */
const common = {
  async answer(question, context) {
    const request = await requestOf(question, context);
    const { reporting } = context.parts;
    if (asksTrend(question)) {
      const { trend, provenance } = await trendOf(request, question.timeZone, reporting);
      const { dateRange } = request;
      const from = dateRange?.from ?? trend.points[0]?.start ?? null;
      const fixed = { ...request, dateRange: dateRange && { ...dateRange, from } };
      const table = withoutLines(request, provenance);
      return { value: { table, request: fixed, trend }, contents: provenance.contents ?? null };
    }
    if (!asksSummary(question)) return runReport(request, context.parts);
    const { summary, provenance } = await summarize(request, reporting);
    const table = withoutLines(request, provenance);
    return { value: { table, request, summary }, contents: provenance.contents ?? null };
  },
  isEmpty: ({ table: { page, provenance }, request, trend }) =>
    (trend?.finished ?? page?.total ?? provenance.issues) === 0 &&
    reaches(provenance, request.dateRange?.to ?? null),
  withProvenance: ({ table, ...value }, change) => ({
    ...value,
    table: { ...table, provenance: change(table.provenance) },
  }),
  listLength: ({ table }) => table.page?.total ?? null,
  issuesBehind: (_, { request }) => [{ ...request, statistic: null, page: null }],
  document: {
    schema: summarySchema,
    facts: ({ table: { provenance }, request, summary }) => ({
      provenance: summary === undefined ? provenance : withKnownCategories(provenance, summary),
      until: request.dateRange?.to ?? null,
    }),
    figures: summaryOf,
  },
  figures({ table, summary, trend }) {
    if (trend !== undefined) return trendFigures(trend);
    return summary === undefined ? reportFigures(table) : summaryFigures(summary);
  },
  async explain(figure, question, context) {
    const explain = asksSummary(question) || asksTrend(question) ? explainSummary : explainReport;
    return explain(figure, await requestOf(question, context), context.parts.reporting);
  },
  file: async (question, context) => ({ ...(await requestOf(question, context)), statistic: null }),
} satisfies Partial<QuestionKind<OwnQuestion, ReportFigures>>;

/** `/tis FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]`. */
export const reportKind: QuestionKind<ReportQuestion, ReportFigures> = {
  ...common,
  kind: 'report',
  selections: ({ request }) => [request.selection],
  ranges: ({ range }) => (range === null ? [] : [range]),
  checks: ({ request, timeZone }, principal) => [ask({ ...request, principal, timeZone })],
  fileFacts: ({ request: { selection, reportType } }) => ({ selection, reportType }),
};

/** A question is a report, and so can be saved as a parameter set. */
export function isReportQuestion(question: Question): question is ReportQuestion {
  return question.kind === reportKind.kind;
}

/** `/tis saved NAME`: a report whose request was saved. */
export const savedKind: QuestionKind<SavedQuestion, ReportFigures> = {
  ...common,
  kind: 'saved',
  selections: () => [],
  checks: () => [],
  asAnswered,
};

/** The request behind a report, its statistic included, without a page. */
async function requestOf(
  question: OwnQuestion,
  { principal, asOf, parts }: AnswerContext,
): Promise<ReportRequest> {
  if (question.kind === 'saved') {
    const request = await parts.readSaved(principal, question, asOf);
    return { ...request, principal, asOf: request.asOf ?? asOf, page: null };
  }
  const { request, range, timeZone } = question;
  return ask({ ...request, principal, asOf, dateRange: rangeOf(range, { asOf, timeZone }) });
}

function withoutLines({ statistic }: ReportRequest, provenance: Provenance): Table {
  return {
    columns: [],
    issues: [],
    rows: [],
    composite: false,
    page: null,
    statistic,
    provenance,
    statuses: { included: [], excluded: [], deleted: [] },
  };
}

/** Runs a report: of a list only a part, for a figure of many issues all of them. */
async function runReport(
  whole: ReportRequest,
  { reporting, part: { start, size } }: AnswerContext['parts'],
): Promise<Figures<ReportFigures>> {
  if (whole.statistic !== null) {
    const table = await reporting.report(whole);
    return { value: { table, request: whole }, contents: table.provenance.contents ?? null };
  }
  const request: ReportRequest = { ...whole, page: { by: 'index', start, size } };
  const table = await reporting.report(request);
  const { page, provenance } = table;
  const isAll = page === null || provenance.issues === page.total;
  // The text above a part, such as the number of issues, is about all of them.
  const contents: AudienceScope | null = isAll
    ? (provenance.contents ?? null)
    : await reporting.audienceScope(whole);
  return { value: { table, request }, contents };
}

/** The report that a saved set was when it was answered: others cannot read the set, and it may change. */
function asAnswered({ question, asOf, value }: Answer<ReportFigures>) {
  const { principal: _principal, asOf: own, page: _page, dateRange, ...request } = value.request;
  const range =
    dateRange === null
      ? null
      : ({ field: dateRange.field, when: { by: 'dates', from: dateRange.from, to: dateRange.to } } as const);
  const report: ReportQuestion = { kind: 'report', request, range, timeZone: question.timeZone };
  return { question: report, asOf: own ?? asOf };
}
