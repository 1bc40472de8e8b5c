import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import { AppError } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope, Principal } from '../../../model/request.ts';
import type { ProjectPart } from '../../outcomes/outcomes-api.ts';
import { addScopes, emptyScope } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { createSharingByEffect } from './share-by-effect.ts';

/** The 85th percentile of the cycle times (working ms) of a project's issues finished in the last 90 days, and what issues they are. */
interface CyclePercentile {
  /** Null of too few issues. */
  readonly p85: number | null;
  readonly issues: number;
  readonly contents: AudienceScope | null;
}

/** The same of a project (its key), as far as the principal sees it. */
export type CyclePercentiles = (
  principal: Principal,
  project: string,
  calendar: string,
  asOf: Instant,
) => Promise<CyclePercentile>;

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
  return async (principal, project, calendar, asOf) => {
    const until = baselineUntil(asOf);
    const key = [project, calendar, until];
    const timesOf = async (classes: ProjectPart['classes']): Promise<CycleTimes> => {
      const { spans, provenance } = await reporting.finishedSpans({
        principal,
        calendar,
        dateRange: null,
        asOf: until,
        selection: { by: 'jql', jql: '' },
        bounds: [until - USUAL_DAYS * millisecondsInDay, until],
        part: { project, classes },
      });
      const ms = joinNumbers(spans.flatMap(({ cycleTimes }) => cycleTimes));
      return { ms, contents: provenance.contents ?? null };
    };
    const effect = () => reporting.effectOn(principal, [project]);
    const openEffect = () => reporting.effectOn(principal, [project], 'open');
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
          // The scope of issues of a project shows no more than that they exist.
          contents: addScopes(open.contents, own.contents),
        };
      },
    });
  };
}

const nothingMore: CycleTimes = { ms: new Float64Array(), contents: emptyScope };

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
