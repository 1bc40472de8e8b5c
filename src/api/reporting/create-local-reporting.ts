import { endUrgency, withTaskContext } from '../../concurrency/cooperative-yield.ts';
import { changesOf } from '../../issues/issue-fields.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { Scope } from '../../model/permissions.ts';
import type { Principal } from '../../model/principal.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { reports } from '../../reports/index.ts';
import { type Rights, rightsOf, scopeOf } from '../access-rules.ts';
import type { DelegationApi } from '../delegations/delegation-api.ts';
import type { ReportingApi } from '../reporting.ts';
import { inRows } from './chosen-issues.ts';
import { type ReportSources, surveyContents } from './prepare-report.ts';
import { openQueryContext, type QueryContext, zoneOf } from './query-context.ts';
import { resolveRequest } from './resolve-request.ts';
import { countIssues, openReport, runReport, runSlices } from './run-report.ts';
import { scanIssues } from './scan-issues.ts';
import { createSeenIssues, type SeenIssues } from './seen-issues.ts';
import type { PageLists } from './take-page.ts';

/** What the local engine is built from. `timeZone` is the tracker server's. */
interface LocalReportingParts {
  /** The mirror a question is answered from; asked for once per question. */
  readonly mirror: () => Promise<Mirror>;
  readonly calendars: (principal: Principal) => Promise<readonly CalendarDefinition[]>;
  readonly pages: PageLists;
  /** Who stood in for whom, for reports that credit delegates. */
  readonly delegateTimes: DelegationApi['delegateTimes'];
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly timeZone: string;
}

/** The reporting port answered by our own engine over the mirror. */
export function createLocalReporting(parts: LocalReportingParts): ReportingApi {
  const { mirror, calendars, now, timeZone, pages, newId, delegateTimes } = parts;
  const seenIssues = createSeenIssues();
  const queryContextFor = async ({
    principal,
    asOf,
    timeZone: own,
  }: Pick<ReportRequest, 'principal' | 'asOf' | 'timeZone'>) =>
    openQueryContext(await mirror(), {
      ...{ principal, asOf, askedAt: now(), timeZone: own, usualZone: timeZone, seenIssues },
    });
  const sourcesFor = async (principal: Principal) => ({
    reports,
    calendars: await calendars(principal),
    pages,
    newId,
    delegateTimes,
  });
  /** One principal's work takes turns with everybody else's; only what is asked of single issues is urgent. */
  const working = <Result>({ principal, selection }: ReportRequest, work: () => Promise<Result>) => {
    if (selection.by !== 'keys') endUrgency();
    return withTaskContext({ owner: `${principal.tenant} ${principal.account}` }, work);
  };
  const asked = <Result>(
    request: ReportRequest,
    answer: (request: ReportRequest, queryContext: QueryContext, sources: ReportSources) => Promise<Result>,
  ): Promise<Result> =>
    working(request, async () =>
      answer(request, await queryContextFor(request), await sourcesFor(request.principal)),
    );
  return {
    reportTypes: reports.map(({ id, title, shape }) => ({ id, title, shape })),
    report: (request) => asked(request, runReport),
    open: (request, statistics, reading) =>
      asked(request, (...given) => openReport(...given, { statistics, ...reading })),
    async *slices(request) {
      const mine = <Result>(run: () => Promise<Result>) => working(request, run);
      const slices = runSlices(request, await queryContextFor(request), await sourcesFor(request.principal));
      for (;;) {
        const { done, value: slice } = await mine(() => slices.next());
        if (done) return;
        yield { report: (own) => mine(() => slice.report(own)) };
      }
    },
    scan: (request, scan, planOf) => asked(request, (...given) => scanIssues(...given, { scan, planOf })),
    count: (request) => asked(request, countIssues),
    contents: (request) => asked(request, surveyContents),
    async check(request) {
      await asked(request, resolveRequest);
    },
    async statuses(principal) {
      const queryContext = await queryContextFor({ principal, asOf: null, timeZone: null });
      return [...(await queryContext.world()).vocabulary.statuses.values()];
    },
    async sprints(principal) {
      const queryContext = await queryContextFor({ principal, asOf: null, timeZone: null });
      return (await queryContext.world()).vocabulary.sprints;
    },
    async timeZoneOf(principal) {
      const users = await (await mirror()).users([principal.account]);
      return zoneOf(users.get(principal.account), timeZone);
    },
    async scope(principal, then) {
      const world = await mirror();
      const rights = await world.directoryFor(principal);
      const scope = scopeOf(principal, rights);
      if (then === undefined) return scope;
      return stillOpen(then, scope, { principal, rights, issue: (key) => world.issue(key) });
    },
    exampleKeys: async (principal, count) => exampleKeys(await mirror(), principal, count, seenIssues),
  };
}

