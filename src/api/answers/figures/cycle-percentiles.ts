import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope, Principal } from '../../../model/request.ts';
import { addScopes } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { learnedByEffect } from './share-by-effect.ts';

/** The 85th percentile of the cycle times (working ms) of a project's issues finished in the last 90 days. */
interface CyclePercentile {
  /** Null of too few issues. */
  readonly p85: number | null;
  readonly issues: number;
  /** The scope of these issues; null where it is unknown. */
  readonly contents: AudienceScope | null;
}

/** The same of a project (its key), as far as the principal sees it; the 90 days end at `until`, by default at `asOf`. */
export type CyclePercentiles = (
  principal: Principal,
  project: string,
  calendar: string,
  asOf: Instant,
  until?: Instant,
) => Promise<CyclePercentile>;

/** Cycle times, learned by the effect of rights. */
export function createCyclePercentiles(reporting: ReportingApi, now: () => Instant): CyclePercentiles {
  const learn = learnedByEffect({
    names: ['cycle-percentiles', 'open-cycle-times'],
    reporting,
    now,
    async read({ projects: [project = ''], since: _since, until, ...input }, classes) {
      const end = until ?? input.asOf;
      const changedSince = baselineSince(end);
      const { spans, finishedContents } = await reporting.finishedSpans({
        ...input,
        dateRange: null,
        selection: { by: 'jql', jql: '' },
        bounds: [changedSince, end],
        part: { project, classes, changedSince },
      });
      return { times: spans.flatMap(({ cycleTimes }) => cycleTimes), contents: await finishedContents() };
    },
    join(parts): CyclePercentile {
      const all = joinNumbers(parts.flatMap(({ times }) => times));
      const p85 = all.length < MIN_VISITS ? null : percentileOf(all, USUAL_PERCENT);
      return { p85, issues: all.length, contents: parts.map(({ contents }) => contents).reduce(addScopes) };
    },
  });
  return async (principal, project, calendar, asOf, until) => {
    const since = (await reporting.flows(principal)).revisionOf(project);
    return learn({ principal, projects: [project], calendar, asOf: baselineUntil(asOf), since, until });
  };
}

/** Null while issues are still being read, in place of a failure: what is usual is beside the point then. */
export async function whenReadable<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return null;
    throw error;
  }
}

/** Visits and cycle times of this many days make what is usual. */
export const USUAL_DAYS = 90;

/** The percentile of the visits that ended that is called usual. */
export const USUAL_PERCENT = 85;

/** Fewer visits do not show what is usual. */
export const MIN_VISITS = 5;

/** The full hour up to which what is usual is learned, so that everyone sees the same within an hour, in every answer. */
export function baselineUntil(asOf: Instant): Instant {
  return Math.floor(asOf / millisecondsInHour) * millisecondsInHour;
}

/** The instant from which on a visit has to end to count for what is usual at another. */
export function baselineSince(until: Instant): Instant {
  return until - USUAL_DAYS * millisecondsInDay;
}
