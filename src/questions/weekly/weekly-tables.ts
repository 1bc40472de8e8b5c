import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { LeftOut, WeeklyAggregates, WeeklyStatus } from '../../model/answer.ts';
import type { SheetTable } from '../view/answer-sheet.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { signedTime, timeText } from '../view/figure-words.ts';

/** The statuses of a week that are shown, and how many are not. */
export interface ShownStatuses {
  readonly shown: readonly WeeklyStatus[];
  /** They have less time in the week. */
  readonly more: number;
  /** Neither the week nor what was finished in it knows any time there. */
  readonly empty: number;
}

/** The statuses in which most time was spent within the week, most first. */
export function shownStatuses(statuses: readonly WeeklyStatus[], most: number): ShownStatuses {
  const spent = statuses.filter(({ within, finished }) => within.week + (finished.week.average ?? 0) > 0);
  const shown = spent.toSorted((a, b) => b.within.week - a.within.week).slice(0, most);
  return { shown, more: spent.length - shown.length, empty: statuses.length - spent.length };
}

/** Where the time went, a line a status. */
export function weeklyStatuses(
  { week, provenance }: Pick<WeeklyAggregates, 'week' | 'provenance'>,
  statuses: readonly WeeklyStatus[],
): SheetTable | null {
  const dayMs = dayMsOf(provenance.calendar);
  return figureTable(
    [
      { title: 'Status', holds: 'text' },
      { title: 'Average (change)', holds: 'figure' },
      { title: 'Median', holds: 'figure' },
      { title: '85 %', holds: 'figure' },
      { title: 'Spread', holds: 'figure' },
      { title: week.whole ? 'In the week (change)' : 'In the week so far', holds: 'figure' },
    ],
    statuses.map((status) => cellsOf(status, week.whole, dayMs).map((text) => ({ text }))),
  );
}

/** Time within a week that still runs is held against nothing: a part of a week has less than a whole one. */
function cellsOf({ title, finished, within }: WeeklyStatus, isWhole: boolean, dayMs: number): string[] {
  const { week, weekBefore } = finished;
  return [
    title,
    changed(week.average, weekBefore.average, dayMs),
    timeText(week.median, dayMs),
    timeText(week.p85, dayMs),
    timeText(week.deviation, dayMs),
    changed(within.week, isWhole ? within.weekBefore : null, dayMs),
  ];
}

/** `14h (−5h)`. */
function changed(now: number | null, before: number | null, dayMs: number): string {
  const change = signedTime(now, before, dayMs);
  return change === '' ? timeText(now, dayMs) : `${timeText(now, dayMs)} (${change})`;
}

const REASON_LENGTH = 200;

const meanings = [
  'Cycle time: working time from the first status in progress until the issue was done.',
  'Median: half took less. 85 %: of 100 issues 85 took no longer. Spread: standard deviation, how far they are from the average.',
  'Average, median, 85 % and spread of a status: the whole time in it of the issues finished in the week. In the week: the time all issues spent in it within the week. Changes are against the week before.',
].join('\n');

/** What belongs below the week: all statuses where they are many, the issues that do not count, and what the words mean. */
export function weeklyDetails(weekly: WeeklyAggregates): Message[] {
  const all = weekly.statuses.length > 10 ? weeklyStatuses(weekly, weekly.statuses) : null;
  return [
    ...(all === null
      ? []
      : [
          {
            text: escapeMrkdwn(`Every status of the week. ${all.text}.`),
            blocks: [section('*Every status of the week*'), all.block],
          },
        ]),
    ...leftOut('Finished, but without a cycle time', weekly.withoutCycleTime),
    ...leftOut('Done, but nobody knows since when', weekly.doubts.sinceUnknown),
    ...leftOut('Nobody can tell whether they are open or done', weekly.doubts.unclear),
    { text: meanings, blocks: [section(meanings)] },
  ];
}

/** Issues that some figures leave out, each with the reason. */
function leftOut(title: string, issues: readonly LeftOut[]): Message[] {
  if (issues.length === 0) return [];
  const lines = issues.map(
    ({ key, reason }) =>
      () =>
        `${escapeMrkdwn(key)}: ${escapeMrkdwn(shorten(reason, REASON_LENGTH))}`,
  );
  return [lineBlocks([`*${title}*`, ...lines])];
}
