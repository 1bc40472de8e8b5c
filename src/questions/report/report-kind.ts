import type { Answer } from '../../model/answer.ts';
import type { Question, ReportQuestion, SavedQuestion } from '../../model/question.ts';
import { type AudienceScope, ask, type ReportRequest } from '../../model/request.ts';
import type { Provenance, Table } from '../../model/table.ts';
import { rangeOf } from '../figures/moving-range.ts';
import { reaches } from '../figures/read-table.ts';
import type { AnswerContext, Figures, QuestionKind } from '../kind.ts';
import { allowedPastDays, allowedRanges } from '../parse/read-range.ts';
import { allowedStatistics } from '../parse/take-tails.ts';

import { happened, issuesText, whenText } from '../view/subject-words.ts';
import { explainReport, reportFigures } from './explain-report.ts';
import { readReport } from './read-report.ts';
import { readSaved } from './read-saved.ts';
import { type ReportFigures, reportView } from './report-view.ts';
import { asksSummary, explainSummary, summarize, summaryFigures, trendFigures } from './summarize.ts';
import { asksTrend, trendOf, trendStatistic } from './trend.ts';

type Asked = ReportQuestion | SavedQuestion;

/** What a report and a saved one have in common, once their request is known. */
const common = {
  async answer(question, { part, ...context }) {
    const whole = await requestOf(question, context);
    if (asksTrend(question)) return runTrend(whole, question.timeZone, context.parts);
    return asksSummary(question) ? runSummary(whole, context.parts) : runReport(whole, part, context.parts);
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
  view: reportView,
  figures({ table, summary, trend }) {
    if (trend !== undefined) return trendFigures(trend);
    return summary === undefined ? reportFigures(table) : summaryFigures(summary);
  },
  async explain(figure, question, context) {
    const explain = asksSummary(question) || asksTrend(question) ? explainSummary : explainReport;
    return explain(figure, await requestOf(question, context), context.parts.reporting);
  },
  file: async (question, context) => ({ ...(await requestOf(question, context)), statistic: null }),
} satisfies Partial<QuestionKind<Asked, ReportFigures>>;

/** `/tis FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]`. */
export const reportKind: QuestionKind<ReportQuestion, ReportFigures> = {
  ...common,
  kind: 'report',
  builderTitle: null,
  commands: [
    {
      word: 'project',
      usage: '/tis FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]',
      summary: 'Time in status across many issues (average, median, p85 …)',
      examples: [
        '/tis project WEB last 30 days by assignee',
        '/tis WEB p85 in 24/7',
        '/tis sprint in openSprints() median',
        '/tis filter "Open bugs of the web shop" list',
        '/tis assignee me resolved this month by statusCount',
        '/tis WEB bugs finished in october, median cycle time',
      ],
      details: [
        'FILTER is `project KEY` or just `KEY`, `sprint NAME`, `filter NAME`, `assignee NAME`, or `jql QUERY`; put a name in quotes if it holds words like these.',
        `RANGE is ${allowedRanges}; DAY is ${allowedPastDays}. Without a field it means when issues were finished, as in weekly; resolved is the date of the resolution.`,
        `STATISTIC is ${allowedStatistics}. What comes after FILTER can be in any order. A RANGE by week or by month is a trend by when issues were finished: of cycle times, or of \`time in QA\`.`,
        'At the end, `cycle time` is the time from start to done, and `time in QA` shows that status alone.',
        'You can also ask in your own words: they are read as the line that they mean, which is shown with the answer.',
        '`in hours` or `in days` is the unit durations are shown in; it changes no calendar.',
      ].join('\n'),
      tries: ({ project }) => [`/tis project ${project} last 30 days by assignee`, `/tis ${project} median`],
    },
    {
      word: 'jql',
      usage: '/tis jql QUERY [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]',
      summary: 'The same for the issues that JQL finds',
      examples: [
        '/tis jql project = WEB AND status changed by ada',
        '/tis jql labels = urgent by priority median',
      ],
      details:
        'The query is everything after jql up to words that Dwell knows; words in quotes belong to it. `/tis help project` shows what can come after it.',
      tries: ({ project }) => [`/tis jql project = ${project} AND created >= -30d list`],
    },
  ],
  read: readReport,
  builder: ({ request, range, isSummary, isTrend }) => {
    const { reportType, selection, groupBy, statistic, calendar, timePeriod } = request;
    const untouched = isSummary || (isTrend && statistic?.type === trendStatistic.type);
    return {
      ...{ report: reportType, filter: selection, calendar, groupBy, statistic, range, timePeriod },
      ...(untouched ? { isSummary: true } : {}),
    };
  },
  selections: ({ request }) => [request.selection],
  ranges: ({ range }) => (range === null ? [] : [range]),
  checks: ({ request, timeZone }, principal) => [ask({ ...request, principal, timeZone })],
  fileFacts: ({ request: { selection, reportType } }) => ({ selection, reportType }),
  title({ request, range, isSummary, isTrend }) {
    const groups = request.groupBy.length > 0 ? ` by ${request.groupBy.join(' and ')}` : '';
    const moving = range === null ? '' : `, ${happened[range.field]} ${whenText(range.when)}`;
    const report = request.reportType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const what = isTrend
      ? request.statuses === null
        ? 'cycle times by period of finish'
        : 'time in a status by period of finish'
      : isSummary
        ? 'summary'
        : `${request.statistic?.type ?? 'list'} of ${report}`;
    return `${what} of ${issuesText(request.selection)}${moving}${groups}`;
  },
};

/** Whether a question is a report, and so can be saved as a parameter set. */
export function isReportQuestion(question: Question): question is ReportQuestion {
  return question.kind === reportKind.kind;
}

/** `/tis saved NAME`: a report whose request was saved. */
export const savedKind: QuestionKind<SavedQuestion, ReportFigures> = {
  ...common,
  kind: 'saved',
  commands: [
    {
      word: 'saved',
      usage: '/tis saved [NAME]',
      summary: 'Your saved reports, or the answer of one of them',
      examples: ['/tis saved Review times'],
      details:
        'NAME is a saved report of yours, or a public one. New ones are saved in the report builder: `/tis`.',
      tries: () => ['/tis saved'],
    },
  ],
  read: readSaved,
  selections: () => [],
  ranges: () => [],
  checks: () => [],
  title: () => 'a saved report',
  asAnswered,
};

/** The request behind a report as it is asked, its statistic included, without a page. */
async function requestOf(question: Asked, { principal, asOf, parts }: AnswerContext): Promise<ReportRequest> {
  if (question.kind === 'saved') {
    const request = await parts.readSaved(principal, question, asOf);
    return { ...request, principal, asOf: request.asOf ?? asOf, page: null };
  }
  const { request, range, timeZone } = question;
  return ask({ ...request, principal, asOf, dateRange: rangeOf(range, { asOf, timeZone }) });
}

async function runSummary(
  request: ReportRequest,
  { reporting }: AnswerContext['parts'],
): Promise<Figures<ReportFigures>> {
  const { summary, provenance } = await summarize(request, reporting);
  const table = withoutLines(request, provenance);
  return { value: { table, request, summary }, contents: provenance.contents ?? null };
}

async function runTrend(
  request: ReportRequest,
  timeZone: string,
  { reporting }: AnswerContext['parts'],
): Promise<Figures<ReportFigures>> {
  const { trend, provenance } = await trendOf(request, timeZone, reporting);
  const from = request.dateRange?.from ?? trend.points[0]?.start ?? null;
  const held = { ...request, dateRange: request.dateRange && { ...request.dateRange, from } };
  const table = withoutLines(request, provenance);
  return { value: { table, request: held, trend }, contents: provenance.contents ?? null };
}

function withoutLines({ statistic }: ReportRequest, provenance: Provenance): Table {
  return {
    ...{ columns: [], issues: [], rows: [], composite: false, page: null, statistic, provenance },
    statuses: { included: [], excluded: [], deleted: [] },
  };
}

/** Runs a report: of a list only a part, for a figure of many issues all of them. */
async function runReport(
  whole: ReportRequest,
  { start, size }: { readonly start: number; readonly size: number },
  { reporting }: AnswerContext['parts'],
): Promise<Figures<ReportFigures>> {
  if (whole.statistic !== null) {
    const table = await reporting.report(whole);
    return { value: { table, request: whole }, contents: table.provenance.contents ?? null };
  }
  const request: ReportRequest = { ...whole, page: { by: 'index', start, size } };
  const table = await reporting.report(request);
  const { page, provenance } = table;
  const isAll = page === null || provenance.issues === page.total;
  // What is said above a part, such as how many there are, is about all of them.
  const contents: AudienceScope | null = isAll
    ? (provenance.contents ?? null)
    : await reporting.audienceScope(whole);
  return { value: { table, request }, contents };
}

/** What a saved set asked for when it was answered: others may not read the set, and it may change. */
function asAnswered({ question, asOf, value }: Answer<ReportFigures>) {
  const { principal: _principal, asOf: own, page: _page, dateRange, ...request } = value.request;
  const range =
    dateRange === null
      ? null
      : ({ field: dateRange.field, when: { by: 'dates', from: dateRange.from, to: dateRange.to } } as const);
  const report: ReportQuestion = { kind: 'report', request, range, timeZone: question.timeZone };
  return { question: report, asOf: own ?? asOf };
}
