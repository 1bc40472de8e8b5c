import { createAmounts, durationFigures } from '../../../engine/measure/statistics.ts';
import { type WeeksFound, weeksScan } from '../../../engine/measure/weeks-scan.ts';
import type { DurationFigures, Unknowns } from '../../../model/answer.ts';
import { type AppError, badRequestAs } from '../../../model/error.ts';
import type { Instant, Status } from '../../../model/issue.ts';
import type { ReportQuestion } from '../../../model/question.ts';
import {
  type DateRange,
  defaultStatistic,
  type ReportRequest,
  type Statistic,
  type TimePeriod,
  timePeriods,
} from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { type Period, periodAt, periodBack } from '../../../time/periods.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import {
  doubtsOf,
  finishedIn,
  finishedIssues,
  type IssueOutcome,
  mayBeFinishedIn,
  outcomesRequest,
} from '../figures/issue-outcomes.ts';
import { issuesInProgress, lastMoment } from '../weekly/flow-figures.ts';

/** A period, or as much of it as was asked about and is over, and the issues finished in it. */
export interface TrendPoint extends Period {
  /** The time asked about begins or ends within it. */
  readonly part: boolean;
  readonly running: boolean;
  readonly finished: number;
  /** The statistic that was asked for; null where no issue has a time. */
  readonly figureMs: number | null;
  /** The times of those issues that have one. */
  readonly times: DurationFigures;
}

/** Times of issues by the period in which the issues were finished. */
export interface Trend extends Unknowns {
  /** The status in which the times were spent; null where they are cycle times. */
  readonly status: { readonly ids: readonly string[]; readonly name: string } | null;
  readonly statistic: Statistic;
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
  readonly finished: number;
  readonly times: DurationFigures;
  /** Issues in a status of category In Progress at the end of the last period, or as of the answer while it runs. */
  readonly inProgress: number;
}

/** Whether a question asks for times by the period of the finish. */
export function asksTrend(question: { readonly kind: string }): question is ReportQuestion {
  return question.kind === 'report' && 'isTrend' in question && question.isTrend === true;
}

/** The statistic of a trend where none is named. */
export const trendStatistic: Statistic = { ...defaultStatistic, type: 'median' };

/** A trend of a time without a first day has so many periods. */
const USUAL_PERIODS = 12;
const MAX_PERIODS = 1_000;

/**
 * The trend of a request's issues, and where its figures come from: one pass where there are columns. Too many periods are
 * `too-large`.
 */
export async function trendOf(
  { principal, selection, dateRange, asOf: asked, calendar, timePeriod, ...request }: ReportRequest,
  timeZone: string,
  reporting: ReportingApi,
): Promise<{ readonly trend: Trend; readonly provenance: Provenance }> {
  if (asked === null) throw new Error('A trend is as of an instant.');
  const asOf = asked;
  const issues = { principal, selection, dateRange: null, asOf, calendar };
  const periods = periodsIn(dateRange, { asOf, timeZone, timePeriod });
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) throw new Error('There is always a period.');
  const bounds = [...periods.map(({ start }) => start), last.end];
  const known = await reporting.statuses(principal);
  const statistic = request.statistic ?? trendStatistic;
  const status = statusOf(request, known);
  // The pass has no times of statuses in which work is over.
  const isDone = known.some(({ id, category }) => category === 'Done' && status?.ids.includes(id));
  const scanned = isDone
    ? undefined
    : await reporting.scan?.(outcomesRequest(issues), weeksScan, (plan) => ({ ...plan, bounds }));
  const found = scanned?.found;
  const looked = scanned && { ...scanned, places: [...scanned.found.rest] };
  const { outcomes, provenance } = await finishedIssues(issues, reporting, looked);
  const moment = lastMoment(last, provenance);
  // Of a period that begins just now, no time has passed.
  let inProgress = found?.inProgress[periods.findLastIndex(({ start }) => start < asOf)] ?? 0;
  const slices = scanned === undefined ? [reporting] : scanned.slices(scanned.found.odd);
  for await (const slice of slices)
    inProgress += (await issuesInProgress(moment, issues, known, slice)).found.length;
  const times = periods.map((): number[] => []);
  const counts = periods.map(() => 0);
  const count = (index: number, ms: number) => {
    counts[index] = (counts[index] ?? 0) + 1;
    if (!Number.isNaN(ms)) times[index]?.push(ms);
  };
  const scannedMs = scanned && scannedTimes(scanned, status);
  for (const [i, index] of (found?.weeks ?? []).entries()) count(index, scannedMs?.[i] ?? Number.NaN);
  for (const [index, period] of periods.entries()) {
    for (const outcome of finishedIn(period, outcomes)) count(index, timeOf(outcome, status));
  }
  const whole = { start: first.start, end: last.end };
  return {
    trend: {
      status,
      statistic,
      points: periods.map((period, i) => ({
        ...period,
        part: !isWhole(period, periodAt(period.start, timePeriod, timeZone)),
        running: periodAt(period.start, timePeriod, timeZone).end > asOf,
        finished: counts[i] ?? 0,
        figureMs: figureOf(times[i] ?? [], statistic, counts[i] ?? 0),
        times: durationFigures([times[i] ?? []]),
      })),
      finished: counts.reduce((sum, one) => sum + one, 0),
      times: durationFigures(times),
      inProgress,
      ...doubtsOf(mayBeFinishedIn(whole, outcomes)),
    },
    provenance: { ...provenance, reportType: 'trend', timeZone },
  };
}

