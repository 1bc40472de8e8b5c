import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { createAmounts, durationFigures } from '../../../engine/measure/statistics.ts';
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
import { doubtsOf } from '../../outcomes/issue-outcomes.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';

/** A period, or as much of it as is over and in the time of the question, and the issues finished in it. */
export interface TrendPoint extends Period {
  /** The time of the question begins or ends within it. */
  readonly part: boolean;
  readonly running: boolean;
  readonly finished: number;
  /** The statistic of the request; null where no issue has a time. */
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
  /** Issues that are started and not done at the end of the last period, or as of the answer while it runs. */
  readonly inProgress: number;
}

/** A question is about times by the period of the finish. */
export function asksTrend(question: { readonly kind: string }): question is ReportQuestion {
  return question.kind === 'report' && 'isTrend' in question && question.isTrend === true;
}

/** The statistic of a trend where none is named. */
export const trendStatistic: Statistic = { ...defaultStatistic, type: 'median' };

/** The number of periods of a trend of a time without a first day. */
const USUAL_PERIODS = 12;
const MAX_PERIODS = 1_000;

/** The trend of a request's issues, and where its figures come from. Too many periods are `too-large`. */
export async function trendOf(
  { principal, selection, dateRange, asOf, calendar, timePeriod, ...request }: ReportRequest,
  timeZone: string,
  reporting: ReportingApi,
): Promise<{ readonly trend: Trend; readonly provenance: Provenance }> {
  if (asOf === null) throw new Error('A trend is as of an instant.');
  const issues = { principal, selection, asOf, calendar };
  const periods = periodsIn(dateRange, { asOf, timeZone, timePeriod });
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) throw new Error('There is always a period.');
  const bounds = [...periods.map(({ start }) => start), last.end];
  const statistic = request.statistic ?? trendStatistic;
  const status = statusOf(request, await reporting.statuses(principal));
  const together = status?.ids ?? [];
  const found = await reporting.finishedSpans({ ...issues, bounds, together });
  const times = found.spans.map((span) => joinNumbers(status === null ? span.cycleTimes : span.together));
  // No time has passed in a period that begins at this instant.
  const begun = found.spans.findLast(({ start }) => start < asOf) ?? found.spans.at(-1);
  return {
    trend: {
      status,
      statistic,
      points: periods.map((period, i) => {
        const whole = periodAt(period.start, timePeriod, timeZone);
        const finished = found.spans[i]?.finished ?? 0;
        return {
          ...period,
          part: period.start !== whole.start || period.end !== whole.end,
          running: whole.end > asOf,
          finished,
          figureMs: figureOf(times[i] ?? new Float64Array(), statistic, finished),
          times: durationFigures(times.slice(i, i + 1)),
        };
      }),
      finished: found.spans.reduce((sum, { finished }) => sum + finished, 0),
      times: durationFigures(times),
      inProgress: (await begun?.inProgress()) ?? 0,
      ...doubtsOf(found.doubtful),
    },
    provenance: { ...found.provenance, reportType: 'trend', timeZone },
  };
}

/** The statuses of the request, which have one name; null where there are none. */
function statusOf({ statuses }: Pick<ReportRequest, 'statuses'>, known: readonly Status[]): Trend['status'] {
  const [first] = statuses ?? [];
  if (statuses === null || first === undefined) return null;
  return { ids: statuses, name: known.find(({ id }) => id === first)?.name ?? first };
}

function figureOf(times: Float64Array, statistic: Statistic, issues: number): number | null {
  const amounts = createAmounts(statistic);
  for (const ms of times) amounts.add(ms);
  return amounts.condense(issues);
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
  const limit = MAX_PERIODS.toLocaleString('en');
  const typed = `"by ${timePeriod.toLowerCase()}" makes more than ${limit} rows of that time.`;
  const longer = timePeriods[timePeriods.indexOf(timePeriod) + 1];
  const works = longer === undefined ? 'a shorter time' : `by ${longer.toLowerCase()}, or a shorter time`;
  return badRequestAs('too-large', `${typed} Try: ${works}.`);
}
