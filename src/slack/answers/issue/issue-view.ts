import type { StageTime } from '../../../api/answers/issue/issue-answer.ts';
import { HISTORY, type IssueQuestion, issueKind } from '../../../api/answers/issue/issue-kind.ts';
import type { IssueAnswer } from '../../../api/answers/issue/issue-summary.ts';
import { isStarted } from '../../../api/outcomes/issue-flow.ts';
import { reportIds } from '../../../model/report-ids.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import { BLOCKED_MARK, causesText, paceMark, timesUsual } from '../../../output/figure-words.ts';
import { columnWords, durationWords, shorten } from '../../../output/readable-text.ts';
import { shareTexts } from '../../../output/shares.ts';
import { historyText } from '../../../output/table-records.ts';
import { dayMsOf, dayRange, dayWords, type Wording } from '../../../output/wording.ts';
import type { Message } from '../../blocks/message.ts';
import { escapeMrkdwn, section } from '../../blocks/mrkdwn.ts';
import { isByPeriod } from '../report/period-view.ts';
import { statisticView } from '../report/statistic-view.ts';
import type { AnswerNudge, AnswerSheet, FollowUp } from '../view/answer-sheet.ts';
import { categoryWarning, footText } from '../view/answer-warnings.ts';
import { durationChart, type FigureCell, figureTable } from '../view/figures-drawn.ts';
import { say } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { reasonText } from '../view/reason-text.ts';
import { historyParts, movesText } from './issue-history.ts';

/** With the chart, and rows for the time before, the sum and the time since, more rows would be more than a screen. */
const STAGES = 4;
/** Slack takes 100 rows. */
const ALL_STAGES = 90;

/** A thinner slice cannot be read. */
const MIN_SHARE = 0.03;
/** A pie with more slices cannot be read. */
const SLICES = 6;

/** Names of trackers are short; these lengths keep a message whole within Slack's limits when one is not. */
const NAME_LENGTH = 80;
const SUMMARY_LENGTH = 200;

/** `/tis WEB-350 [by assignee|week|month|REPORT] [in CALENDAR] [in hours]`. */
export const issueView: QuestionView<IssueQuestion, IssueAnswer> = {
  of: issueKind,
  commands: [],
  title: ({ key, by }) => `the time of ${key}${by === undefined ? '' : ` by ${byWords(by)}`}`,
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
    headline: say((wording) =>
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
        : [say((wording) => `History ${historyText(answer, wording)}`)]),
      ...categoryWarning(withoutCategory, provenance),
    ],
    ...(by === null
      ? ownParts(answer)
      : by.table.provenance.reportType === HISTORY
        ? historyParts(answer, by, question.timeZone)
        : partsBy(by)),
    footer: say((wording) => footText({ ...provenance, complete: history.complete }, wording)),
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
  const all = say(() => 'All time since creation, before the start and after the end of work as well.');
  return { ...parts, remarks: [...(parts.remarks ?? []), all] };
}

/** Nothing is known of its beginning, and everything from an instant on. */
function startsLate({ unknown, created, provenance }: IssueAnswer): boolean {
  return unknown !== null && unknown.from <= created && unknown.until < provenance.asOf;
}

/** Key, link and summary of an issue in one line. */
export function issueTitle(
  { key, summary, link }: Pick<IssueAnswer, 'key' | 'summary' | 'link'>,
  { bold, words, key: keyText }: Wording,
): string {
  const title = shorten(summary, SUMMARY_LENGTH);
  return bold(`${keyText(key, link)}${title === '' ? '' : ` · ${words(title)}`}`);
}

/** The latest answer to a nudge, as long as the issue stays where it was. */
function reasonLine(
  { reason, current, provenance }: IssueAnswer,
  timeZone: string,
  { words }: Wording,
): string[] {
  if (current === null) return [];
  const days = { timeZone, near: provenance.asOf, words };
  const text = reasonText(reason, { statusId: current.id, since: current.since }, days);
  return text === null ? [] : [text];
}

/** The causes that block an issue, since when and how often; or, if nothing does now, how often it was blocked, and for how long. */
function blockedLine(
  { blocked, provenance }: Pick<IssueAnswer, 'blocked' | 'provenance'>,
  timeZone: string,
  { strong, words, key, person }: Wording,
): string[] {
  if (blocked === null || blocked.times === 0) return [];
  const { now, times, blockedMs, episodes } = blocked;
  const dayMs = dayMsOf(provenance.calendar);
  const whole = durationWords(blockedMs, dayMs);
  if (now === null) {
    return [`Blocked ${times}× for ${whole} (${blocked.causes.map(({ kind }) => kind).join(', ')})`];
  }
  const causes = causesText(now.causes, ({ kind, name }) =>
    kind === 'link' ? key(name, null) : words(name),
  );
  const since =
    now.since === null ? '' : ` since ${dayWords(now.since, { timeZone, near: provenance.asOf })}`;
  const by = now.by === null ? '' : ` (${person(now.by)})`;
  const forHow = durationWords(episodes.at(-1)?.blockedMs ?? 0, dayMs);
  const all = times === 1 ? '' : ` · ${times}× for ${whole} in all`;
  return [`${BLOCKED_MARK} ${strong(`Blocked for ${forHow}`)} by ${causes}${since}${by}${all}`];
}

