import { memo } from '../../cache/namespace.ts';
import { endUrgency, withTaskContext } from '../../concurrency/cooperative-yield.ts';
import { reports, reportTypeFacts } from '../../engine/reports/index.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { AppError } from '../../model/error.ts';
import { compileFlows, type ProjectFlow, withDraft } from '../../model/flow.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { changesOf, projectKeyOf } from '../../model/issues/issue-fields.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Principal, type ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import {
  browseScopeOf,
  browseScopeSince,
  type Rights,
  rightsOf,
} from '../../selection/access/access-rules.ts';
import { openQueryContext, type QueryContext, zoneOf } from '../../selection/access/query-context.ts';
import { projectCounts, rowIssues } from '../../selection/access/selected-issues.ts';
import { createStatusCatalog } from '../../selection/access/status-catalog.ts';
import { createVisibleIssues, effectOn, type VisibleIssues } from '../../selection/access/visible-issues.ts';
import { createOutcomes } from '../outcomes/create-outcomes.ts';
import { passOverRows } from '../outcomes/pass-over-rows.ts';
import { scopeOfRequest } from './prepare-report.ts';
import type { ReportingApi } from './reporting-api.ts';
import { type ReportSources, resolveRequest } from './resolve-request.ts';
import { openReport, runReport, runSlices } from './run-report.ts';

/** The parts of the local engine. `timeZone` is that of the tracker's server. */
interface LocalReportingParts extends Pick<ReportSources, 'pages' | 'newId' | 'delegateTimes'> {
  /** Returns the mirror that a question is answered from; called once per question. */
  readonly mirror: () => Promise<Mirror>;
  readonly calendars: (principal: Principal) => Promise<readonly CalendarDefinition[]>;
  /** The flows that were set, of all projects. */
  readonly flows: () => Promise<readonly ProjectFlow[]>;
  readonly now: () => Instant;
  readonly timeZone: string;
}

