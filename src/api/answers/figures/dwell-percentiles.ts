import { millisecondsInDay } from 'date-fns/constants';
import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { type EndedFound, endedScan } from '../../../engine/measure/life-scans.ts';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import type { Instant } from '../../../model/issue.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import {
  type AudienceScope,
  ask,
  type Principal,
  type ReportRequest,
  type Selection,
} from '../../../model/request.ts';
import type { Row, Table } from '../../../model/table.ts';
import type { ProjectPart, ReportingApi } from '../../reporting/reporting-api.ts';
import type { DwellPercentile } from '../aging/aging-answer.ts';
import { baselineUntil, MIN_VISITS, USUAL_DAYS, USUAL_PERCENT } from './cycle-percentiles.ts';
import { addScopes, readVisits } from './read-table.ts';
import { createSharingByEffect } from './share-by-effect.ts';

/** Some numbers for each status. */
const MAX_REMEMBERED = 1_000;

/** Eight bytes for each visit of a project that ended within the days that tell what is usual. */
const MAX_OPEN = 100;

/** How long visits of some issues of a project took (working ms), by status id, and what issues they are of. */
interface Durations {
  readonly byStatus: ReadonlyMap<string, Float64Array>;
  readonly contents: AudienceScope | null;
}

/** What is usual in a project. */
interface ProjectBaselines {
  /** By status id; null or nothing of too few visits. */
  readonly byStatus: ReadonlyMap<string, DwellPercentile | null>;
  /** What issues it was learnt from; null where nobody tells. */
  readonly contents: AudienceScope | null;
}

/** What is usual in some projects, by key in upper case, as far as the principal sees them. */
export type DwellPercentiles = (
  principal: Principal,
  projects: readonly string[],
  calendar: string,
  asOf: Instant,
) => Promise<ReadonlyMap<string, ProjectBaselines>>;

/**
 * What is usual, learned once an hour for all who see the same: everybody who sees a project sees all of its issues but
 * those with a security level, so those who see none of these share what was learned, and others learn for themselves.
 * Where there are columns, it is learned in one pass of all projects asked about, for all who see the same issues of these.
 */
export function createDwellPercentiles(reporting: ReportingApi, now: () => Instant): DwellPercentiles {
  const { scan, effectOn } = reporting;
  const shared = createSharingByEffect<ReadonlyMap<string, ProjectBaselines>>({
    name: 'dwell-percentiles',
    most: MAX_REMEMBERED,
    now,
  });
  // One project has issues that are closed to some: the others are learned apart, for all who see these.
  const openDurations = createSharingByEffect<ReadonlyMap<string, Durations>>({
    name: 'open-durations',
    most: MAX_OPEN,
    now,
  });

  async function ofProject(question: EndedVisitsQuestion): Promise<ReadonlyMap<string, ProjectBaselines>> {
    const { principal, project, calendar, until } = question;
    const { account, rights } = principal;
    return shared({
      effect: async () =>
        (await seesAll(principal, project, until, reporting)) ? '' : `${account} ${rights === 'admin'}`,
      key: [project, calendar, until],
      learn: async () => new Map([[project, await learnFromVisits(question, reporting)]]),
    });
  }

  return async (principal, projects, calendar, asOf) => {
    const until = baselineUntil(asOf);
    if (scan !== undefined && effectOn !== undefined && projects.length > 0) {
      const key = [calendar, projects, until];
      const durationsOf = (classes?: ProjectPart['classes']) =>
        durationsFromColumns({ principal, projects, calendar, until }, { ...reporting, scan }, classes);
      const effect = () => effectOn(principal, projects);
      const openEffect = () => effectOn(principal, projects, 'open');
      return shared({
        key,
        effect,
        async learn() {
          if (projects.length > 1) return percentilesOf([await durationsOf()]);
          const open = await openDurations({ key, effect: openEffect, learn: () => durationsOf('open') });
          const isAll = (await effect()) === (await openEffect());
          return percentilesOf(isAll ? [open] : [open, await durationsOf('restricted')]);
        },
      });
    }
    const found = new Map<string, ProjectBaselines>();
    for (const project of projects) {
      for (const one of await ofProject({ principal, project, calendar, until })) found.set(...one);
    }
    return found;
  };
}

/** Whether somebody sees what everybody sees who sees anything of a project; false where nobody tells. */
async function seesAll(
  principal: Principal,
  project: string,
  until: Instant,
  reporting: ReportingApi,
): Promise<boolean> {
  const selection = { by: 'project', project } as const;
  const contents = await reporting.audienceScope(
    ask({ principal, reportType: 'statusCount', selection, asOf: until }),
  );
  return contents !== null && contents.withLevel === 0;
}

async function learnFromVisits(
  question: EndedVisitsQuestion,
  reporting: ReportingApi,
): Promise<ProjectBaselines> {
  const { visits, contents } = await endedVisits(question, reporting);
  return baselinesOf([{ byStatus: durationsByStatus(new Map(), visits), contents }]);
}