/** The time that a finished issue took, or the status of an open one and its time there, against what is usual. */
export function issueState(answer: IssueAnswer, timeZone: string, wording: Wording): string {
  const {
    current,
    finish,
    startedAt: begun,
    provenance,
    unknown,
    usual,
    tookMs,
    assignee,
    reopened,
  } = answer;
  const { strong } = wording;
  const dayMs = dayMsOf(provenance.calendar);
  const days = { timeZone, near: provenance.asOf };
  const cut =
    unknown === null || !startsLate(answer)
      ? ''
      : ` History starts ${dayWords(unknown.until, days)}; earlier time is unknown.`;
  if (current === null) return `${strong('Status unknown')}${withText(answer, wording)}.${cut}`;
  const title = shorten(current.name, NAME_LENGTH) || '(no name)';
  if (current.kind === 'done') {
    if (finish === null) return `✅ ${strong(title)}${sinceText(answer, days)}.${cut}`;
    const by = finish.by === null ? '' : ` · finished by ${wording.person(finish.by)}`;
    const rounds = finish.rounds > 1 ? ` over ${finish.rounds} rounds` : '';
    if (begun === null && answer.statusesWithoutCategory.length > 0) {
      return `✅ ${strong(title)} on ${dayWords(finish.finishedAt, days)}${rounds}${by}`;
    }
    if (begun === null) {
      return `✅ ${strong(title)} on ${dayWords(finish.finishedAt, days)} · never in progress, so no cycle time${by}`;
    }
    const took = `${strong(`Took ${durationWords(tookMs, dayMs)}`)} from start to done${rounds}`;
    return `✅ ${took} (${dayRange(begun, finish.finishedAt, days)})${usualText(tookMs, usual, dayMs)}${by}`;
  }
  const isStarted = current.kind !== 'queue';
  const mark = isStarted ? paceMark(paceOf(current.forMs, usual)) : '';
  const forHow =
    current.forMs === null
      ? `${strong(title)}, since when is unknown`
      : strong(`${title} for ${durationWords(current.forMs, dayMs)}`);
  const since =
    current.since === null || current.forMs === null ? '' : ` since ${dayWords(current.since, days)}`;
  const compared = current.forMs === null || !isStarted ? '' : usualText(current.forMs, usual, dayMs);
  const more = `${isStarted || begun !== null ? '' : ' · not started'}${reopened ? ' · reopened' : ''}`;
  const who = assignee === null ? ' · unassigned' : withText(answer, wording);
  return `${mark === '' ? '' : `${mark} `}${forHow}${who}${since}${compared}${more}${cut === '' ? '' : `.${cut}`}`;
}

function withText({ assignee }: IssueAnswer, { person }: Wording): string {
  return assignee === null ? '' : ` with ${person(assignee)}`;
}

function sinceText({ current }: IssueAnswer, days: Parameters<typeof dayWords>[1]): string {
  const since = current?.since ?? null;
  return since === null ? ', since when is unknown' : ` since ${dayWords(since, days)}`;
}

/** The ratio of a time (ms) to the usual 85th percentile; null where it is unknown. */
export function paceOf(ms: number | null, usual: IssueAnswer['usual']): number | null {
  return ms === null || usual === null || usual.p85Ms === 0 ? null : ms / usual.p85Ms;
}

function usualText(ms: number, usual: IssueAnswer['usual'], dayMs: number): string {
  const pace = paceOf(ms, usual);
  if (pace === null || usual === null) return '';
  const most = durationWords(usual.p85Ms, dayMs);
  return pace < 1 ? ` · usual up to ${most}` : ` · ${timesUsual(pace)} usual (${most})`;
}

const columns = [
  { title: 'Status', holds: 'text' },
  { title: 'Times', holds: 'figure' },
  { title: 'Time', holds: 'figure' },
  { title: 'Share', holds: 'figure' },
] as const;

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
    const rest = times.filter((one) => !shown.includes(one));
    const now = rest.some((one) => one.now) ? ' (now)' : '';
    return [
      ...shown.map((one) => ({ ...one, title: `${nameOf(one)}${one.now ? ' (now)' : ''}` })),
      ...(rest.length === 0 ? [] : [{ ...sumOf(rest), title: `${title}${now}` }]),
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
  const rest = spent.filter((one) => !seen.includes(one));
  const slices = [
    ...seen.map((one) => ({ label: nameOf(one), ms: one.spentMs })),
    ...(rest.length === 0 ? [] : [{ label: 'Other', ms: sumOf(rest).spentMs }]),
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
  if (isOwn || assignee === null || assignee.id === null || current === null) return [];
  if (!isStarted(current.kind) || current.forMs === null) return [];
  return [{ title: `Nudge ${assignee.name}`, key, assignee: { id: assignee.id, name: assignee.name } }];
}

function followUpsOf({ key, by, provenance }: IssueAnswer): FollowUp[] {
  const inHours =
    provenance.calendar.unit === 'hours' ? [] : [{ title: 'In hours', line: `/tis ${key} in hours` }];
  return [
    ...(by === null
      ? [
          { title: 'By assignee', line: `/tis ${key} by assignee` },
          { title: 'By week', line: `/tis ${key} by week` },
        ]
      : [{ title: 'By status', line: `/tis ${key}` }]),
    ...inHours,
  ];
}
