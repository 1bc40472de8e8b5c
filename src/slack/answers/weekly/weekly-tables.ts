import type {
  Contributor,
  WeeklyAggregates,
  WeeklyStatus,
} from '../../../api/answers/weekly/weekly-answer.ts';
import type { LeftOut } from '../../../model/answer.ts';
import { timeText } from '../../../output/figure-words.ts';
import { durationWords, shorten } from '../../../output/readable-text.ts';
import { dayMsOf, weekBefore, weekName } from '../../../output/wording.ts';
import { lineBlocks, type Message } from '../../blocks/message.ts';
import { context, escapeMrkdwn, section } from '../../blocks/mrkdwn.ts';
import { columnsOf, figureTable } from '../view/figures-drawn.ts';
import { marked } from '../view/marked-wording.ts';

const NAME_LENGTH = 80;
const REASON_LENGTH = 200;
/** More statuses in which nothing has started are counted, not named. */
const NOT_STARTED = 5;

/**
 * The messages below the week: time by status, what changed the average, issues that some figures leave out,
 * definitions.
 */
export function weeklyDetails(weekly: WeeklyAggregates): Message[] {
  const { withoutCycleTime, doneSinceUnknown, unclear } = weekly;
  return [
    ...statusMessage(weekly),
    ...contributorsMessage(weekly),
    ...leftOut('Finished without a cycle time', withoutCycleTime),
    ...leftOut('Not counted: unknown whether they are done, or since when', [
      ...doneSinceUnknown,
      ...unclear,
    ]),
    definitions(weekly),
  ];
}

/** Time by status in workflow order; where nothing has started is small print. */
function statusMessage(weekly: WeeklyAggregates): Message[] {
  const { week, statuses, provenance } = weekly;
  const before = week.whole ? weekBefore(weekly) : 'last week';
  const dayMs = dayMsOf(provenance.calendar);
  const spent = statuses.filter(
    ({ withinMs: within, finished }) => within.week + (finished.week.averageMs ?? 0) > 0,
  );
  const table = figureTable(
    [
      ...columnsOf('text', 'Status'),
      ...columnsOf('figure', week.whole ? `In the week (vs ${before})` : 'In the week so far'),
      ...columnsOf('figure', `Average (vs ${before})`, 'Median', 'p85'),
    ],
    spent
      .filter(({ kind }) => kind !== 'queue')
      .map((status) => cellsOf(status, week.whole, dayMs).map((text) => ({ text }))),
  );
  const waiting = notStarted(
    spent.filter(({ kind }) => kind === 'queue'),
    dayMs,
  );
  const title = `Time in status in ${weekName(week.id)}`;
  if (table === null && waiting === null) return [];
  return [
    {
      text: [title, ...(table === null ? [] : [escapeMrkdwn(table.text)]), ...(waiting ?? [])].join('. '),
      blocks: [
        section(`*${title}*`),
        ...(table === null ? [] : [table.block]),
        ...(waiting === null ? [] : [context(waiting.join(' · '))]),
      ],
    },
  ];
}

/** Time within a week that still runs is compared with nothing: a part of a week has less than a whole one. */
function cellsOf(
  { name: title, finished, withinMs: within }: WeeklyStatus,
  isWhole: boolean,
  dayMs: number,
): string[] {
  const { week, weekBefore } = finished;
  return [
    title,
    changed(within.week, isWhole ? within.weekBefore : null, dayMs),
    changed(week.averageMs, isWhole ? weekBefore.averageMs : null, dayMs),
    timeText(week.medianMs, dayMs),
    timeText(week.p85Ms, dayMs),
  ];
}

/** `14h (▼ 5h)`. */
function changed(now: number | null, before: number | null, dayMs: number): string {
  if (now === null || before === null) return timeText(now, dayMs);
  return `${timeText(now, dayMs)} (${signed(now - before, dayMs)})`;
}

function signed(changeMs: number, dayMs: number): string {
  const change = Math.round(changeMs);
  if (change === 0) return 'no change';
  return `${change > 0 ? '▲' : '▼'} ${durationWords(Math.abs(change), dayMs)}`;
}

