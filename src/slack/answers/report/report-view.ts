import { type ReportFigures, reportKind, savedKind } from '../../../api/answers/report/report-kind.ts';
import { trendStatistic } from '../../../api/answers/report/trend.ts';
import type { MovingRange, ReportQuestion, SavedQuestion } from '../../../model/question.ts';
import type { ReportRequest } from '../../../model/request.ts';
import { cellIn, cellOf, type Table } from '../../../model/table.ts';
import { countOf, fieldText, valueCell } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { happened, issuesText, subjectWords, whenText } from '../../../output/subject-words.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { allowedStatistics } from '../../ask/grammar/parse-options.ts';
import { allowedPastDays, allowedRanges } from '../../ask/grammar/read-range.ts';
import type { AnswerSheet } from '../view/answer-sheet.ts';
import {
  beyondDoubts,
  dataEndWarning,
  footText,
  incompleteWarning,
  queryText,
} from '../view/answer-warnings.ts';
import {
  cappedTable,
  columnsOf,
  type FigureParts,
  glanceColumns,
  startedColumns,
  sumOf,
  type TableParts,
} from '../view/figures-drawn.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { isByPeriod } from './period-view.ts';
import { readReport } from './read-report.ts';
import { readSaved } from './read-saved.ts';
import { type ReportParts, statisticView } from './statistic-view.ts';
import { summaryView, trendView } from './summary-view.ts';

/** `/tis FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]`. */
export const reportView: QuestionView<ReportQuestion, ReportFigures> = {
  of: reportKind,
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
      report: reportType,
      filter: selection,
      calendar,
      groupBy,
      statistic,
      range,
      timePeriod,
      ...(untouched ? { isSummary: true } : {}),
    };
  },
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
  view: reportSheet,
};

/** `/tis saved NAME`: a report whose request was saved. */
export const savedView: QuestionView<SavedQuestion, ReportFigures> = {
  of: savedKind,
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
  title: () => 'a saved report',
  view: reportSheet,
};

/** A report over issues: a list in parts, figures that condense it, or a summary. */
function reportSheet(
  { table, request, summary, trend }: ReportFigures,
  { question, place }: ViewContext<ReportQuestion | SavedQuestion>,
): AnswerSheet {
  const { page, provenance } = table;
  const requested = question.kind === 'report' ? question.range : rangeOf(request);
  // A trend without a first day has the last periods only.
  const range = trend !== undefined && requested?.when.by === 'dates' ? rangeOf(request) : requested;
  const subject = (wording: Wording) =>
    subjectWords(request.selection, trend?.finished ?? page?.total ?? provenance.issues, range, wording);
  const parts: ReportParts = { table, subject, isOfTime: range !== null };
  const query = queryText(request.selection, place);
  const foot = (wording: Wording) => footText(provenance, wording, query);
  const known = summary === undefined ? provenance : beyondDoubts(provenance, summary, request.dateRange);
  const warnings = [
    ...dataEndWarning(provenance, endOf(request)),
    ...incompleteWarning(known),
    ...(range !== null && trend === undefined && isByPeriod(table) ? [fewerEarlier(range, request)] : []),
  ];
  const sheet = { warnings, footer: wordedText(foot) };
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
      footer: wordedText((wording) =>
        capitalized([leftOut(wording), foot(wording)].filter((one) => one !== null)),
      ),
    };
  }
  if (trend !== undefined) {
    const { warnings: more, ...view } = trendView(trend, provenance, subject);
    return { ...sheet, ...view, warnings: [...warnings, ...more] };
  }
  return { ...sheet, ...(table.statistic === null ? listView(parts) : statisticView(parts)) };
}

/** Periods of issues that something happened to lately cannot be compared with each other. */
function fewerEarlier({ field }: MovingRange, { groupBy }: ReportRequest): Text {
  const more =
    field === 'finished' && groupBy.length > 0
      ? ' For a trend by when issues were finished, leave out the grouping.'
      : '';
  return wordedText(
    () =>
      `Only issues ${happened[field]} in that time are counted, so earlier periods have fewer of them.${more}`,
  );
}

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

const NAME_LENGTH = 80;
const VALUES = 4;
/** A longer summary takes a second line. */
const SUMMARY_LENGTH = 34;

/** A list: the issues of this part, each with the columns that hold most. */
function listView({ table, subject }: ReportParts): FigureParts {
  const { page, issues } = table;
  const total = page?.total ?? issues.length;
  const { more } = glanceColumns(table, VALUES);
  const { remarks, ...lines } = linesOf(table);
  return {
    headline: wordedText((wording) =>
      [
        wording.bold(subject(wording)),
        total === 0
          ? 'Choose a longer time or other issues, and ask again.'
          : mostText(table, total, wording),
      ]
        .filter((line) => line !== '')
        .join('\n'),
    ),
    ...lines,
    remarks: [
      ...remarks,
      ...(more > 0 && issues.length > 0
        ? [wordedText(() => `${countOf(more, 'more column')} in the export.`)]
        : []),
    ],
    page: page === null ? null : { start: page.start, end: page.start + issues.length, total },
  };
}

function mostText(
  { columns, rows, issues, statuses }: Table,
  total: number,
  { strong, words }: Wording,
): string {
  const durations = startedColumns(
    columns.filter(({ part, kind }) => part === 'value' && kind === 'duration'),
    statuses,
  );
  const [longest] = durations.toSorted((a, b) => sumOf(rows, b) - sumOf(rows, a));
  if (longest === undefined || durations.length < 2 || sumOf(rows, longest) === 0) return '';
  const share = sumOf(rows, longest) / durations.reduce((sum, column) => sum + sumOf(rows, column), 0);
  const of = issues.length < total ? ' of those shown' : '';
  return `${strong(shorten(longest.title, NAME_LENGTH))} is where most time${of} goes (${words(percentText(share))}).`;
}

function linesOf(table: Table): TableParts {
  const { issues, rows, provenance } = table;
  const words = { dayMs: dayMsOf(provenance.calendar), timeZone: provenance.timeZone };
  const { fields, values } = glanceColumns(table, VALUES);
  const hasUnknown = issues.some(({ unknown }) => unknown !== null);
  const linesBy = Map.groupBy(rows, ({ issueKey }) => issueKey);
  const lines = issues.flatMap((issue) =>
    (linesBy.get(issue.key) ?? [{ own: issue.cells, cells: {} }]).map((line) => [
      { text: issue.key, link: issue.link },
      { text: shorten(String(cellOf(issue.cells, 'summary')?.value ?? ''), SUMMARY_LENGTH) },
      ...fields.map((column) => ({ text: fieldText(column, cellIn(line, column), words) })),
      ...values.map((column) => valueCell(column, cellIn(line, column), words)),
      ...(hasUnknown
        ? [{ text: issue.unknown === null ? '' : durationWords(issue.unknown.ms, words.dayMs) }]
        : []),
    ]),
  );
  return cappedTable({
    columns: [
      ...columnsOf('name', 'Issue', 'Summary'),
      ...[...fields, ...values].flatMap(({ title, kind }) =>
        columnsOf(kind === 'duration' || kind === 'count' ? 'figure' : 'name', title),
      ),
      ...columnsOf('figure', ...(hasUnknown ? ['Unknown'] : [])),
    ],
    rows: lines,
    what: 'lines',
  });
}
