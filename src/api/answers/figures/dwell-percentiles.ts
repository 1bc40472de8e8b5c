import { millisecondsInDay } from 'date-fns/constants';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope, Principal } from '../../../model/request.ts';
import type { EndedVisits, ProjectPart } from '../../outcomes/outcomes-api.ts';
import { addScopes } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { DwellPercentile } from '../aging/aging-answer.ts';
import { baselineUntil, MIN_VISITS, USUAL_DAYS, USUAL_PERCENT } from './cycle-percentiles.ts';
import { createSharingByEffect } from './share-by-effect.ts';

/** Some numbers for each status. */
const MAX_REMEMBERED = 1_000;

/** Eight bytes for each visit of a project that ended within the last 90 days. */
const MAX_OPEN = 100;

/** The usual times in the statuses of a project. */
interface ProjectBaselines {
  /** By status id; null or nothing of too few visits. */
  readonly byStatus: ReadonlyMap<string, DwellPercentile | null>;
  /** The scope of the issues it was learned from; null where it is unknown. */
  readonly contents: AudienceScope | null;
}

/** The usual times of some projects, by key in upper case, as far as the principal sees them. */
export type DwellPercentiles = (
  principal: Principal,
  projects: readonly string[],
  calendar: string,
  asOf: Instant,
) => Promise<ReadonlyMap<string, ProjectBaselines>>;

/**
 * Usual times, learned once an hour for all who see the same issues of the projects. Of one project, those that are open to
 * all who see anything of it are learned apart: the few others would make nearly every person learn all of them.
 */
export function createDwellPercentiles(reporting: ReportingApi, now: () => Instant): DwellPercentiles {
  const shared = createSharingByEffect<ReadonlyMap<string, ProjectBaselines>>({
    name: 'dwell-percentiles',
    most: MAX_REMEMBERED,
    now,
  });
  const openVisits = createSharingByEffect<ReadonlyMap<string, EndedVisits>>({
    name: 'open-durations',
    most: MAX_OPEN,
    now,
  });
  return async (principal, projects, calendar, asOf) => {
    if (projects.length === 0) return new Map();
    const until = baselineUntil(asOf);
    const key = [calendar, projects, until];
    const visitsOf = (classes?: ProjectPart['classes']) =>
      reporting.endedVisits({
        principal,
        projects,
        calendar,
        asOf: until,
        since: baselineSince(until),
        classes,
      });
    const effect = () => reporting.effectOn(principal, projects);
    const openEffect = () => reporting.effectOn(principal, projects, 'open');
    return shared({
      key,
      effect,
      async learn() {
        if (projects.length > 1) return percentilesOf([await visitsOf()]);
        const open = await openVisits({ key, effect: openEffect, learn: () => visitsOf('open') });
        const isAll = (await effect()) === (await openEffect());
        return percentilesOf(isAll ? [open] : [open, await visitsOf('restricted')]);
      },
    });
  };
}

/** The instant from which on a visit has to end to count for what is usual at another. */
export function baselineSince(until: Instant): Instant {
  return until - USUAL_DAYS * millisecondsInDay;
}

/** The usual times of projects that were learned in parts. */
function percentilesOf(
  parts: readonly ReadonlyMap<string, EndedVisits>[],
): ReadonlyMap<string, ProjectBaselines> {
  const projects = new Set(parts.flatMap((part) => [...part.keys()]));
  return new Map(
    [...projects].map((project) => [project, baselinesOf(parts.flatMap((part) => part.get(project) ?? []))]),
  );
}

function baselinesOf(parts: readonly EndedVisits[]): ProjectBaselines {
  const statuses = new Set(parts.flatMap(({ byStatus }) => [...byStatus.keys()]));
  const all = (status: string) => joinNumbers(parts.flatMap(({ byStatus }) => byStatus.get(status) ?? []));
  return {
    byStatus: new Map([...statuses].map((status) => [status, percentileOfVisits(all(status))])),
    contents: parts.map(({ contents }) => contents).reduce(addScopes),
  };
}

/** The usual time where visits of these lengths (working ms) ended; null of too few. */
function percentileOfVisits(durations: Float64Array): DwellPercentile | null {
  if (durations.length < MIN_VISITS) return null;
  const p85 = percentileOf(durations, USUAL_PERCENT);
  return p85 === null ? null : { p85Ms: p85, visits: durations.length, days: USUAL_DAYS };
}
