import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { percentileOf } from '../../engine/statistics.ts';
import { weeksScan } from '../../engine/weeks-scan.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { AudienceScope, Principal } from '../../model/request.ts';
import { cycleTimes, finishedIn, livesInSlices, requestOfLives } from './issue-lives.ts';
import { createSharingByEffect } from './share-by-effect.ts';

/** The 85th percentile of the cycle times (working ms) of a project's issues finished in the last 90 days, and what issues they are. */
export interface CyclePercentile {
  /** Null of too few issues. */
  readonly p85: number | null;
  readonly issues: number;
  readonly contents: AudienceScope | null;
}

/** The same of a project (its key), as far as the principal sees it; null where it would take reading every issue of a service. */
export type CyclePercentiles = (
  principal: Principal,
  project: string,
  calendar: string,
  asOf: Instant,
) => Promise<CyclePercentile | null>;

/** A few numbers each. */
const MOST_REMEMBERED = 500;

/** Cycle times learned once an hour for all who see the same of a project: what is usual changes slowly, and an issue is asked about often. */
export function createCyclePercentiles(reporting: ReportingApi, now: () => Instant): CyclePercentiles {
  const shared = createSharingByEffect<CyclePercentile>({
    ...{ name: 'cycle-percentiles', most: MOST_REMEMBERED, now },
  });
  const { scan, effectOn } = reporting;
  if (scan === undefined || effectOn === undefined) return async () => null;
  return async (principal, project, calendar, asOf) => {
    const until = baselineUntil(asOf);
    return shared({
      effect: () => effectOn(principal, [project]),
      key: [project, calendar, until],
      learn: () => learn({ principal, project, calendar, until }, { ...reporting, scan }),
    });
  };
}

async function learn(
  asked: {
    readonly principal: Principal;
    readonly project: string;
    readonly calendar: string;
    readonly until: Instant;
  },
  reporting: ReportingApi & Required<Pick<ReportingApi, 'scan'>>,
): Promise<CyclePercentile> {
  const { principal, project, calendar, until } = asked;
  const span = { start: until - USUAL_DAYS * millisecondsInDay, end: until };
  const issues = {
    ...{ principal, calendar, dateRange: null, asOf: until },
    selection: { by: 'jql', jql: '' },
  } as const;
  const { found, slices, provenance } = await reporting.scan(
    requestOfLives(issues),
    weeksScan,
    (plan) => ({ ...plan, bounds: [span.start, span.end] }),
    project,
  );
  const known = [...found.cycleMs].filter((ms) => !Number.isNaN(ms));
  for await (const { lives } of livesInSlices(issues, reporting, slices(found.rest))) {
    known.push(...cycleTimes(finishedIn(span, lives)));
  }
  return {
    p85: known.length < FEWEST_VISITS ? null : percentileOf(Float64Array.from(known), USUAL_PERCENT),
    issues: known.length,
    // What is learned from some issues of a project says no more than that they are there.
    contents: provenance.contents ?? null,
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

/** How far back visits tell what is usual. */
export const USUAL_DAYS = 90;

/** Which percentile of the visits that ended is called usual. */
export const USUAL_PERCENT = 85;

/** Of fewer visits nobody can tell what is usual. */
export const FEWEST_VISITS = 5;

/** What is usual is learned up to the full hour, so that everyone who asks within one sees the same, in every answer. */
export function baselineUntil(asOf: Instant): Instant {
  return Math.floor(asOf / millisecondsInHour) * millisecondsInHour;
}
