import type { AgingIssue } from '../../../api/answers/aging/aging-answer.ts';
import type { WeeklyQuestion } from '../../../api/answers/weekly/nine-weeks.ts';
import type { WeeklyAggregates } from '../../../api/answers/weekly/weekly-answer.ts';
import { weeklyKind } from '../../../api/answers/weekly/weekly-kind.ts';
import type { Compared } from '../../../model/answer.ts';
import { badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Selection } from '../../../model/request.ts';
import type { Chart } from '../../../output/charts/chart.ts';
import {
  blockedText,
  changeText,
  countOf,
  countOrUnknown,
  countWords,
  paceMark,
  type Sense,
  targetWords,
  timesUsual,
  timeText,
} from '../../../output/figure-words.ts';
import { shorten } from '../../../output/readable-text.ts';
import { percentText } from '../../../output/shares.ts';
import { issuesText, selectionWords } from '../../../output/subject-words.ts';
import {
  capital,
  dayMsOf,
  type Wording,
  weekBefore,
  weekLabel,
  weekName,
  weekText,
} from '../../../output/wording.ts';
import { mondayOf, type NamedWeek, readWeekName } from '../../../time/day-words.ts';
import { periodAt } from '../../../time/periods.ts';
import { dayAt, firstInstantFrom } from '../../../time/wall-clock.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import { filterKinds, type ParserContext } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault } from '../../ask/grammar/read-filter.ts';
import { oneOf, plainText, type Word } from '../../ask/grammar/typed-words.ts';
import { nudgeOf } from '../view/aging-rows.ts';
import type { AnswerLine, AnswerSheet } from '../view/answer-sheet.ts';
import { finishedWarnings, footText, historiesOf, queryText } from '../view/answer-warnings.ts';
import { durationChart } from '../view/figures-drawn.ts';
import { type Text, wordedText } from '../view/marked-wording.ts';
import type { QuestionView, ViewContext } from '../view/question-view.ts';
import { contributorShift, weeklyDetails } from './weekly-tables.ts';

const NAME_LENGTH = 60;
const WHY_LENGTH = 200;

/** `/tis weekly [FILTER] [this week|2026-W46] [in CALENDAR]`. */
export const weeklyView: QuestionView<WeeklyQuestion, WeeklyAggregates> = {
  of: weeklyKind,
  builderTitle: 'Weekly summary',
  commands: [
    {
      word: 'weekly',
      usage: '/tis weekly [FILTER] [this week|2026-W46] [in CALENDAR]',
      summary: 'weekly summary: throughput, cycle time and time in status vs. previous weeks',
      examples: ['/tis weekly WEB', '/tis weekly WEB this week', '/tis weekly WEB W46'],
      details:
        "Without a week it is the last whole one; weeks begin on Monday in the channel's time zone. Without a FILTER it covers the projects chosen for this channel, else the project where most of your issues are.",
      tries: ({ project }) => [`/tis weekly ${project}`, `/tis weekly ${project} this week`],
    },
  ],
  /** Reads `[FILTER] [this week|last week|2026-W46|W46] [in CALENDAR]`, the ends in any order. */
  async read(words, context) {
    const before = takeWeek(words, context);
    const { left, tails } = await parseOptions(before.left, ['calendar', 'unit'], context);
    const { week, left: filter } = before.week === null ? takeWeek(left, context) : { ...before, left };
    if (week === null) await assertWeek(filter, context);
    const { selection, remark } = await filterOrDefault(filter, context);
    const question: WeeklyQuestion = {
      kind: 'weekly',
      selection,
      week: week ?? 'last',
      ...hoursOf(tails, context),
    };
    await context.check(question);
    return { question, remark };
  },
  builder: ({ selection, calendar, week, timeZone }) => ({
    report: 'weekly',
    filter: selection,
    calendar,
    week: typeof week === 'number' ? middleOf(week, timeZone) : week,
  }),
  ofBuilder: ({ filter: { selection }, week, calendar, timeZone }): WeeklyQuestion => ({
    kind: 'weekly',
    selection,
    week,
    calendar,
    timeZone,
  }),
  fixedProblem: ({ week }) =>
    typeof week === 'number'
      ? 'A digest would show the same week every time. Try: last week or this week.'
      : null,
  title: ({ selection }) => `the week of ${issuesText(selection)}`,
  view: weeklySheet,
  comment: ({ contributors, provenance: { calendar } }) =>
    contributors.length === 0
      ? ''
      : `Biggest contributors: ${contributors.map((one) => contributorShift(one, dayMsOf(calendar))).join(', ')}`,
};

/** An instant that is in the same ISO week in every time zone. */
function middleOf(week: number, timeZone: string): number {
  const { start, end } = periodAt(week, 'Week', timeZone);
  return (start + end) / 2;
}