/** What a principal's scope is looked at with. `issue`: any issue by key, whoever may see it. */
interface StillOpenParts {
  readonly principal: Principal;
  readonly rights: Rights;
  readonly issue: (key: string) => Promise<Issue | null>;
}

/**
 * How far a principal sees, beside what was open to them then and has not been closed: projects that have no issues here
 * any more, issues that are gone, and issues that need no permission of their own now, their level having been lifted.
 */
export async function stillOpen(
  then: Scope,
  now: Scope,
  { principal, rights, issue }: StillOpenParts,
): Promise<Scope> {
  const { sight } = rights;
  if (!('openProjects' in now && 'openProjects' in then) || sight === null) return now;
  const maySee = rightsOf(principal, rights);
  const openIssues = new Set(now.openIssues);
  for (const key of then.openIssues) {
    if (openIssues.has(key)) continue;
    const here = await issue(key);
    if (here === null || maySee(here)) openIssues.add(key);
  }
  const gone = then.openProjects.filter((key) => !sight.closedProjects.has(key));
  return { openProjects: [...new Set([...now.openProjects, ...gone])], openIssues: [...openIssues] };
}

/** Among how many of the issues that moved last the telling ones are looked for. */
const LOOKED_AT = 40;

/** Who sees too little of what moved last is shown what was created last: each look takes a read. */
const MOST_READ = 1_000;

/** Keys of issues worth showing: lately moved, with a whole history that has something to tell, the best first. */
export async function exampleKeys(
  mirror: Mirror,
  principal: Principal,
  count: number,
  seenIssues = createSeenIssues(),
): Promise<readonly string[]> {
  const directory = await mirror.directoryFor(principal);
  const { sight } = directory;
  if (principal.rights !== 'admin' && sight !== null && sight.projects.size === 0) return [];
  const maySee = rightsOf(principal, directory);
  const wanted = Math.max(count, LOOKED_AT);
  const keys: string[] = [];
  const told: string[] = [];
  let issues: Issue[] = [];
  // What the principal may not see must not push out what they may: looked further until there is enough.
  for (let most = wanted; issues.length < wanted; most *= 4) {
    if (most > Math.max(MOST_READ, wanted)) {
      const created = await createdLast(mirror, wanted, (table) => seenIssues(table, principal, directory));
      if (created.length > issues.length) issues = [...created];
      break;
    }
    const known = keys.length;
    keys.push(...(await mirror.recentKeys(most)).slice(known));
    if (keys.length === known) break;
    for (const key of keys.slice(known)) {
      const issue = await mirror.issue(key);
      if (issue === null || !maySee(issue)) continue;
      issues.push(issue);
      if (dullness(issue) === 0) told.push(issue.key);
      // The others could be no better.
      if (told.length === count) return told;
      if (issues.length === wanted) break;
    }
  }
  return issues
    .toSorted((a, b) => dullness(a) - dullness(b))
    .slice(0, count)
    .map((issue) => issue.key);
}

/** The issues created last that the principal may see, newest first; none as long as the first fill goes on. */
async function createdLast(
  mirror: Mirror,
  most: number,
  seenIn: (table: IssueTable) => Promise<SeenIssues>,
): Promise<readonly Issue[]> {
  try {
    const seen = await seenIn(await mirror.table());
    return await inRows(seen.rows, seen, 0).load(0, most);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return [];
    throw error;
  }
}

/** 0 where three statuses or more tell a story, 2 where the history cannot be told at all. */
function dullness(issue: Issue): number {
  if (!issue.history.complete) return 2;
  return changesOf(issue, 'status').length >= 2 ? 0 : 1;
}
