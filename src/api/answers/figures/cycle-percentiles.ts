import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import { weeksScan } from '../../../engine/measure/weeks-scan.ts';
import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope, Principal } from '../../../model/request.ts';
import type { ProjectPart, ReportingApi } from '../../reporting/reporting-api.ts';
import { cycleTimes, finishedIn, outcomesInSlices, outcomesRequest } from './issue-outcomes.ts';
import { addScopes } from './read-table.ts';
import { createSharingByEffect } from './share-by-effect.ts';

/** The 85th percentile of the cycle times (working ms) of a project's issues finished in the last 90 days, and what issues they are. */
interface CyclePercentile {
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
const MAX_REMEMBERED = 1_000;

/** Eight bytes for each issue of a project that was finished in the days that tell what is usual. */
const MAX_OPEN = 100;

/** Cycle times (working ms) of issues, and what issues they are. */
interface CycleTimes {
  readonly ms: Float64Array;
  readonly contents: AudienceScope | null;
}

/**
 * Cycle times learned once an hour for all who see the same of a project: what is usual changes slowly, and an issue is
 * asked about often. Issues that are closed to some people of a project make what each of them sees another effect, so
 * the times of all others are learned apart and shared by all who see these.
 */
export function createCyclePercentiles(reporting: ReportingApi, now: () => Instant): CyclePercentiles {
  const percentiles = createSharingByEffect<CyclePercentile>({
    name: 'cycle-percentiles',
    most: MAX_REMEMBERED,
    now,
  });
  const openTimes = createSharingByEffect<CycleTimes>({
    name: 'open-cycle-times',
    most: MAX_OPEN,
    now,
  });
  const { scan, effectOn } = reporting;
  if (scan === undefined || effectOn === undefined) return async () => null;
  return async (principal, project, calendar, asOf) => {
    const until = baselineUntil(asOf);
    const key = [project, calendar, until];
    const timesOf = (classes: ProjectPart['classes']) =>
      learn({ principal, calendar, until }, { project, classes }, { ...reporting, scan });
    const effect = () => effectOn(principal, [project]);
    const openEffect = () => effectOn(principal, [project], 'open');
    return percentiles({
      key,
      effect,
      async learn() {
        const open = await openTimes({ key, effect: openEffect, learn: () => timesOf('open') });
        const isAll = (await effect()) === (await openEffect());
        const own = isAll ? nothingMore : await timesOf('restricted');
        const all = joinNumbers([open.ms, own.ms]);
        return {
          p85: all.length < MIN_VISITS ? null : percentileOf(all, USUAL_PERCENT),
          issues: all.length,
          // What is learned from some issues of a project says no more than that they are there.
          contents: addScopes(open.contents, own.contents),
        };
      },
    });
  };
}

const nothingMore: CycleTimes = {
  ms: new Float64Array(),
  contents: { projects: [], issues: 0, withLevel: 0 },
};

async function learn(
  {
    principal,
    calendar,
    until,
  }: { readonly principal: Principal; readonly calendar: string; readonly until: Instant },
  part: ProjectPart,
  reporting: ReportingApi & Required<Pick<ReportingApi, 'scan'>>,
): Promise<CycleTimes> {
  const span = { start: until - USUAL_DAYS * millisecondsInDay, end: until };
  const issues = {
    principal,
    calendar,
    dateRange: null,
    asOf: until,
    selection: { by: 'jql', jql: '' },
  } as const;
  const { found, slices, provenance } = await reporting.scan(
    outcomesRequest(issues),
    weeksScan,
    (plan) => ({ ...plan, bounds: [span.start, span.end] }),
    part,
  );
  const others: number[] = [];
  for await (const { outcomes } of outcomesInSlices(issues, reporting, slices(found.rest))) {
    others.push(...cycleTimes(finishedIn(span, outcomes)));
  }
  const ms = joinNumbers([found.cycleMs.filter((one) => !Number.isNaN(one)), Float64Array.from(others)]);
  return { ms, contents: provenance.contents ?? null };
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
export const MIN_VISITS = 5;

/** What is usual is learned up to the full hour, so that everyone who asks within one sees the same, in every answer. */
export function baselineUntil(asOf: Instant): Instant {
  return Math.floor(asOf / millisecondsInHour) * millisecondsInHour;
}
