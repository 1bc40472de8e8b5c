import type { WeeklyAggregates, WeeklyStatus } from '../../model/answer.ts';
import type { SheetTable } from '../view/answer-sheet.ts';
import { signedTime } from '../view/change-words.ts';
import { dayMsOf } from '../view/day-length.ts';
import { figureTable } from '../view/figure-table.ts';
import { timeText } from '../view/value-text.ts';

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