/** Creates the reporting port that is answered locally, by the engine over the mirror. */
export function createLocalReporting(parts: LocalReportingParts): ReportingApi {
  const { mirror, now, timeZone: usualZone } = parts;
  const visibleIssues = createVisibleIssues();
  const statusCatalog = createStatusCatalog();
  const examples = rememberForPrincipals<readonly string[]>();
  const assigned = rememberForPrincipals<ReadonlyMap<string, number>>();
  const contextFor = async (
    principal: Principal,
    { asOf, timeZone }: Pick<ReportRequest, 'asOf' | 'timeZone'> = { asOf: null, timeZone: null },
  ) =>
    openQueryContext(await mirror(), {
      principal,
      asOf,
      askedAt: now(),
      timeZone,
      usualZone,
      visibleIssues,
      statusCatalog,
      flows: await parts.flows(),
    });
  const sourcesFor = async (principal: Principal): Promise<ReportSources> => ({
    ...parts,
    reports,
    calendars: await parts.calendars(principal),
  });
  /** Principals take turns; only requests for issues by key are urgent. */
  const working = <Result>({ principal, selection }: ReportRequest, work: () => Promise<Result>) => {
    if (selection.by !== 'keys') endUrgency();
    return withTaskContext({ owner: `${principal.tenant} ${principal.account}` }, work);
  };
  const answered = <Result>(
    request: ReportRequest,
    answer: (request: ReportRequest, queryContext: QueryContext, sources: ReportSources) => Promise<Result>,
  ): Promise<Result> =>
    working(request, async () =>
      answer(request, await contextFor(request.principal, request), await sourcesFor(request.principal)),
    );
  const lists = {
    reportTypes: reportTypeFacts,
    report: (request) => answered(request, runReport),
    async *slices(request) {
      const inTurn = <Result>(run: () => Promise<Result>) => working(request, run);
      const { principal } = request;
      const slices = runSlices(request, await contextFor(principal, request), await sourcesFor(principal));
      for (;;) {
        const { done, value: slice } = await inTurn(() => slices.next());
        if (done) return;
        yield { report: (own) => inTurn(() => slice.report(own)) };
      }
    },
    async statuses(principal) {
      const { world } = await contextFor(principal);
      return [...(await world()).vocabulary.statuses.values()];
    },
    async flows(principal, draft) {
      const { world, directory } = await contextFor(principal);
      const { flows, vocabulary } = await world();
      if (draft === undefined) return flows;
      const { statuses } = vocabulary;
      return compileFlows(withDraft(await parts.flows(), draft), { ...directory, statuses });
    },
    audienceScope: (request) => answered(request, scopeOfRequest),
  } satisfies Partial<ReportingApi>;
  return {
    ...lists,
    open: (request, statistics, reading) =>
      answered(request, (...given) => openReport(...given, { statistics, ...reading })),
    ...createOutcomes(lists, (request, scan, planOf, how) =>
      answered(request, (...given) => passOverRows(...given, { ...how, scan, planOf })),
    ),
    passesOverProjects: true,
    async assignedProjects(principal) {
      const selection = { by: 'jql', jql: 'assignee = currentUser()' } as const;
      const make = () =>
        answered(ask({ principal, reportType: reportIds.statusCount, selection }), async (...given) => {
          const { selection: own, asOf } = await resolveRequest(...given);
          return projectCounts((await own.choose()).all, { asOf, pace: given[1].pace });
        });
      const source = await mirror();
      const [table, rights] = await Promise.all([source.table(), source.directoryFor(principal)]);
      return assigned(table, { principal, rights, version: table.columns.version, key: [], make });
    },
    async effectOn(principal, projects, classes) {
      const source = await mirror();
      const [table, directory] = await Promise.all([source.table(), source.directoryFor(principal)]);
      return effectOn(await visibleIssues(table, principal, directory), projects, classes);
    },
    count: (request) =>
      answered(request, async (...given) => {
        const { selection } = await resolveRequest(...given);
        return (await selection.choose()).all.count;
      }),
    async check(request) {
      await answered(request, resolveRequest);
    },
    async sprints(principal) {
      const { world } = await contextFor(principal);
      return (await world()).vocabulary.sprints;
    },
    async choices(principal) {
      const { world, directory } = await contextFor(principal);
      const { vocabulary, mentioned } = await world();
      const { account, rights } = principal;
      return {
        projects: [...new Set(mentioned.classes.values().map(({ projectKey }) => projectKey))].toSorted(),
        filters: directory.filters.filter(
          ({ shared, owner }) => shared || rights === 'admin' || owner === account,
        ),
        people: [...vocabulary.users.values()],
      };
    },
    async timeZoneOf(principal) {
      const users = await (await mirror()).users([principal.account]);
      return zoneOf(users.get(principal.account), usualZone);
    },
    async browseScope(principal, then) {
      const source = await mirror();
      const rights = await source.directoryFor(principal);
      return then === undefined
        ? browseScopeOf(principal, rights)
        : browseScopeSince(then, principal, rights, (key) => source.issue(key));
    },
    async exampleKeys(principal, count, project) {
      const source = await mirror();
      const make = () => exampleKeys(source, principal, count, { visibleIssues, project });
      const [version, rights] = await Promise.all([markIfSettled(source), source.directoryFor(principal)]);
      if (version === null) return make();
      return examples(source, { principal, rights, version, key: [count, project], make });
    },
  };
}

/** Number of recently updated issues from which the best examples are chosen. */
const MAX_EXAMINED = 40;

/**
 * Maximum number of recently updated issues to look at, since each takes a read. If the principal can see too few of
 * them, the issues created last serve as examples.
 */
const MAX_READ = 1_000;

/** Maximum number of remembered values per source, each for a principal and a key. */
const MAX_REMEMBERED = 1_000;

/** A value for a principal, and what it depends on. */
interface MadeForPrincipal<Value> {
  readonly principal: Principal;
  readonly rights: Rights;
  /** A version that changes with the issues of the source. */
  readonly version: number | string;
  readonly key: readonly unknown[];
  readonly make: () => Promise<Value>;
}

