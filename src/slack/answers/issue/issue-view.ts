import type { StageTime } from '../../../api/answers/issue/issue-answer.ts';
import { HISTORY, type IssueQuestion, issueKind } from '../../../api/answers/issue/issue-kind.ts';
import type { IssueAnswer } from '../../../api/answers/issue/issue-summary.ts';
import { isStarted } from '../../../api/outcomes/issue-flow.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { type Cell, cellIn, type Row, type Table } from '../../../model/table.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { timeText } from '../../../output/figure-words.ts';
import { columnWords, durationWords, shorten } from '../../../output/readable-text.ts';
import { shareTexts } from '../../../output/shares.ts';
import { historyText } from '../../../output/table-records.ts';
import { dayMsOf, type Wording } from '../../../output/wording.ts';
import { dateText } from '../../../time/date-text.ts';
import { unknownWord } from '../../ask/grammar/names-meant.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import type { ParserContext } from '../../ask/grammar/parser-context.ts';
import { oneOf, plainText, readIssueKeys, unquoted } from '../../ask/grammar/typed-words.ts';
import type { Message } from '../../blocks/message.ts';
import { escapeMrkdwn, section } from '../../blocks/mrkdwn.ts';
import { isByPeriod } from '../report/period-view.ts';
import { statisticView } from '../report/statistic-view.ts';
import { nudgeOf } from '../view/aging-rows.ts';
import type { AnswerNudge, AnswerSheet, FollowUp } from '../view/answer-sheet.ts';
import { categoryWarning, footText } from '../view/answer-warnings.ts';
import {
  cappedTable,
  columnsOf,
  durationChart,
  type FigureCell,
  figureTable,
} from '../view/figures-drawn.ts';
import { wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { blockedLine, issueState, issueTitle, reasonLine, startsLate } from './issue-state.ts';

/** With the chart, and rows for the time before, the sum and the time since, more rows would be more than a screen. */
const STAGES = 4;
/** Slack takes 100 rows. */
const ALL_STAGES = 90;

/** A thinner slice cannot be read. */
const MIN_SHARE = 0.03;
/** A pie with more slices cannot be read. */
const SLICES = 6;

/** Names of trackers are short; this keeps a message whole within Slack's limits when one is not. */
const NAME_LENGTH = 80;

/** `/tis WEB-350 [by assignee|week|month|REPORT] [in CALENDAR] [in hours]`. */
export const issueView: QuestionView<IssueQuestion, IssueAnswer> = {
  of: issueKind,
  commands: [],
  title: ({ key, by }) => `the time of ${key}${by === undefined ? '' : ` by ${byWords(by)}`}`,
  /**
   * Reads `KEY [by …] [in CALENDAR] [in hours]` and `KEY by history [to STATUS]`, the ends in any order; null where the words are no question about one issue.
   */
  async read(words, context) {
    const [first, ...others] = words;
    const { keys, others: noKeys } = readIssueKeys(first === undefined ? [] : [first.plain]);
    const [key] = keys;
    if (key === undefined || keys.length > 1 || noKeys.length > 0) return null;
    const { left, tails } = await parseOptions(
      others,
      ['calendar', 'unit', 'reportType', 'groupBy'],
      context,
    );
    const { groupBy, timePeriod, byStage } = tails;
    const isAssignee = groupBy?.length === 1 && oneOf(['assignee'], groupBy[0]) !== undefined;
    const history = await readHistory(plainText(left), context);
    if ((left.length > 0 && history === null) || (groupBy !== undefined && !isAssignee)) return null;
    const reportType = isAssignee ? reportIds.assigneeDuration : tails.reportType;
    const by =
      history ??
      (reportType === undefined
        ? null
        : {
            reportType,
            ...(timePeriod === undefined ? {} : { timePeriod }),
            ...(byStage === true ? { byStage } : {}),
          });
    const question: IssueQuestion = {
      kind: 'issue',
      key,
      ...hoursOf(tails, context),
      ...(by === null ? {} : { by }),
    };
    return { question, remark: null };
  },
  view: issueSheet,
};

function byWords({ reportType, timePeriod }: NonNullable<IssueQuestion['by']>): string {
  if (reportType === HISTORY) return 'history';
  if (timePeriod !== undefined) return timePeriod.toLowerCase();
  return reportType === reportIds.assigneeDuration ? 'assignee' : reportType;
}

/** One issue: how long it took or what it is doing now, and where its time went. */
function issueSheet(answer: IssueAnswer, { question, place }: ViewContext): AnswerSheet {
  const { history, contradictions, provenance, statusesWithoutCategory: withoutCategory, by } = answer;
  const isWhole = history.complete && contradictions === 0;
  return {
    headline: wordedText((wording) =>
      [
        issueTitle(answer, wording),
        ...movesText(answer, wording),
        issueState(answer, question.timeZone, wording),
        ...blockedLine(answer, question.timeZone, wording),
        ...reasonLine(answer, question.timeZone, wording),
      ].join('\n'),
    ),
    warnings: [
      ...(isWhole || (startsLate(answer) && contradictions === 0)
        ? []
        : [wordedText((wording) => `History ${historyText(answer, wording)}`)]),
      ...categoryWarning(withoutCategory, provenance),
    ],
    ...(by === null
      ? ownParts(answer)
      : by.table.provenance.reportType === HISTORY
        ? historyParts(answer, by, question.timeZone)
        : partsBy(by)),
    footer: wordedText((wording) => footText({ ...provenance, complete: history.complete }, wording)),
    nudges: nudgesOf(answer),
    ...(place === 'private' ? { followUps: followUpsOf(answer) } : {}),
  };
}

type Parts = Pick<AnswerSheet, 'summary' | 'chart' | 'table' | 'remarks' | 'details'>;

function ownParts(answer: IssueAnswer): Parts {
  return {
    chart: issueChart(answer),
    table: figureTable(columns, stageRows(answer, STAGES)),
    details: allStages(answer),
  };
}

/** The same time by something else: of one issue every statistic is its own figure. */
function partsBy({ table }: NonNullable<IssueAnswer['by']>): Parts {
  const { headline: _, ...parts } = statisticView({ table, subject: () => '' });
  // The periods shown are only those of work.
  if (isByPeriod(table)) return parts;
  const all = wordedText(
    () => 'All time since creation, before the start and after the end of work as well.',
  );
  return { ...parts, remarks: [...(parts.remarks ?? []), all] };
}

const columns = [...columnsOf('text', 'Status'), ...columnsOf('figure', 'Times', 'Time', 'Share')];

/**
 * The time before work began, each status of the work with its share of the sum, and the time since it was done. More
 * statuses than `max` of a phase are one row together.
 */
function stageRows(answer: IssueAnswer, max: number): FigureCell[][] {
  const { before, stages, after, tookMs, unknown, provenance } = answer;
  const dayMs = dayMsOf(provenance.calendar);
  const rowOf = (title: string, visits: number | null, time: string, share: string | null) =>
    [title, visits === null ? '–' : String(visits), time, share ?? '–'].map((text) => ({
      text,
      muted: share === null,
    }));
  const together = (times: readonly StageTime[], room: number, title: string) => {
    const shown = times.length > room ? longestOf(times, room - 1) : times;
    const left = times.filter((one) => !shown.includes(one));
    const now = left.some((one) => one.now) ? ' (now)' : '';
    return [
      ...shown.map((one) => ({ ...one, title: `${nameOf(one)}${one.now ? ' (now)' : ''}` })),
      ...(left.length === 0 ? [] : [{ ...sumOf(left), title: `${title}${now}` }]),
    ];
  };
  const room = max === STAGES ? 1 : max;
  const outside = (times: readonly StageTime[], title: string) =>
    together(times, room, title).map((one) =>
      rowOf(one.title, one.visits, durationWords(one.spentMs, dayMs), null),
    );
  const parts = together(stages, max, `Other (${stages.length - max + 1})`);
  const shares = tookMs > 0 ? shareTexts(parts.map(({ spentMs }) => spentMs)) : [];
  const times = columnWords(
    parts.map(({ spentMs }) => spentMs),
    dayMs,
  );
  return [
    ...(unknown === null ? [] : [rowOf('Unknown', null, durationWords(unknown.ms, dayMs), null)]),
    ...outside(before, 'Before start'),
    ...parts.map(({ title, visits }, index) =>
      rowOf(title, visits, times.parts[index] ?? '–', shares[index] ?? '–'),
    ),
    ...(stages.length < 2
      ? []
      : [
          rowOf(
            after.length === 0 ? 'So far' : 'Until done',
            sumOf(stages).visits,
            times.sum,
            tookMs === 0 ? null : '100%',
          ),
        ]),
    ...outside(after, 'Since done'),
  ];
}

/** Every status, where the first message has some together. */
function allStages(answer: IssueAnswer): Message[] {
  const { key, before, stages, after } = answer;
  if (stages.length <= STAGES && before.length < 2 && after.length < 2) return [];
  const table = figureTable(columns, stageRows(answer, ALL_STAGES));
  if (table === null) return [];
  const title = `Every status of ${key}`;
  return [
    {
      text: escapeMrkdwn(`${title}. ${table.text}.`),
      blocks: [section(`*${escapeMrkdwn(title)}*`), table.block],
    },
  ];
}

function nameOf({ name }: StageTime): string {
  return shorten(name, NAME_LENGTH) || '(no name)';
}

function sumOf(times: readonly StageTime[]): Pick<StageTime, 'visits' | 'spentMs'> {
  return times.reduce(
    (sum, { visits, spentMs }) => ({ visits: sum.visits + visits, spentMs: sum.spentMs + spentMs }),
    { visits: 0, spentMs: 0 },
  );
}

/** Those with most time, in the order in which they are given; the one the issue is in stays. */
function longestOf(times: readonly StageTime[], count: number): readonly StageTime[] {
  const longest = times
    .toSorted((a, b) => Number(b.now) - Number(a.now) || b.spentMs - a.spentMs)
    .slice(0, count);
  return times.filter((one) => longest.includes(one));
}

/** The time of the work, in slices that add up to it: small ones are one slice, *Other*. */
function issueChart({ stages, after, tookMs, provenance }: IssueAnswer): Chart | null {
  const spent = stages.filter(({ spentMs }) => spentMs > 0);
  const seen = longestOf(
    spent.filter(({ spentMs }) => spentMs >= MIN_SHARE * tookMs),
    spent.length > SLICES ? SLICES - 1 : SLICES,
  );
  const left = spent.filter((one) => !seen.includes(one));
  const slices = [
    ...seen.map((one) => ({ label: nameOf(one), ms: one.spentMs })),
    ...(left.length === 0 ? [] : [{ label: 'Other', ms: sumOf(left).spentMs }]),
  ];
  return durationChart({
    kind: 'pie',
    title: after.length === 0 ? 'Time so far' : 'Time until done',
    names: ['Time'],
    bars: slices.map(({ label, ms }) => ({ label, values: [ms] })),
    dayMs: dayMsOf(provenance.calendar),
  });
}

/** The assignee of started work can be reminded of it, unless they ask themselves. */
function nudgesOf({ key, assignee, current, isOwn }: IssueAnswer): readonly AnswerNudge[] {
  if (isOwn || current === null || !isStarted(current.kind) || current.forMs === null) return [];
  const nudge = nudgeOf(`Nudge ${assignee?.name}`, key, assignee);
  return nudge === null ? [] : [nudge];
}

function followUpsOf({ key, by, provenance }: IssueAnswer): FollowUp[] {
  const ends = [
    ...(by === null ? ['By assignee', 'By week'] : []),
    ...(provenance.calendar.unit === 'hours' ? [] : ['In hours']),
  ];
  return [
    ...(by === null ? [] : [{ title: 'By status', line: `/tis ${key}` }]),
    ...ends.map((title) => ({ title, line: `/tis ${key} ${title.toLowerCase()}` })),
  ];
}

/** Reads `by history` and `by history to STATUS`; null for other text. */
async function readHistory(
  text: string,
  { statuses }: ParserContext,
): Promise<NonNullable<IssueQuestion['by']> | null> {
  const [history, typed = ''] = /^by history(?: to (.+))?$/i.exec(text) ?? [];
  if (history === undefined) return null;
  if (typed === '') return { reportType: HISTORY };
  const all = await statuses();
  const named = all.filter(({ name }) => name.toLowerCase() === unquoted(typed).toLowerCase());
  const [first] = named;
  if (first === undefined)
    throw unknownWord('status', unquoted(typed), [...new Set(all.map(({ name }) => name))]);
  return { reportType: HISTORY, to: { name: first.name, ids: named.map(({ id }) => id) } };
}

/** The number of moves to one status that a sentence names; the table has all. */
const MOVES = 3;

type Moves = NonNullable<IssueAnswer['by']>;

/** Every move of an issue in a table, the oldest first. */
function historyParts(
  { provenance }: Pick<IssueAnswer, 'provenance'>,
  { table }: Moves,
  timeZone: string,
): Pick<AnswerSheet, 'summary' | 'chart' | 'table' | 'remarks' | 'details'> {
  const dayMs = dayMsOf(provenance.calendar);
  const rows = table.rows.map((row) => {
    const { status, at, by, ms } = moveOf(row, table);
    const when = at === null ? '–' : dateText(at, 'EEE, MMM d, yyyy HH:mm', timeZone);
    return [status, when, by?.name ?? '–', timeText(ms, dayMs)].map((text) => ({ text }));
  });
  const columns = [
    ...columnsOf('text', 'Status'),
    ...columnsOf('figure', 'Since'),
    ...columnsOf('name', 'Moved by'),
    ...columnsOf('figure', 'Time'),
  ];
  return cappedTable({ columns, rows, what: 'moves' });
}

/** When an issue was moved to the status that is asked about, and by whom; that it was created in it; or that it never was. */
function movesText(
  { key, by, history }: IssueAnswer,
  { strong, date, person, words }: Wording,
): readonly string[] {
  const to = by?.to ?? null;
  if (by === null || to === null) return [];
  const visits = by.table.rows.map((row) => moveOf(row, by.table));
  const moves = visits.filter(({ statusId }) => statusId !== null && to.ids.includes(statusId));
  const name = shorten(to.name, NAME_LENGTH);
  if (moves.length === 0) {
    return [
      history.complete
        ? `${words(key)} was never in ${strong(name)}.`
        : `No move of ${words(key)} to ${strong(name)} is known.`,
    ];
  }
  // The first visit of a whole history began with the issue itself.
  const created = history.complete && moves[0] === visits[0] ? (moves[0]?.at ?? null) : null;
  const later = created === null ? moves : moves.slice(1);
  const shown = later.slice(0, MOVES).map(({ at, by: mover }) => {
    const who = mover === null ? '' : ` by ${person(mover)}`;
    return `${at === null ? 'at an unknown time' : date(at)}${who}`;
  });
  const more = later.length > shown.length ? `; and ${later.length - shown.length} more` : '';
  const times = `${shown.join('; ')}${more}`;
  if (created === null) return [`Moved to ${strong(name)} ${times}.`];
  return [
    `Created in ${strong(name)} ${date(created)}${later.length === 0 ? '' : `, moved to it again ${times}`}.`,
  ];
}

function moveOf(row: Row, table: Table) {
  const cellOf = (id: string): Cell | undefined => {
    const column = table.columns.find((one) => one.id === id);
    return column === undefined ? undefined : cellIn(row, column);
  };
  const numberOf = (id: string) => {
    const value = cellOf(id)?.value;
    return typeof value === 'number' ? value : null;
  };
  const [status, mover] = [cellOf('value'), cellOf('transitionedBy')];
  return {
    status: shorten(String(status?.value ?? ''), NAME_LENGTH) || '(no name)',
    statusId: status?.id ?? null,
    at: numberOf('start'),
    ms: numberOf('duration'),
    by: mover === undefined ? null : { id: mover.id ?? null, name: String(mover.value) },
  };
}