/** The statuses whose time was asked for, which have one name; null where none was named. */
function statusOf({ statuses }: Pick<ReportRequest, 'statuses'>, known: readonly Status[]): Trend['status'] {
  const [first] = statuses ?? [];
  if (statuses === null || first === undefined) return null;
  return { ids: statuses, name: known.find(({ id }) => id === first)?.name ?? first };
}

/** The time (working ms) of each issue that a pass found finished; NaN where it has none. */
function scannedTimes(
  { found, statusIds }: { readonly found: WeeksFound; readonly statusIds: readonly string[] },
  status: Trend['status'],
): Float64Array {
  if (status === null) return found.cycleMs;
  const times = new Float64Array(found.places.length).fill(Number.NaN);
  for (const [i, issue] of found.timeOf.entries()) {
    if (!status.ids.includes(statusIds[found.timeIn[i] ?? 0] ?? '')) continue;
    const before = times[issue] ?? Number.NaN;
    times[issue] = (Number.isNaN(before) ? 0 : before) + (found.timeMs[i] ?? 0);
  }
  return times;
}

/** The time (working ms) of a finished issue; NaN where it has none. */
function timeOf({ finish, times }: IssueOutcome, status: Trend['status']): number {
  if (status === null) return finish !== null && 'ms' in finish.cycle ? finish.cycle.ms : Number.NaN;
  const spent = status.ids.flatMap((id) => times?.get(id) ?? []);
  return spent.length === 0 ? Number.NaN : spent.reduce((sum, ms) => sum + ms, 0);
}

function figureOf(times: readonly number[], statistic: Statistic, issues: number): number | null {
  const amounts = createAmounts(statistic);
  for (const ms of times) amounts.add(ms);
  return amounts.condense(issues);
}

function isWhole(part: Period, { start, end }: Period): boolean {
  return part.start === start && part.end === end;
}

/** The periods of a range, the first one from its first instant on and the last one up to its end. */
function periodsIn(
  range: DateRange | null,
  { asOf, timeZone, timePeriod }: Pick<ReportRequest, 'timePeriod'> & { asOf: Instant; timeZone: string },
): readonly Period[] {
  const to = range?.to ?? periodAt(asOf, timePeriod, timeZone).end;
  const from =
    range?.from ?? periodBack(Math.min(asOf, to - 1), timePeriod, timeZone, USUAL_PERIODS - 1).start;
  const periods: Period[] = [];
  for (let at = from; at < to && at <= Math.max(from, asOf); ) {
    if (periods.length === MAX_PERIODS) throw tooManyPeriods(timePeriod);
    const period = periodAt(at, timePeriod, timeZone);
    periods.push({ ...period, start: at, end: Math.min(period.end, to) });
    at = period.end;
  }
  return periods;
}

function tooManyPeriods(timePeriod: TimePeriod): AppError {
  const most = MAX_PERIODS.toLocaleString('en');
  const typed = `"by ${timePeriod.toLowerCase()}" makes more than ${most} rows of that time.`;
  const longer = timePeriods[timePeriods.indexOf(timePeriod) + 1];
  const works = longer === undefined ? 'a shorter time' : `by ${longer.toLowerCase()}, or a shorter time`;
  return badRequestAs('too-large', `${typed} Try: ${works}.`);
}
