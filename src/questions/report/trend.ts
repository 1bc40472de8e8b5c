import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { durationFigures } from '../../engine/statistics.ts';
import { weeksScan } from '../../engine/weeks-scan.ts';
import type { DurationFigures, Unknowns } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { ReportQuestion } from '../../model/question.ts';
import type { DateRange, ReportRequest } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import { type Period, periodAt, periodBack } from '../../time/periods.ts';
import {
  doubtsOf,
  finishedIn,
  finishedIssues,
  mayBeFinishedIn,
  requestOfLives,
} from '../figures/issue-lives.ts';
import { issuesInProgress, lastMoment } from '../weekly/flow-figures.ts';

/** A period, or as much of it as was asked about and is over, and the issues finished in it. */
export interface TrendPoint extends Period {
  /** The time asked about begins or ends within it. */
  readonly isPart: boolean;
  readonly isRunning: boolean;
  readonly finished: number;
  readonly cycleTime: DurationFigures;
}

/** Issues by the period in which they were finished. */
export interface Trend {
  /** Oldest first. */
  readonly points: readonly TrendPoint[];
  readonly finished: number;
  readonly cycleTime: DurationFigures;
  /** Issues in a status of category In Progress at the end of the last period, or as of the answer while it runs. */
  readonly inProgress: number;
  readonly doubts: Unknowns;
}

/** Whether a question asks for cycle times by the period of the finish. */
export function asksTrend(question: { readonly kind: string }): question is ReportQuestion {
  return question.kind === 'report' && 'isTrend' in question && question.isTrend === true;
}

/** Without a first day a trend goes back so many periods. */
const USUAL_PERIODS = 12;
const MOST_PERIODS = 1_000;

/** The trend of a request's issues, and where its figures come from: one pass where there are columns. */
export async function trendOf(
  { principal, selection, dateRange, asOf: asked, calendar, timePeriod }: ReportRequest,
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
  const scanned = await reporting.scan?.(requestOfLives(issues), weeksScan, (plan) => ({ ...plan, bounds }));
  const found = scanned?.found;
  const looked = scanned && { ...scanned, places: [...scanned.found.rest] };
  const { lives, provenance } = await finishedIssues(issues, reporting, looked);
  const known = await reporting.statuses(principal);
  const moment = lastMoment(last, provenance);
  // Of a period that begins just now, no time has passed.
  let inProgress = found?.inProgress[periods.findLastIndex(({ start }) => start < asOf)] ?? 0;
  const slices = scanned === undefined ? [reporting] : scanned.slices(scanned.found.odd);
  for await (const slice of slices)
    inProgress += (await issuesInProgress(moment, issues, known, slice)).found.length;
  const cycles = periods.map((): number[] => []);
  const counts = periods.map(() => 0);
  const count = (index: number, cycleMs: number) => {
    counts[index] = (counts[index] ?? 0) + 1;
    if (!Number.isNaN(cycleMs)) cycles[index]?.push(cycleMs);
  };
  for (const [i, index] of (found?.weeks ?? []).entries()) count(index, found?.cycleMs[i] ?? Number.NaN);
  for (const [index, period] of periods.entries()) {
    for (const { finish } of finishedIn(period, lives))
      count(index, finish !== null && 'ms' in finish.cycle ? finish.cycle.ms : Number.NaN);
  }
  const whole = { start: first.start, end: last.end };
  return {
    trend: {
      points: periods.map((period, i) => ({
        ...period,
        isPart: !isWhole(period, periodAt(period.start, timePeriod, timeZone)),
        isRunning: periodAt(period.start, timePeriod, timeZone).end > asOf,
        finished: counts[i] ?? 0,
        cycleTime: durationFigures([cycles[i] ?? []]),
      })),
      finished: counts.reduce((sum, one) => sum + one, 0),
      cycleTime: durationFigures(cycles),
      inProgress,
      doubts: doubtsOf(mayBeFinishedIn(whole, lives)),
    },
    provenance: { ...provenance, reportType: 'trend', timeZone },
  };
}

function isWhole(part: Period, { start, end }: Period): boolean {
  return part.start === start && part.end === end;
}

/** The periods of a range, the first one from its first instant on and the last one up to its end. */
function periodsIn(
  range: DateRange | null,
  { asOf, timeZone, timePeriod }: Pick<ReportRequest, 'timePeriod'> & { asOf: Instant; timeZone: string },
): readonly Period[] {
  const from = range?.from ?? periodBack(asOf, timePeriod, timeZone, USUAL_PERIODS - 1).start;
  const to = range?.to ?? periodAt(asOf, timePeriod, timeZone).end;
  const periods: Period[] = [];
  for (let at = from; at < to && at <= Math.max(from, asOf) && periods.length < MOST_PERIODS; ) {
    const period = periodAt(at, timePeriod, timeZone);
    periods.push({ ...period, start: at, end: Math.min(period.end, to) });
    at = period.end;
  }
  return periods;
}
