import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { Mirror, UnreadIssue } from '../../mirror/mirror.ts';
import type { FieldName, PrincipalsDirectory, Sprint } from '../../model/directory.ts';
import { AppError, about, badRequest } from '../../model/error.ts';
import { compileFlows, type FlowNames, type Flows, type ProjectFlow } from '../../model/flow.ts';
import type { FieldValue, Instant, Issue, Status, User } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import type { IsClosed, Principal } from '../../model/request.ts';
import { isTimeZone } from '../../time/zones.ts';
import { closedProjects } from './access-rules.ts';
import { isProjectId, type StatusCatalog } from './status-catalog.ts';
import type { createVisibleIssues, Mentioned, VisibleIssues } from './visible-issues.ts';

/** The world in which one question is asked; it stays the same until the question is answered. */
export interface QueryContext {
  readonly principal: Principal;
  readonly askedAt: Instant;
  /** The instant the answer speaks of. */
  readonly asOf: Instant;
  /** The zone of the question, else the principal's. */
  readonly timeZone: string;
  readonly tracker: string;
  readonly dataAsOf: Instant | null;
  readonly directory: PrincipalsDirectory;
  /** Issues closed to the principal only because the tracker could not be asked about them. */
  readonly unasked: number;
  /** Issues of projects the principal can see of which nothing can be read. */
  readonly unread: readonly UnreadIssue[];
  /** The statuses as lists and issues describe them, in the order of the tracker. */
  readonly orderedStatuses: ReadonlyMap<string, Status>;
  /** All there is to know of them, in workflow order: by what lists and issues say alone as long as not all issues are here. */
  readonly statuses: () => Promise<ReadonlyMap<string, Status>>;
  /** The flows of all projects, by all statuses there are. */
  readonly flows: () => Promise<Flows>;
  /** The people with these ids. */
  readonly people: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  /** Any issue by key, whether or not the principal can see it. */
  readonly issue: (key: string) => Promise<Issue | null>;
  /** `unavailable` while an issue that is not here may be yet to come. */
  readonly settled: () => Promise<void>;
  readonly world: () => Promise<QueryWorld>;
  /** The time slices of answering this question. */
  readonly pace: YieldIfDue;
}

/** All issues a principal can see, and what they can know to exist beside them. */
export interface QueryWorld extends VisibleIssues {
  readonly vocabulary: Vocabulary;
  /** The flows of all projects, with the statuses of the vocabulary. */
  readonly flows: Flows;
  /** The current key of any issue, visible or not, by each key that it had before. */
  readonly formerKeys: ReadonlyMap<string, string>;
}

/** Opens the mirror on behalf of a principal. `usualZone`: where the tracker has none of the principal. */
export async function openQueryContext(
  mirror: Mirror,
  {
    principal,
    asOf,
    askedAt,
    timeZone,
    usualZone,
    visibleIssues,
    statusCatalog,
    flows,
  }: Pick<QueryContext, 'principal' | 'askedAt'> & {
    readonly asOf: Instant | null;
    readonly timeZone: string | null;
    readonly usualZone: string;
    readonly visibleIssues: ReturnType<typeof createVisibleIssues>;
    readonly statusCatalog: StatusCatalog;
    readonly flows: readonly ProjectFlow[];
  },
): Promise<QueryContext> {
  if (timeZone !== null && !isTimeZone(timeZone)) {
    const problem = `'${timeZone}' is not known. Try: an IANA time zone, such as Europe/Berlin.`;
    throw badRequest(about('timeZone', problem));
  }
  const [directory, statuses, own, unread] = await Promise.all([
    mirror.directoryFor(principal),
    mirror.statuses(),
    mirror.users([principal.account]),
    mirror.unread?.() ?? [],
  ]);
  const isClosed = closedProjects(principal, directory);
  const allStatuses = async () => statusCatalog(statuses, await tableIfThere(mirror));
  return {
    principal,
    askedAt,
    asOf: asOf ?? askedAt,
    timeZone: timeZone ?? zoneOf(own.get(principal.account), usualZone),
    tracker: await mirror.tracker(),
    dataAsOf: await mirror.filledAt(),
    directory,
    unasked: principal.rights === 'admin' ? 0 : (directory.permissions?.unasked ?? 0),
    unread: unread.filter((one) => isClosed?.(projectKeyOf(one)) !== true),
    orderedStatuses: statuses,
    statuses: allStatuses,
    flows: async () => flowsOnce(flows, { ...directory, statuses: await allStatuses() }),
    people: (ids) => mirror.users(ids),
    issue: (key) => mirror.issue(key),
    settled: () => mirror.settled(),
    async world() {
      const [table, users, formerKeys] = await Promise.all([
        mirror.table(),
        mirror.users(),
        mirror.formerKeys(),
      ]);
      const [visible, ordered] = await Promise.all([
        visibleIssues(table, principal, directory),
        statusCatalog(statuses, table),
      ]);
      const vocabulary = vocabularyOf(principal, { statuses: ordered, users, directory }, visible);
      const compiled = flowsOnce(flows, { ...directory, statuses: vocabulary.statuses });
      return { ...visible, formerKeys, vocabulary, flows: compiled };
    },
    pace: createYieldIfDue(),
  };
}