/** A week at a glance: three figures, work in progress, cycle time by week, and what needs attention. The rest is details. */
function weeklySheet(
  weekly: WeeklyAggregates,
  { question: { selection }, place }: ViewContext<WeeklyQuestion>,
): AnswerSheet {
  const { week, provenance, finished, attention } = weekly;
  const query = queryText(selection, place);
  const isEmpty = (finished.week ?? 0) === 0 && isQuiet(weekly);
  const hasFigures = (finished.week ?? 0) > 1;
  const hasDoubts = weekly.doneSinceUnknown.length + weekly.unclear.length > 0;
  return {
    headline: wordedText((wording) => headText(weekly, selection, wording)),
    warnings: finishedWarnings(provenance, weekly, week.end, "this week's end"),
    fields: hasFigures ? fieldsOf(weekly) : [],
    ...(isEmpty || hasFigures ? {} : { summary: wordedText(() => flowParts(weekly).join(' · ')) }),
    chart: weeklyChart(weekly),
    ...(attention.length === 0
      ? {}
      : {
          attention: {
            title: wordedText(({ strong }) => strong('Needs attention')),
            lines: attention.map((issue) => attentionLine(issue, dayMsOf(provenance.calendar))),
          },
        }),
    footer: wordedText((wording) => footText(historiesOf(provenance), wording, query)),
    details: isEmpty && !hasDoubts ? [] : weeklyDetails(weekly),
  };
}

/** Which week of what; and the whole answer where there is not enough for figures beside each other. */
function headText(weekly: WeeklyAggregates, selection: Selection, wording: Wording): string {
  const { week, finished, provenance } = weekly;
  const called = weekText(week, provenance.timeZone, provenance.asOf);
  const which = selectionWords(selection, wording);
  const title =
    selection.by === 'project'
      ? wording.strong(`${shorten(selection.project, NAME_LENGTH)} · ${called}`)
      : `${wording.strong(capital(called))}${which === '' ? '' : ` · issues${which}`}`;
  if (finished.week === null || finished.week < 2) return `${title}\n${fewText(weekly, wording)}`;
  return week.whole && finished.weekBefore !== null ? `${title} · vs ${weekBefore(weekly)}` : title;
}

function isQuiet({ statuses }: WeeklyAggregates): boolean {
  return statuses.every(({ withinMs: within }) => within.week === 0);
}

/** The text for one finished issue, which has no percentiles, for none, or for an unknown number. */
function fewText(weekly: WeeklyAggregates, wording: Wording): string {
  const { week, finished, finishedUnknown, only, provenance } = weekly;
  const when = `in ${weekName(week.id)}${week.whole ? '' : ' so far'}`;
  if (finished.week === null) {
    const why = wording.words(shorten(finishedUnknown ?? '', WHY_LENGTH));
    return `Nothing is known to have been finished ${when}: ${why}.`;
  }
  const { eightWeeks } = finished;
  if (finished.week === 0 || only === null) {
    const average = !week.whole || eightWeeks === null ? '' : ` (8-week average ${countWords(eightWeeks)})`;
    const hint = `Try another week, or ${wording.words('/tis aging')} for open work.`;
    return `Nothing ${week.whole ? 'was' : 'has been'} finished ${when}${average}${isQuiet(weekly) ? `. ${hint}` : ''}`;
  }
  const { key, link, cycleMs } = only;
  const took =
    cycleMs === null ? 'has no cycle time' : `took ${timeText(cycleMs, dayMsOf(provenance.calendar))}`;
  const one = `${wording.strong('1 finished')}: ${wording.key(shorten(key, NAME_LENGTH), link)}, ${took}`;
  if (!week.whole) return one;
  const { last, long } = changesOf(finished, countWords, 'count', 'average');
  return [
    one,
    ...(last === null ? [] : [`${last} vs ${weekBefore(weekly)}`]),
    ...(long === null ? [] : [long]),
  ].join(' · ');
}

