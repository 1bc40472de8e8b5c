import { createYieldIfDue } from '../../../concurrency/cooperative-yield.ts';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope, Principal } from '../../../model/request.ts';
import type { EndedVisits } from '../../outcomes/outcomes-api.ts';
import { addScopes } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { DwellPercentile } from '../aging/aging-answer.ts';
import { baselineSince, baselineUntil, MIN_VISITS, USUAL_DAYS, USUAL_PERCENT } from './cycle-percentiles.ts';
import { learnedByEffect } from './share-by-effect.ts';

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

/** Times in status, learned by the effect of rights. */
export function createDwellPercentiles(reporting: ReportingApi, now: () => Instant): DwellPercentiles {
  const learn = learnedByEffect({
    names: ['dwell-percentiles', 'open-durations'],
    reporting,
    now,
    read: (input, classes) => reporting.endedVisits({ ...input, since: baselineSince(input.asOf), classes }),
    join: percentilesOf,
  });
  return async (principal, projects, calendar, asOf) =>
    projects.length === 0 ? new Map() : learn({ principal, projects, calendar, asOf: baselineUntil(asOf) });
}

/** The usual times of projects that were learned in parts. */
async function percentilesOf(
  parts: readonly ReadonlyMap<string, EndedVisits>[],
): Promise<ReadonlyMap<string, ProjectBaselines>> {
  const pace = createYieldIfDue();
  const baselines = new Map<string, ProjectBaselines>();
  for (const project of new Set(parts.flatMap((part) => [...part.keys()]))) {
    await pace();
    baselines.set(project, baselinesOf(parts.flatMap((part) => part.get(project) ?? [])));
  }
  return baselines;
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