/** `Not started: Backlog 33d`, mrkdwn; null of no status. */
function notStarted(statuses: readonly WeeklyStatus[], dayMs: number): string[] | null {
  if (statuses.length === 0) return null;
  const named = statuses
    .slice(0, NOT_STARTED)
    .map(
      ({ name: title, withinMs: within }) =>
        `${escapeMrkdwn(shorten(title, NAME_LENGTH))} ${timeText(within.week, dayMs)}`,
    );
  const more = statuses.length - NOT_STARTED;
  return [`Not started, in the week: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function contributorsMessage(weekly: WeeklyAggregates): Message[] {
  const { week, contributors, against, cycleTime, provenance } = weekly;
  if (against === null || contributors.length === 0) return [];
  const dayMs = dayMsOf(provenance.calendar);
  const before = timeText(cycleTime[against].averageMs, dayMs);
  const baseline =
    against === 'eightWeeks'
      ? `8-week average ${before}`
      : `${before} ${week.whole ? `in ${weekBefore(weekly)}` : 'last week'}`;
  const average = `${timeText(cycleTime.week.averageMs, dayMs)} vs ${baseline}`;
  const median = `${timeText(cycleTime.week.medianMs, dayMs)} vs ${timeText(cycleTime[against].medianMs, dayMs)}`;
  return [
    lineBlocks([
      `*Biggest contributors to the change in the average* cycle time: ${average}. They do not add up to the change in the median (${median}).`,
      ...contributors.map((one) => contributorText(one, dayMs)),
    ]),
  ];
}

function contributorText({ key, link, summary, cycleMs, shiftMs }: Contributor, dayMs: number): string {
  const title = `${marked.key(shorten(key, NAME_LENGTH), link)} ${marked.words(shorten(summary, NAME_LENGTH))}`;
  return `${title.trim()}: took ${timeText(cycleMs, dayMs)} (${signed(shiftMs, dayMs)})`;
}

/** `WEB-370 +3d 2h`: how much an issue changed the average, in plain words. */
export function contributorShift({ key, shiftMs }: Contributor, dayMs: number): string {
  const change = durationWords(Math.abs(Math.round(shiftMs)), dayMs);
  return `${shorten(key, NAME_LENGTH)} ${shiftMs < 0 ? '−' : '+'}${change}`;
}

function leftOut(title: string, issues: readonly LeftOut[]): Message[] {
  if (issues.length === 0) return [];
  const lines = issues.map(
    ({ key, reason }) =>
      () =>
        `${escapeMrkdwn(shorten(key, NAME_LENGTH))}: ${escapeMrkdwn(shorten(reason, REASON_LENGTH))}`,
  );
  return [lineBlocks([`*${title}*`, ...lines])];
}

/** The target of the project, where it comes from, and how many issues kept within it in the previous week. */
function targetText(
  { project, percent, withinMs, source, weekBefore: earlier }: NonNullable<WeeklyAggregates['target']>,
  weekly: WeeklyAggregates,
): string {
  const dayMs = dayMsOf(weekly.provenance.calendar);
  const key = escapeMrkdwn(shorten(project, NAME_LENGTH));
  const within = `${percent}% of finished issues within ${timeText(withinMs, dayMs)} from start to done`;
  const target = {
    set: `${within}, as set in the flow of ${key}.`,
    learned: `${within}: the 85th percentile of the 90 days before the week, as the flow of ${key} has none.`,
    mixed: `each issue by that of its type, as the flow of ${key} has several.`,
  }[source];
  const before =
    earlier.finished === 0
      ? ''
      : ` In ${weekBefore(weekly)}, ${earlier.finishedWithin} of ${earlier.finished} did.`;
  return `*Target*: ${target}${before}`;
}

function definitions(weekly: WeeklyAggregates): Message {
  const { statuses, flowEfficiency, target, blocked } = weekly;
  const waiting = statuses.filter(({ kind }) => kind === 'waiting');
  const named = waiting
    .slice(0, NOT_STARTED)
    .map(({ name: title }) => escapeMrkdwn(shorten(title, NAME_LENGTH)))
    .join(', ');
  const text = [
    '*Cycle time*: from the first started status until done. Half of the issues took up to the *median*, 85% up to *p85*.',
    '*8-week average*: finished issues per week. *8-week median* and *p85*: cycle times of all issues finished in those eight weeks.',
    '*Average, median, p85*: total time in that status for issues finished in the week. *In the week*: time all issues, finished or not, spent in it during the week.',
    '*In progress*: issues that are started and not done at the end of the week.',
    ...(target === null ? [] : [targetText(target, weekly)]),
    ...((blocked?.week.blockedMs ?? 0) + (blocked?.weekBefore.blockedMs ?? 0) === 0
      ? []
      : [
          '*Blocked*: time in which started issues were flagged, in a status that blocks, or linked to an issue that blocks them and was not done.',
        ]),
    ...(flowEfficiency.week === null
      ? []
      : [
          `*Flow efficiency*: active time ÷ (active + waiting time) of started work within the week. Blocked time is not active.${named === '' ? '' : ` Waiting: ${named}.`}`,
        ]),
  ].join('\n');
  return { text, blocks: [section(text)] };
}