/**
 * Remembers values by source and principal until an issue changes or the principal has other rights. Values of a source
 * are dropped together with it.
 */
function rememberForPrincipals<Value>() {
  const knownOf = memo((_source: object) => new Map<string, readonly [readonly unknown[], Value]>());
  return async (
    source: object,
    { principal, rights: { access, groups, permissions }, version, key, make }: MadeForPrincipal<Value>,
  ): Promise<Value> => {
    const known = knownOf(source);
    const from = [version, access, groups, permissions];
    const name = JSON.stringify([principal.rights, principal.account, ...key]);
    const [before, remembered] = known.get(name) ?? [];
    if (remembered !== undefined && before?.every((one, i) => one === from[i])) return remembered;
    const value = await make();
    known.delete(name);
    known.set(name, [from, value]);
    if (known.size > MAX_REMEMBERED) for (const oldest of known.keys().take(1)) known.delete(oldest);
    return value;
  };
}

/** The mark of a mirror's issues, for which no table is needed; null until the initial sync has finished. */
async function markIfSettled(mirror: Mirror): Promise<string | null> {
  try {
    await mirror.settled();
    return await mirror.mark();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return null;
    throw error;
  }
}

/** Keys of example issues, the best first: recently updated, with a complete history of several statuses. */
async function exampleKeys(
  mirror: Mirror,
  principal: Principal,
  count: number,
  {
    visibleIssues,
    project,
  }: {
    readonly visibleIssues: ReturnType<typeof createVisibleIssues>;
    readonly project: string | undefined;
  },
): Promise<readonly string[]> {
  const directory = await mirror.directoryFor(principal);
  const { permissions } = directory;
  if (principal.rights !== 'admin' && permissions !== null && permissions.projects.size === 0) return [];
  const maySee = rightsOf(principal, directory);
  const wanted = Math.max(count, MAX_EXAMINED);
  const isWanted = (key: string) => project === undefined || projectKeyOf({ key }) === project;
  const keys: string[] = [];
  const best: string[] = [];
  let issues: Issue[] = [];
  // Issues that the principal cannot see must not displace others, so more are read until there are enough.
  for (let max = wanted; issues.length < wanted; max *= 4) {
    if (max > Math.max(MAX_READ, wanted)) {
      const created = await createdLast(mirror, wanted, (table) =>
        visibleIssues(table, principal, directory),
      );
      // Columns may lag behind by some changes, but remembered values must not.
      const visible = created.filter((issue) => isWanted(issue.key) && maySee(issue));
      if (visible.length > issues.length) issues = visible;
      break;
    }
    const known = keys.length;
    keys.push(...(await mirror.recentKeys(max)).slice(known));
    if (keys.length === known) break;
    for (const key of keys.slice(known)) {
      if (!isWanted(key)) continue;
      const issue = await mirror.issue(key);
      if (issue === null || !maySee(issue)) continue;
      issues.push(issue);
      if (dullness(issue) === 0) best.push(issue.key);
      // No other issue can be a better example.
      if (best.length === count) return best;
      if (issues.length === wanted) break;
    }
  }
  return issues
    .toSorted((a, b) => dullness(a) - dullness(b))
    .slice(0, count)
    .map((issue) => issue.key);
}

/** The issues created last that the principal can see, the newest first; none until the initial sync has finished. */
async function createdLast(
  mirror: Mirror,
  max: number,
  visibleIn: (table: IssueTable) => Promise<VisibleIssues>,
): Promise<readonly Issue[]> {
  try {
    const visible = await visibleIn(await mirror.table());
    return await rowIssues(visible.rows(), visible, 0).load(0, max);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return [];
    throw error;
  }
}

/** 0 for an issue with a complete history and at least two changes of status, 1 for fewer, 2 for a cut history. */
function dullness(issue: Issue): number {
  if (!issue.history.complete) return 2;
  return changesOf(issue, 'status').length >= 2 ? 0 : 1;
}