/** Three figures and work in progress, beside each other. A part of a week is compared with no whole one. */
function fieldsOf(weekly: WeeklyAggregates): Text[] {
  const { week, finished, cycleTime, withoutCycleTime, provenance } = weekly;
  const [progress, ...flow] = flowParts(weekly);
  const dayMs = dayMsOf(provenance.calendar);
  const field = (
    title: string,
    figures: Compared<number | null>,
    words: (amount: number) => string,
    sense: Sense,
    of: EightWeeks,
  ) => {
    const { last, long } = week.whole ? changesOf(figures, words, sense, of) : { last: null, long: null };
    return wordedText(({ strong }) =>
      [[strong(title), ...(last === null ? [] : [last])].join(' '), ...(long === null ? [] : [long])].join(
        '\n',
      ),
    );
  };
  const time = (title: string, which: 'median' | 'p85') => {
    const figures = {
      week: cycleTime.week[`${which}Ms` as const],
      weekBefore: cycleTime.weekBefore[`${which}Ms` as const],
      eightWeeks: cycleTime.eightWeeks[`${which}Ms` as const],
    };
    // Beside hundreds of hours minutes say nothing.
    const words = (ms: number | null) => timeText(ms, dayMs).replace(/^(\d{3,}h) .*$/, '$1');
    return field(`${title} ${words(figures.week)}`, figures, words, 'time', which);
  };
  return [
    field(`${countOrUnknown(finished.week)} finished`, finished, countWords, 'count', 'average'),
    ...(cycleTime.week.count > 1 ? [time('Median cycle time', 'median'), time('p85', 'p85')] : []),
    ...(cycleTime.week.count === 1 ? [time('Cycle time of 1 issue', 'median')] : []),
    ...(cycleTime.week.count === 0 ? [noCycleTime(withoutCycleTime)] : []),
    wordedText(({ strong }) => [strong(progress), ...flow.map(capital)].join('\n')),
  ];
}

/** Why no issue has a cycle time; the others are in the details. */
function noCycleTime([first, ...others]: WeeklyAggregates['withoutCycleTime']): Text {
  return wordedText(({ strong, words }) => {
    const why = first === undefined ? '' : `\n${words(shorten(`${first.key}: ${first.reason}`, WHY_LENGTH))}`;
    return `${strong('No cycle times')}${why}${others.length === 0 ? '' : `, and ${countWords(others.length)} more`}`;
  });
}

type EightWeeks = 'average' | 'median' | 'p85';

/** A figure against that of the week before, and against the eight weeks: `8-week average 6: ▼ 2 (33% fewer)`; null where unknown. */
function changesOf(
  { week, weekBefore, eightWeeks }: Compared<number | null>,
  words: (amount: number) => string,
  sense: Sense,
  of: EightWeeks,
): { readonly last: string | null; readonly long: string | null } {
  const change = changeText(week, eightWeeks, words, sense);
  return {
    last: changeText(week, weekBefore, words, sense),
    long: change === null || eightWeeks === null ? null : `8-week ${of} ${words(eightWeeks)}: ${change}`,
  };
}

/** `12 in progress (9 in week 45)`, `flow efficiency 38% (▼ 4 points)` and what was blocked. */
function flowParts(weekly: WeeklyAggregates): [string, ...string[]] {
  const { week, inProgress, flowEfficiency } = weekly;
  const { week: now, weekBefore: earlier } = inProgress;
  const when = week.whole ? `in ${weekBefore(weekly)}` : 'at the end of last week';
  const before = earlier === null ? '' : ` (${countWords(earlier)} ${when})`;
  const progress =
    now === null
      ? `Number in progress unknown${before}`
      : `${countWords(now)} in progress${week.whole ? '' : ' now'}${before}`;
  const share = flowEfficiency.week;
  return [
    progress,
    ...targetParts(weekly),
    ...(share === null
      ? []
      : [`flow efficiency ${percentText(share)}${pointsText(flowEfficiency, week.whole)}`]),
    ...blockedPart(weekly),
  ];
}

/** `blocked 3d over 2 issues, ▲ 1d (50% longer)`; nothing where no started issue was blocked in the week or in the one before. */
function blockedPart({ week, blocked, provenance }: WeeklyAggregates): readonly string[] {
  if (blocked === null || blocked.week.blockedMs + blocked.weekBefore.blockedMs === 0) return [];
  const { blockedMs, issues } = blocked.week;
  const dayMs = dayMsOf(provenance.calendar);
  const words = (ms: number) => timeText(ms, dayMs);
  const change = week.whole ? changeText(blockedMs, blocked.weekBefore.blockedMs, words, 'length') : null;
  const all =
    issues === 0 ? 'nothing blocked' : `blocked ${words(blockedMs)} over ${countOf(issues, 'issue')}`;
  return [change === null ? all : `${all}, ${change}`];
}

/** `5 of 6 within the target of 8d`; a learned one: `5 of 6 within 12d 6h (85% of the last 90 days)`. */
function targetParts({ target, provenance }: WeeklyAggregates): readonly string[] {
  if (target === null || target.finished === 0) return [];
  const some = `${countWords(target.finishedWithin)} of ${countWords(target.finished)} within`;
  return [`${some} ${targetWords(target, dayMsOf(provenance.calendar))}`];
}

function pointsText({ week, weekBefore }: WeeklyAggregates['flowEfficiency'], isWhole: boolean): string {
  if (week === null || weekBefore === null || !isWhole) return '';
  const points = Math.round(100 * week) - Math.round(100 * weekBefore);
  if (points === 0) return ' (no change)';
  const size = Math.abs(points);
  return ` (${points > 0 ? '▲' : '▼'} ${size} ${size === 1 ? 'point' : 'points'})`;
}