/** Compiled flows by the statuses that they were compiled for. */
const compiledFlows = new WeakMap<FlowNames['statuses'], { readonly key: string; readonly flows: Flows }>();

/** The very same flows as long as nothing changes that they are compiled from: what was found out by them is known by them. */
function flowsOnce(stored: readonly ProjectFlow[], names: FlowNames): Flows {
  const key = JSON.stringify([stored, names.issueTypes]);
  const known = compiledFlows.get(names.statuses);
  if (known?.key === key) return known.flows;
  const flows = compileFlows(stored, names);
  compiledFlows.set(names.statuses, { key, flows });
  return flows;
}

/** The table of a mirror; null as long as not all issues are here. */
async function tableIfThere(mirror: Mirror): Promise<IssueTable | null> {
  try {
    return await mirror.table();
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return null;
    throw error;
  }
}

/** A person's own zone where the tracker has one that exists, else the tracker server's. */
export function zoneOf(user: User | undefined, otherwise: string): string {
  const own = user?.timeZone;
  return own !== undefined && isTimeZone(own) ? own : otherwise;
}

/** The statuses, sprints, fields and users that a principal can know to exist. */
interface Vocabulary {
  /** In workflow order. */
  readonly statuses: ReadonlyMap<string, Status>;
  readonly sprints: readonly Sprint[];
  readonly fields: readonly FieldName[];
  readonly users: ReadonlyMap<string, User>;
}

/** The lists from which a vocabulary is made, beside the issues that the principal can see. */
type Lists = Pick<Vocabulary, 'statuses' | 'users'> & { readonly directory: PrincipalsDirectory };

/** Vocabularies by what can be seen, for one version of the columns, then by principal. */
const vocabularies = new WeakMap<
  Mentioned,
  Map<string, { readonly lists: Lists; readonly vocabulary: Vocabulary }>
>();

/** The same as `principalVocabulary`, found once as long as nothing it is made from changes. */
function vocabularyOf(
  principal: Principal,
  lists: Lists,
  visible: Pick<VisibleIssues, 'table' | 'mentioned' | 'isWhole'>,
): Vocabulary {
  const known = vocabularies.get(visible.mentioned) ?? new Map();
  vocabularies.set(visible.mentioned, known);
  const key = `${principal.rights} ${principal.account}`;
  const before = known.get(key);
  if (before !== undefined && isSameLists(before.lists, lists)) return before.vocabulary;
  const vocabulary = principalVocabulary(principal, lists, visible);
  known.set(key, { lists, vocabulary });
  return vocabulary;
}

function isSameLists(a: Lists, b: Lists): boolean {
  const [one, other] = [a.directory, b.directory];
  return (
    a.statuses === b.statuses &&
    a.users === b.users &&
    one.permissions === other.permissions &&
    (['sprints', 'fields', 'access', 'groups'] as const).every((list) => one[list] === other[list])
  );
}

/**
 * Statuses, sprints, fields and people as far as the principal can see what they are of. Of what only issues mention, a
 * principal to whom some issues are closed, or may be, knows only what the others mention.
 */
export function principalVocabulary(
  principal: Principal,
  { statuses, users, directory }: Lists,
  visible: Pick<VisibleIssues, 'table' | 'mentioned' | 'isWhole'>,
): Vocabulary {
  const { sprints, fields } = directory;
  if (principal.rights === 'admin') return { statuses, sprints, fields, users };
  const { mentioned } = visible;
  // A project without issues here may be closed by the tracker itself, never by a rule.
  const isWhole = visible.isWhole && directory.permissions === null;
  const isKnown = knownStatuses(closedProjects(principal, directory), visible, isWhole);
  const known = new Map([...statuses].filter(([, status]) => isKnown(status)));
  if (isWhole) return { statuses: known, sprints, fields, users };
  const people = mentioned.people();
  return {
    statuses: known,
    sprints: sprints.filter((sprint) => isListed(sprint, mentioned)),
    fields: fields.filter(({ id }) => mentioned.fields.has(id) || mentioned.changed.has(id)),
    users: new Map([...users].filter(([id]) => id === principal.account || people.has(id))),
  };
}

/**
 * Returns true where a principal knows a status: one of a closed project never, and one that only hidden issues are or were in
 * neither. One that no issue was ever in is known if a list has it and its project is not in doubt.
 */
function knownStatuses(
  isClosed: IsClosed | null,
  { table, mentioned }: Pick<VisibleIssues, 'table' | 'mentioned'>,
  isWhole: boolean,
): (status: Status) => boolean {
  const seen = mentioned.statuses();
  const used = new Set(
    table.columns
      .values('status')
      .contents()
      .flatMap((content) => (isValue(content) ? [content.id] : [])),
  );
  return ({ id, scope, listed }) => {
    if (isClosed !== null && scope !== undefined) {
      if (isProjectId(scope)) return seen.has(id);
      if (isClosed(scope)) return false;
    }
    return isWhole || seen.has(id) || (listed === true && !used.has(id));
  };
}

/** Returns true where a value is in a list of any field: sprints are in one of the site's own. Ids are unique within a field only. */
function isListed({ id, name }: FieldValue, { classes, others }: Mentioned): boolean {
  const wanted = `${id}\n${name}`;
  return others.listed.has(wanted) || classes.values().some(({ listed }) => listed.has(wanted));
}