/** What is usual in projects that were learned in parts. */
function percentilesOf(
  parts: readonly ReadonlyMap<string, Durations>[],
): ReadonlyMap<string, ProjectBaselines> {
  const projects = new Set(parts.flatMap((part) => [...part.keys()]));
  return new Map(
    [...projects].map((project) => [project, baselinesOf(parts.flatMap((part) => part.get(project) ?? []))]),
  );
}

function baselinesOf(parts: readonly Durations[]): ProjectBaselines {
  const statuses = new Set(parts.flatMap(({ byStatus }) => [...byStatus.keys()]));
  const all = (status: string) => joinNumbers(parts.flatMap(({ byStatus }) => byStatus.get(status) ?? []));
  return {
    byStatus: new Map([...statuses].map((status) => [status, percentileOfVisits(all(status))])),
    contents: parts.map(({ contents }) => contents).reduce(addScopes),
  };
}

/** Durations by status id, with those of some visits. */
function durationsByStatus(
  durations: ReadonlyMap<string, Float64Array>,
  visits: readonly EndedVisit[],
): ReadonlyMap<string, Float64Array> {
  const others = Map.groupBy(visits, ({ statusId }) => statusId);
  return new Map(
    [...new Set([...durations.keys(), ...others.keys()])].map((status) => {
      const more = others.get(status)?.map(({ ms }) => ms) ?? [];
      return [status, joinNumbers([durations.get(status) ?? new Float64Array(), Float64Array.from(more)])];
    }),
  );
}

/** How long visits to the statuses of some projects took, in one pass over the columns. */
async function durationsFromColumns(
  {
    principal,
    projects: asked,
    calendar,
    until,
  }: Omit<EndedVisitsQuestion, 'project'> & { readonly projects: readonly string[] },
  reporting: ReportingApi & Required<Pick<ReportingApi, 'scan'>>,
  classes: ProjectPart['classes'],
): Promise<ReadonlyMap<string, Durations>> {
  const since = baselineSince(until);
  const all = { principal, selection: { by: 'jql', jql: '' } as const, calendar, asOf: until };
  const [project = '', ...more] = asked;
  const { found, projects, statusIds, audienceScope, keys, slices } = await reporting.scan(
    ask({ ...all, reportType: 'statusDuration', includeDeletedStatuses: true }),
    endedScan,
    (plan, columns) => ({
      ...plan,
      since,
      classes: Uint8Array.from(columns.classes.all, ({ projectKey }) =>
        Number(asked.includes(projectKey.toUpperCase())),
      ),
    }),
    more.length > 0 ? undefined : { project, classes },
  );
  const request = expandedVisits({ principal, calendar, until }, { by: 'keys', keys: keys(found.rest) });
  const others: EndedVisit[] = [];
  const anyLevel: boolean[] = [];
  for await (const slice of slices(found.rest)) {
    const table = await slice.report(request);
    for (const visit of endedSince(since, table)) others.push(visit);
    anyLevel.push(table.provenance.contents?.withLevel !== 0);
  }
  const othersOf = Map.groupBy(others, ({ key }) => projectKeyOf({ key }).toUpperCase());
  const durationsOf = durationsBy(found, statusIds, { projects, asked });
  const durations = new Map<string, Durations>();
  for (const [index, project] of asked.entries()) {
    const visits = othersOf.get(project) ?? [];
    await yieldToOthers();
    const own = found.issues.map((count, code) => (projects[code] === project ? count : 0));
    durations.set(project, {
      byStatus: durationsByStatus(durationsOf(index), visits),
      contents: addScopes(
        audienceScope(own),
        await contentsOf(visits, anyLevel.includes(true), { principal, until }, reporting),
      ),
    });
  }
  return durations;
}

/** Working ms of visits by status id, for each of some projects (its index). */
function durationsBy(
  { classes, slots, ms }: EndedFound,
  statusIds: readonly string[],
  { projects, asked }: { readonly projects: readonly string[]; readonly asked: readonly string[] },
): (project: number) => ReadonlyMap<string, Float64Array> {
  const width = statusIds.length;
  const indexes = projects.map((project) => asked.indexOf(project));
  const pairOf = (visit: number) => (indexes[classes[visit] ?? 0] ?? 0) * width + (slots[visit] ?? 0);
  // Counted first, so that all of a project and status lie together.
  const ends = new Uint32Array(asked.length * width);
  for (let visit = 0; visit < ms.length; visit += 1) {
    const pair = pairOf(visit);
    ends[pair] = (ends[pair] ?? 0) + 1;
  }
  for (let pair = 1; pair < ends.length; pair += 1) ends[pair] = (ends[pair] ?? 0) + (ends[pair - 1] ?? 0);
  const starts = ends.slice();
  const together = new Float64Array(ms.length);
  for (let visit = 0; visit < ms.length; visit += 1) {
    const pair = pairOf(visit);
    const at = (starts[pair] ?? 0) - 1;
    starts[pair] = at;
    together[at] = ms[visit] ?? 0;
  }
  return (project) =>
    new Map(
      statusIds.flatMap((id, slot): [string, Float64Array][] => {
        const pair = project * width + slot;
        const some = together.subarray(starts[pair], ends[pair]);
        return some.length === 0 ? [] : [[id, some]];
      }),
    );
}

