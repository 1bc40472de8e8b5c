import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { changesOf, projectKeyOf } from '../../issues/issue-fields.ts';
import type { Directory } from '../../model/directory.ts';
import { AppError, about } from '../../model/error.ts';
import type { Issue, Status, User } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import { rightsOf } from '../access-rules.ts';
import { atHand, type ChosenIssues } from './chosen-issues.ts';
import { fieldsAtHand, fieldsSeen, type KnownFields } from './field-columns.ts';
import { type KnownToBeSeen, seenAtHand, seenInTable } from './hide-closed-keys.ts';
import type { QueryContext } from './query-context.ts';
import { peopleIn, type SeenIssues } from './seen-issues.ts';
import { compileSelection } from './select-rows.ts';

/** The issues of a request: what is known of them, by which query, and, once asked for, which they are. */
export interface Selected {
  /** The fields there are: one that these issues lack others may have. */
  readonly fieldsKnown: KnownFields;
  /** Whether an issue is or was in the status with an id, as far as the principal may see. */
  hasStatus(id: string): boolean;
  /** The statuses the principal may know of, and what else is known beside the issues. */
  readonly statuses: ReadonlyMap<string, Status>;
  readonly directory: Directory;
  /** The people the principal may know of, as far as these issues mention them. */
  readonly users: ReadonlyMap<string, User>;
  /** Among which issues keys of others need no looking up. */
  readonly known: KnownToBeSeen;
  /** All issues the principal may see; null where these are chosen by their keys. */
  readonly world: SeenIssues | null;
  readonly query: string | null;
  /** For others the same query chooses other issues. */
  readonly dependsOnPrincipal: boolean;
  /** Of an order that is asked for only the `first` issues need be in it; 0: none. */
  select(pace: YieldIfDue, first?: number): Promise<ChosenIssues>;
}

/** Chooses the issues by key, or by a query over all that the principal may see. */
export async function selectFor(request: ReportRequest, queryContext: QueryContext): Promise<Selected> {
  const { selection, dateRange } = request;
  if (selection.by === 'keys') {
    const issues = await issuesOf([...new Set(selection.keys.map((key) => key.toUpperCase()))], queryContext);
    // What the issues themselves have met needs no looking up; what the principal names does.
    const world = needsLookUp(request, issues) ? await queryContext.world() : null;
    const { statuses, fields } = world?.vocabulary ?? {
      statuses: queryContext.statuses,
      fields: queryContext.directory.fields,
    };
    return {
      fieldsKnown: world === null ? fieldsAtHand(issues) : fieldsSeen(world),
      hasStatus: (id) => issues.some((issue) => isOrWasIn(issue, id)),
      statuses,
      directory: { ...queryContext.directory, fields },
      users: await queryContext.people(peopleIn(issues)),
      known: seenAtHand(issues),
      world: null,
      query: null,
      dependsOnPrincipal: false,
      select: async () => atHand(issues, 0),
    };
  }
  const world = await queryContext.world();
  const { statuses, sprints, fields, users } = world.vocabulary;
  const directory = { ...queryContext.directory, sprints, fields };
  const compiled = await compileSelection(selection, dateRange, {
    ...queryContext,
    statuses,
    users,
    directory,
    world,
  });
  // Nobody can tell whether these belong to it.
  const unread = queryContext.unread.filter(
    (one) => selection.by !== 'project' || projectKeyOf(one) === selection.project.toUpperCase(),
  ).length;
  return {
    fieldsKnown: fieldsSeen(world),
    hasStatus: (id) => world.mentioned.statuses().has(id),
    ...{ statuses, directory, users, known: seenInTable(world), world, ...compiled },
    select: (pace, first = Number.POSITIVE_INFINITY) => compiled.select(pace, first, unread),
  };
}

function isOrWasIn(issue: Issue, status: string): boolean {
  if (issue.status.id === status) return true;
  return changesOf(issue, 'status').some(({ from, to }) => from?.id === status || to?.id === status);
}

/** A status that is named, or a field that not every one of these issues has, may be one of closed issues only. */
function needsLookUp(
  { statuses, consolidated, metrics, fields, groupBy, historyFields }: ReportRequest,
  issues: readonly Issue[],
): boolean {
  const own = (field: string) => issues.every((issue) => Object.hasOwn(issue.fields, field));
  return (
    statuses !== null ||
    consolidated.length > 0 ||
    metrics.length > 0 ||
    ![...fields, ...groupBy, ...historyFields].every(own)
  );
}

async function issuesOf(keys: readonly string[], queryContext: QueryContext): Promise<Issue[]> {
  const maySee = rightsOf(queryContext.principal, queryContext.directory);
  const found = await Promise.all(
    keys.map(async (key) => {
      const issue = await queryContext.issue(key);
      return { key, issue: issue !== null && maySee(issue) ? issue : null };
    }),
  );
  const missing = found.filter(({ issue }) => issue === null || issue.created > queryContext.asOf);
  if (missing.length > 0) {
    refuseUnread(
      missing.flatMap(({ key, issue }) => (issue === null ? key : [])),
      queryContext,
    );
    await queryContext.settled();
    throw new AppError(
      'unknown-issue',
      'The issue could not be found or you do not have permission to view it.',
      missing.map(({ key, issue }) =>
        issue === null
          ? about('issueKey', `'${key}' could not be found.`)
          : about('issueKey', `'${key}' did not exist at the asked instant.`),
      ),
    );
  }
  // Several keys may lead to one issue.
  return [...new Map(found.flatMap(({ issue }) => (issue === null ? [] : [[issue.key, issue]]))).values()];
}

function refuseUnread(keys: readonly string[], { unread, principal }: QueryContext): void {
  const known = unread.filter(({ key }) => keys.includes(key));
  if (known.length === 0) return;
  const names = known.map(({ key }) => key).join(', ');
  throw new AppError(
    'unavailable',
    `Jira cannot show ${names} at the moment, so nothing is known about it here. It is tried again automatically.`,
    // Reasons may name what is not for everybody to know.
    principal.rights === 'admin' ? known.map(({ key, reason }) => `${key}: ${reason}`) : [],
  );
}
