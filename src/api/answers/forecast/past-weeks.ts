import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import type { FinishedSpans } from '../../outcomes/outcomes-api.ts';
import type { WorkDays } from '../figures/work-days.ts';
import type { ReportingContext } from '../question-kind.ts';
import { NO_WORK, WEEK_DAYS } from './draw-trials.ts';

/** A forecast is made from so many weeks before its day, at most. */
export const MAX_WEEKS = 12;
/** Fewer weeks with finished issues do not show how much they vary. */
export const MIN_WEEKS = 5;
/** A week is drawn half as often as one that is so many weeks later. */
const HALF_LIFE_WEEKS = 4;

/** The weeks before a day, the oldest first; each has seven days, and the last one ends where the day begins. */
export interface PastWeeks {
  readonly weeks: readonly { readonly start: number; readonly end: number; readonly finished: number }[];
  /** Finished issues by day; `NO_WORK` for a day without work, whose issues count on the working day before. */
  readonly days: Int32Array;
  readonly arrived: number;
  readonly found: FinishedSpans;
}

/**
 * The issues that a selection finished in the weeks before a day. Weeks before the first issue that was ever finished are left
 * out: the work had not begun.
 */
export async function pastWeeks(
  {
    selection,
    calendar,
    timeZone,
  }: { readonly selection: Selection; readonly calendar: string; readonly timeZone: string },
  workDays: WorkDays,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<PastWeeks> {
  const first = -MAX_WEEKS * WEEK_DAYS;
  const worked = Array.from({ length: -first }, (_, i) => first + i).filter(workDays.isWorking);
  // Issues finished before the first working day count on it.
  const from = worked.length === 0 ? [first] : [first, ...worked.slice(1)];
  const request = { principal, selection, asOf, calendar, timeZone };
  const found = await reporting.finishedSpans({
    ...request,
    bounds: [...from, 0].map(workDays.start),
  });
  const days = new Int32Array(-first).fill(NO_WORK);
  for (const [i, { finished }] of found.spans.entries()) days[(worked[i] ?? first) - first] = finished;
  const finishedIn = (week: number) =>
    days
      .subarray(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)
      .reduce((sum, count) => sum + Math.max(0, count), 0);
  const all = Array.from({ length: MAX_WEEKS }, (_, week) => ({
    start: workDays.start(first + week * WEEK_DAYS),
    end: workDays.start(first + (week + 1) * WEEK_DAYS),
    finished: finishedIn(week),
  }));
  const counted = (field: 'created' | 'finished', from: number | null, to: number) =>
    reporting.count(ask({ ...request, reportType: reportIds.statusCount, dateRange: { field, from, to } }));
  const begun = all.findIndex(({ finished }) => finished > 0);
  const start = workDays.start(first);
  const isNew = begun > 0 && (await counted('finished', null, start)) === 0;
  const weeks = isNew ? all.slice(begun) : all;
  return {
    weeks,
    days: days.subarray((MAX_WEEKS - weeks.length) * WEEK_DAYS),
    arrived: await counted('created', weeks[0]?.start ?? start, workDays.start(0)),
    found,
  };
}

/** The weight of each week: a later one is drawn more often, as throughput changes over time. */
export function weekWeights(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, week) => 0.5 ** ((count - 1 - week) / HALF_LIFE_WEEKS));
}

/** The number of last weeks that are compared with those before them, to find a change of throughput. */
export const RECENT_WEEKS = 6;
/** With fewer weeks before these, chance alone makes differences as large. */
const MIN_BEFORE = 4;
/** A difference counts that chance makes at most this often. */
const MAX_CHANCE = 0.1;
/** A smaller change of the mean moves no date by much. */
const MIN_CHANGE = 0.2;

/**
 * A change of throughput in the last six weeks against those before, of issues finished by week, the oldest first; null where
 * there is none, or too few weeks to say. It is an exact permutation test of the difference of the means, on both sides: of
 * all ways to choose six of the weeks, at most 10% may differ as much. The mean has to change by a fifth at least. `chance` (0 to 1)
 * is how often chance makes such a difference.
 */
export function throughputChange(weeks: readonly number[]) {
  const count = weeks.length;
  if (count < RECENT_WEEKS + MIN_BEFORE) return null;
  const sumOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0);
  const all = sumOf(weeks);
  const ofRecent = sumOf(weeks.slice(-RECENT_WEEKS));
  const recent = ofRecent / RECENT_WEEKS;
  const before = (all - ofRecent) / (count - RECENT_WEEKS);
  if (Math.abs(recent - before) < MIN_CHANGE * before) return null;
  // With the whole sum given, the difference of the means follows from the sum of the six.
  const expected = (all * RECENT_WEEKS) / count;
  const distance = Math.abs(ofRecent - expected);
  let [choices, asFar] = [0, 0];
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      choices += 1;
      if (Math.abs(sum - expected) >= distance - 1e-9) asFar += 1;
      return;
    }
    for (let week = from; week <= count - left; week += 1)
      choose(week + 1, left - 1, sum + (weeks[week] ?? 0));
  };
  choose(0, RECENT_WEEKS, 0);
  const chance = asFar / choices;
  return chance > MAX_CHANCE ? null : { before, recent, chance };
}

/** More issues arrive than this, as a multiple of those finished, before it is called growth. */
const MIN_GROWTH = 1.2;

/**
 * True if the scope grows: in the same weeks at least a fifth more issues arrived than were finished, and more than two standard
 * deviations of a difference of two counts, so that a few issues do not decide.
 */
export function growsIn({
  arrived,
  finished,
}: {
  readonly arrived: number;
  readonly finished: number;
}): boolean {
  return arrived >= MIN_GROWTH * finished && arrived - finished > 2 * Math.sqrt(arrived + finished);
}
