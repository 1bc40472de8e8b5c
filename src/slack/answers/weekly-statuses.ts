import type { WeeklyAggregates, WeeklyStatus } from '../../model/weekly.ts';
import { signedTime } from './change-words.ts';
import { dayMsOf } from './day-length.ts';
import { figureTable } from './figure-table.ts';
import type { SheetTable } from './sheet.ts';
import { timeText } from './value-text.ts';

/** The statuses in which most time was spent within the week, in the tracker's order, at most so many. */
export function weeklyStatuses(
  { week, statuses, provenance }: WeeklyAggregates,
  most: number,
): SheetTable | null {
  const dayMs = dayMsOf(provenance.calendar);
  const longest = statuses.toSorted((a, b) => b.within.week - a.within.week).slice(0, most);
  return figureTable(
    [
      { title: 'Status', holds: 'text' },
      { title: 'Average (change)', holds: 'figure' },
      { title: 'Median', holds: 'figure' },
      { title: '85 %', holds: 'figure' },
      { title: 'Spread', holds: 'figure' },
      { title: week.whole ? 'In the week (change)' : 'In the week so far', holds: 'figure' },
    ],
    statuses
      .filter((status) => longest.includes(status))
      .map((status) => cellsOf(status, week.whole, dayMs).map((text) => ({ text }))),
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