/** A service elsewhere tells dates to the minute. */
const TOLD_TO_MS = 60_000;

/** So many issues are told visit by visit at once: few enough that their lines are nothing. */
const ISSUES_AT_ONCE = 500;

/** An issue was in a status and left it. `ms` are working. */
interface EndedVisit {
  readonly key: string;
  readonly link: string | null;
  readonly statusId: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly ms: number;
}

/** Whose visits, of which project (its key), in which calendar, until when. */
interface EndedVisitsQuestion {
  readonly principal: Principal;
  readonly project: string;
  readonly calendar: string;
  readonly until: Instant;
}

/** Visits, and what issues they are of; null where nobody tells. */
interface EndedVisits {
  readonly visits: readonly EndedVisit[];
  readonly contents: AudienceScope | null;
}

/** From when on a visit has to end to tell what is usual at an instant. */
function baselineSince(until: Instant): Instant {
  return until - USUAL_DAYS * millisecondsInDay;
}

/**
 * The visits of a project's issues that ended in the days that tell what is usual, as far as the principal sees them.
 * Visits that a cut history does not tell from their beginning to their end are left out.
 */
export async function endedVisits(
  { principal, project, calendar, until }: EndedVisitsQuestion,
  reporting: ReportingApi,
): Promise<EndedVisits> {
  const since = baselineSince(until);
  // Whatever the tracker says of when an issue was updated: a workflow migration is no update to it.
  const exits = ask({
    principal,
    reportType: 'lastTransitionFromStatusDate',
    selection: { by: 'project', project },
    includeDeletedStatuses: true,
    asOf: until,
  });
  const keys: string[] = [];
  for await (const slice of reporting.slices(exits)) {
    const { issues, rows } = await slice.report(exits);
    const isLate = ({ cells }: Row) =>
      Object.values(cells).some(({ value }) => Number(value) >= since - TOLD_TO_MS);
    const late = new Set(rows.filter(isLate).map(({ issueKey }) => issueKey));
    // Which exit was the last one a cut history does not tell, and yet it may tell of visits.
    for (const { key, history } of issues) if (late.has(key) || !history.complete) keys.push(key);
  }
  const visits: EndedVisit[] = [];
  const anyLevel: boolean[] = [];
  for (let start = 0; start < keys.length; start += ISSUES_AT_ONCE) {
    const table = await reporting.report(
      expandedVisits(
        { principal, calendar, until },
        { by: 'keys', keys: keys.slice(start, start + ISSUES_AT_ONCE) },
      ),
    );
    visits.push(...endedSince(since, table));
    anyLevel.push(table.provenance.contents?.withLevel !== 0);
  }
  return {
    visits,
    contents: await contentsOf(visits, anyLevel.includes(true), { principal, until }, reporting),
  };
}

/** Issues visit by visit. */
function expandedVisits(
  { principal, calendar, until }: Omit<EndedVisitsQuestion, 'project'>,
  selection: Selection,
): ReportRequest {
  return ask({
    principal,
    selection,
    calendar,
    asOf: until,
    reportType: 'statusDurationExpanded',
    includeDeletedStatuses: true,
  });
}

/** What the issues of the visits are; only where some issue may have a level it takes another look at them. */
async function contentsOf(
  visits: readonly EndedVisit[],
  anyLevel: boolean,
  { principal, until }: Pick<EndedVisitsQuestion, 'principal' | 'until'>,
  reporting: ReportingApi,
): Promise<AudienceScope | null> {
  const keys = [...new Set(visits.map(({ key }) => key))];
  if (!anyLevel || keys.length === 0) {
    const projects = [...new Set(keys.map((key) => projectKeyOf({ key }).toUpperCase()))];
    return { projects, issues: keys.length, withLevel: 0 };
  }
  const selection = { by: 'keys', keys } as const;
  return reporting.audienceScope(ask({ principal, reportType: 'statusDuration', selection, asOf: until }));
}

function endedSince(since: Instant, table: Table): EndedVisit[] {
  return readVisits(table).flatMap(({ facts: { key, link }, status, start, end, ms, begun, ended }) =>
    status !== null && end !== null && end >= since && begun && ended
      ? [{ key, link, statusId: status.id, start, end, ms }]
      : [],
  );
}

/** What is usual where visits of these lengths (working ms) ended; null of too few. */
function percentileOfVisits(durations: Float64Array): DwellPercentile | null {
  if (durations.length < MIN_VISITS) return null;
  const p85 = percentileOf(durations, USUAL_PERCENT);
  return p85 === null ? null : { p85Ms: p85, visits: durations.length, days: USUAL_DAYS };
}
