import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../../cache/namespace.ts';
import { createYieldIfDue, sharedTask } from '../../../concurrency/cooperative-yield.ts';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import type { Instant } from '../../../model/issue.ts';
import type { AudienceScope, Principal } from '../../../model/request.ts';
import type { EndedVisits, OutcomesInput, ProjectPart } from '../../outcomes/outcomes-api.ts';
import { addScopes } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { DwellPercentile } from '../aging/aging-answer.ts';

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
  const p85Ms = durations.length < MIN_VISITS ? null : percentileOf(durations, USUAL_PERCENT);
  return p85Ms === null ? null : { p85Ms, visits: durations.length, days: USUAL_DAYS };
}

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

/** The projects (keys, upper case) that something usual is of. */
interface UsualInput extends OutcomesInput {
  readonly projects: readonly string[];
  /** Something else on which what is learned depends, such as a revision. */
  readonly since?: number;
  /** The instant up to which it is learned, where that is not `asOf`. */
  readonly until?: Instant | undefined;
}

/** Values of everyone: some numbers each. */
const MAX_REMEMBERED = 1_000;

/** Parts that all see: eight bytes for each issue, or visit, of the last 90 days. */
const MAX_OPEN = 100;

/**
 * Learns from the issues of projects, once an hour for all who see the same of them: what is usual changes slowly. Issues
 * that are closed to some people of a project would make nearly every person learn all of it, so of one project the issues in
 * access classes that are seen as a whole are a part of their own, for all who see these.
 */
function learnedByEffect<Part, Value>({
  names,
  reporting,
  now,
  read,
  join,
}: {
  /** The names of the cache of values and of the cache of open parts. */
  readonly names: readonly [string, string];
  readonly reporting: Pick<ReportingApi, 'effectOn'>;
  readonly now: () => Instant;
  readonly read: (input: UsualInput, classes: ProjectPart['classes']) => Promise<Part>;
  readonly join: (parts: readonly Part[]) => Value | Promise<Value>;
}): (input: UsualInput) => Promise<Value> {
  const values = createSharing<Value>(names[0], MAX_REMEMBERED, now);
  const openParts = createSharing<Part>(names[1], MAX_OPEN, now);
  return (input) => {
    const { principal, projects, calendar, asOf, since = 0, until = asOf } = input;
    const key = [projects, calendar, asOf, since, until];
    const effect = () => reporting.effectOn(principal, projects);
    const openEffect = () => reporting.effectOn(principal, projects, 'open');
    return values(key, effect, async () => {
      if (projects.length > 1) return join([await read(input, undefined)]);
      const open = await openParts(key, openEffect, () => read(input, 'open'));
      const isAll = (await effect()) === (await openEffect());
      return join(isAll ? [open] : [open, await read(input, 'restricted')]);
    });
  };
}

/**
 * Shares values by a key and by the effect of the rights of their principals. Where the effect is another one after the
 * learning, the value is for the principal it was learned for alone: it may hold more than others can see.
 */
function createSharing<Value>(name: string, capacity: number, now: () => Instant) {
  const known = createNamespace<{ readonly value: Value; readonly isShared: boolean }>({
    name,
    maxEntries: capacity,
    now,
    share: sharedTask,
    ttlMs: ({ isShared }) => (isShared ? millisecondsInHour : 0),
  });
  return async (
    key: readonly unknown[],
    effect: () => Promise<string>,
    learn: () => Promise<Value>,
  ): Promise<Value> => {
    const before = await effect();
    let isOwn = false;
    const { value, isShared } = await known.getOrMake(JSON.stringify([before, ...key]), async () => {
      isOwn = true;
      const learned = await learn();
      return { value: learned, isShared: (await effect()) === before };
    });
    return isShared || isOwn ? value : learn();
  };
}