/** `🟠 WEB-370 In Progress 89d, 23× usual · @Bob · ⛔ blocked by a flag`. */
function attentionLine(issue: AgingIssue, dayMs: number): AnswerLine {
  const { key, link, status, assignee, ageMs, pace, blocked } = issue;
  const title = shorten(status.name, NAME_LENGTH);
  const usual = `${timeText(ageMs, dayMs)}, ${timesUsual(pace ?? 0)} usual`;
  const line = (person: (wording: Wording) => string) =>
    wordedText((wording) => {
      const name = wording.key(shorten(key, NAME_LENGTH), link);
      const waits = blocked ? ` · ${blockedText(blocked, (cause) => wording.words(cause.name))}` : '';
      return `${paceMark(pace)} ${name} ${wording.words(title)} ${usual} · ${person(wording)}${waits}`;
    });
  return {
    text: line(({ person }) => (assignee === null ? 'unassigned' : person(assignee))),
    withoutAccount: line(
      ({ words }) => `${words(shorten(assignee?.name ?? '', NAME_LENGTH))} (not in Slack)`,
    ),
    nudge: nudgeOf('Nudge', key, assignee),
  };
}

/** Median cycle time of nine weeks, with how many issues were finished in each; null where none has one. */
function weeklyChart({ weeks, provenance }: WeeklyAggregates): Chart | null {
  return durationChart({
    kind: 'bar',
    title: 'Median cycle time by week (finished)',
    names: ['Median'],
    bars: weeks.map(({ id, whole, finished, cycleTime }) => ({
      label: `${whole ? weekLabel(id, provenance.timeZone, provenance.asOf) : 'now'} (${finished ?? '?'})`,
      values: [cycleTime.medianMs],
    })),
    dayMs: dayMsOf(provenance.calendar),
    // A week without finished issues keeps its place.
    missing: 0,
  });
}

const MAX_SHOWN_LENGTH = 60;

const weekNames = 'last week, this week, or an ISO week such as 2026-W46 or W46';

const likeWeek = /(?:^|\s)((?:\S+\s+)?(?:\d+\s+)?weeks?(?:\s+\d+)?|(?:\d{4}-?)?w\d+)$/i;

/** The longest name of a week: `calendar week 46`. */
const MAX_WORDS = 3;

function takeWeek(
  words: readonly Word[],
  context: ParserContext,
): { readonly week: WeeklyQuestion['week'] | null; readonly left: readonly Word[] } {
  for (let start = Math.max(0, words.length - MAX_WORDS); start < words.length; start += 1) {
    const typed = plainText(words.slice(start)).toLowerCase();
    const left = words.slice(0, start);
    const running = /^(this|last) week$/.exec(typed)?.[1];
    if (running !== undefined) return { week: running === 'this' ? 'this' : 'last', left };
    const named = readWeekName(typed);
    if (named === null) continue;
    // `sprint KW 46` is a sprint that is called so.
    const isName = oneOf(filterKinds, words[start - 1]?.plain ?? '') !== undefined;
    return isName ? { week: null, left: words } : { week: startOf(typed, named, context), left };
  }
  return { week: null, left: words };
}

/** The first instant of a named week in the zone of the question. */
function startOf(typed: string, named: NamedWeek, { now, hours: { timeZone } }: ParserContext): Instant {
  const monday = mondayOf(named, dayAt(now, timeZone), 'past');
  if (monday === null) {
    const refused =
      named.year === null
        ? `No year has a week ${named.number}.`
        : `There is no "${typed.toUpperCase()}" in that year.`;
    throw badRequest(`${refused} Try: ${weekNames}.`);
  }
  const start = firstInstantFrom(monday, timeZone);
  if (start > now) {
    throw badRequest(`The week "${typed.toUpperCase()}" hasn't begun. Try: ${weekNames}.`);
  }
  return start;
}

/** Refuses what looks like a week but names none, where it cannot be part of a name or a query. */
async function assertWeek(words: readonly Word[], { isProject }: ParserContext): Promise<void> {
  const [first = ''] = words.map(({ plain }) => plain);
  const kind = oneOf(filterKinds, first);
  if (
    (kind !== undefined && kind !== 'project') ||
    (await isProject(plainText(words.slice(kind === undefined ? 0 : 1))))
  )
    return;
  const [, typed] = likeWeek.exec(plainText(words)) ?? [];
  if (typed === undefined) return;
  const [, project, meant] = /^(\S+) (weeks?)$/.exec(typed) ?? [];
  const isOwn = project !== undefined && (await isProject(project));
  throw badRequest(
    `"${shorten(isOwn ? (meant ?? typed) : typed, MAX_SHOWN_LENGTH)}" doesn't name a week. Try: ${weekNames}.`,
  );
}
