import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { contentAsOf, valueAsOf } from '../../engine/content-as-of.ts';
import { timeline } from '../../engine/timeline.ts';
import { ToBeContinued } from '../../issues/issue-chunks.ts';
import { changesOf, projectKeyOf } from '../../issues/issue-fields.ts';
import { compileJql } from '../../jql/compile-jql.ts';
import type { Answer, JqlQuery, JqlWorld, SortKey } from '../../jql/jql.ts';
import type { AskersDirectory, Directory, SavedFilter } from '../../model/directory.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant, Issue, Status, User } from '../../model/issue.ts';
import type { Asker, DateRange, ReportRequest, Selection } from '../../model/request.ts';
import { minuteText } from '../../time/iso-dates.ts';
import { wallOf } from '../../time/wall-clock.ts';
import { rightsOf } from '../access-rules.ts';
import { hideClosedKeys, type KeysScene } from './hide-closed-keys.ts';
import { mayHoldKeys } from './issue-keys-in.ts';
import { peopleIn, type Scene } from './scene.ts';
import { findInTurns, inTurns } from './yielding-loops.ts';

/** The issues of a request: among which they are, by which query, and, once asked for, which they are. */
export interface Selected {
  readonly candidates: readonly Issue[];
  /** Among which issues there is a field if there is: one that these lack others may have. */
  readonly fieldsOf: readonly Issue[];
  /** The statuses the asker may know of, and what else is known beside the issues. */
  readonly statuses: ReadonlyMap<string, Status>;
  readonly directory: Directory;
  /** The people the asker may know of, as far as these issues mention them. */
  readonly users: ReadonlyMap<string, User>;
  readonly query: string | null;
  /** For others the same query chooses other issues. */
  readonly dependsOnAsker: boolean;
  select(pace: YieldIfDue): Promise<ChosenIssues>;
}

/** Chooses the issues by key, or by a query over all that the asker may see. */
export async function selectFor(request: ReportRequest, scene: Scene): Promise<Selected> {
  const { selection, dateRange } = request;
  if (selection.by === 'keys') {
    const issues = await issuesOf([...new Set(selection.keys.map((key) => key.toUpperCase()))], scene);
    // What the issues themselves have met needs no looking up; what the asker names does.
    const world = needsLookUp(request, issues) ? await scene.world() : null;
    const { statuses, fields } = world?.vocabulary ?? {
      statuses: scene.statuses,
      fields: scene.directory.fields,
    };
    const directory = { ...scene.directory, fields };
    return {
      candidates: issues,
      fieldsOf: world?.visible ?? issues,
      statuses,
      directory,
      users: await scene.people(peopleIn(issues)),
      query: null,
      dependsOnAsker: false,
      select: async () => ({ issues, undecided: 0 }),
    };
  }
  const { visible, vocabulary, formerKeys } = await scene.world();
  const { statuses, sprints, fields, users } = vocabulary;
  const directory = { ...scene.directory, sprints, fields };
  const world = { ...scene, visible, statuses, users, directory, formerKeys };
  const compiled = await compileSelection(selection, dateRange, world);
  // Nobody can tell whether these belong to it.
  const unread = scene.unread.filter(
    (one) => selection.by !== 'project' || projectKeyOf(one) === selection.project.toUpperCase(),
  ).length;
  return {
    ...{ candidates: visible, fieldsOf: visible, statuses, directory, users, ...compiled },
    async select(pace) {
      const chosen = await compiled.select(pace);
      return { ...chosen, undecided: chosen.undecided + unread };
    },
  };
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

async function issuesOf(keys: readonly string[], scene: Scene): Promise<Issue[]> {
  const maySee = rightsOf(scene.asker, scene.directory);
  const found = await Promise.all(
    keys.map(async (key) => {
      const issue = await scene.issue(key);
      return { key, issue: issue !== null && maySee(issue) ? issue : null };
    }),
  );
  const missing = found.filter(({ issue }) => issue === null || issue.created > scene.asOf);
  if (missing.length > 0) {
    refuseUnread(
      missing.flatMap(({ key, issue }) => (issue === null ? key : [])),
      scene,
    );
    await scene.settled();
    throw new AppError(
      'not-found',
      'The issue could not be found or you do not have permission to view it.',
      missing.map(({ key, issue }) =>
        issue === null
          ? `issueKey '${key}' could not be found.`
          : `issueKey '${key}' did not exist at the asked instant.`,
      ),
    );
  }
  // Several keys may lead to one issue.
  return [...new Map(found.flatMap(({ issue }) => (issue === null ? [] : [[issue.key, issue]]))).values()];
}

function refuseUnread(keys: readonly string[], { unread, asker }: Scene): void {
  const known = unread.filter(({ key }) => keys.includes(key));
  if (known.length === 0) return;
  const names = known.map(({ key }) => key).join(', ');
  throw new AppError(
    'unavailable',
    `Jira cannot show ${names} at the moment, so nothing is known about it here. It is tried again automatically.`,
    // Reasons may name what is not for everybody to know.
    asker.admin ? known.map(({ key, reason }) => `${key}: ${reason}`) : [],
  );
}

/** What a selection is made in: the issues the asker may see, and what is known beside them. */
interface SelectionWorld extends Pick<KeysScene, 'issue'> {
  readonly asker: Asker;
  readonly asOf: Instant;
  readonly timeZone: string;
  readonly visible: readonly Issue[];
  readonly directory: AskersDirectory;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly formerKeys: ReadonlyMap<string, string>;
}

/** A selection understood: nothing about it is wrong any more. */
interface CompiledSelection {
  /** The JQL that stands for it. */
  readonly query: string;
  /** It calls `currentUser()`: for others the same query chooses other issues. */
  readonly dependsOnAsker: boolean;
  /** Newest first where no order is asked for. `pace` lets others go on. */
  select(pace: YieldIfDue): Promise<ChosenIssues>;
}

/** The issues for which a query holds, in the order asked for, and how many nobody can decide about. */
export interface ChosenIssues {
  readonly issues: readonly Issue[];
  readonly undecided: number;
}

/** Every way of choosing issues but by key, as one query. What the asker may not read of an issue, it cannot ask for. */
async function compileSelection(
  selection: Exclude<Selection, { by: 'keys' }>,
  range: DateRange | null,
  world: SelectionWorld,
): Promise<CompiledSelection> {
  const { asOf, visible } = world;
  const { query, readable } = await compileReadable(selection, world);
  const bounds = range === null ? [] : boundsOf(range, world.timeZone);
  const inRange = (
    await findInTurns(() => compileJql(bounds.join(' AND '), jqlWorld(world), 'dateRangeField'))
  ).matches;
  const whole = query.where === '' || bounds.length === 0 ? query.where : `(${query.where})`;
  return {
    query: [[whole, ...bounds].filter((part) => part !== '').join(' AND '), query.orderBy ?? '']
      .filter((part) => part !== '')
      .join(' '),
    dependsOnAsker: query.dependsOnAsker,
    async select(pace) {
      const { order } = query;
      const chosen: { readonly issue: Issue; readonly keys: readonly SortKey[] }[] = [];
      let undecided = 0;
      // Kept by creation; newest first unless another order is asked for.
      for (let i = visible.length - 1; i >= 0; i -= 1) {
        const rest = pace();
        if (rest !== null) await rest;
        const issue = visible[i];
        const told = readable[i];
        if (issue === undefined || told === undefined || issue.created > asOf) continue;
        const answers = [query.matches(told), inRange(issue)];
        if (answers.includes('no')) continue;
        if (answers.includes('unknown')) undecided += 1;
        else chosen.push({ issue, keys: order?.keysOf(told) ?? [] });
      }
      const ordered =
        order === null ? chosen : await inTurns(pace).sort(chosen, (a, b) => order.compare(a.keys, b.keys));
      return { issues: ordered.map(({ issue }) => issue), undecided };
    },
  };
}

/**
 * The query, compiled among the issues as the asker may read the fields it reads. Which these are is known once it is
 * compiled; what was wrong before all of them were hidden is of no account.
 */
async function compileReadable(
  selection: Exclude<Selection, { by: 'keys' }>,
  world: SelectionWorld,
): Promise<{ readonly query: JqlQuery; readonly readable: readonly Issue[] }> {
  const { visible } = world;
  const hidden = new Set<string>();
  let readable = visible;
  for (;;) {
    const named = new Set<string>();
    const told = readable;
    const compiled = await findInTurns(() =>
      attempt(() => compile(selection, { ...world, visible: told }, named)),
    );
    const unread = world.asker.admin
      ? []
      : [...named].filter((field) => mayHoldKeys(field) && !hidden.has(field));
    for (const field of unread) hidden.add(field);
    const before = readable;
    if (unread.length > 0) readable = await hideClosedKeys(visible, [...hidden], world, visible);
    if (readable === before) return { query: compiled(), readable };
  }
}

/** What an attempt came to, a failure included, once it is asked for. */
function attempt<Result>(make: () => Result): () => Result {
  try {
    const made = make();
    return () => made;
  } catch (error) {
    if (error instanceof ToBeContinued) throw error;
    return () => {
      throw error;
    };
  }
}

/** Notes in `named` which fields the query reads. */
function compile(
  selection: Exclude<Selection, { by: 'keys' }>,
  world: SelectionWorld,
  named: Set<string>,
): JqlQuery {
  const jql = { ...jqlWorld(world), onRead: (field: string) => void named.add(field) };
  switch (selection.by) {
    case 'project': {
      const key = knownProject(selection.project, world);
      const matches = (issue: Issue) => (projectKeyOf(issue) === key ? 'yes' : 'no');
      return { where: `project = ${quoted(key)}`, ...inNoOrder, matches };
    }
    case 'user': {
      const user = knownUser(selection.user, world);
      const matches = wasAssignedTo(user, world.asOf);
      return { where: `assignee was ${quoted(user)}`, ...inNoOrder, matches };
    }
    case 'sprint': {
      const sprint = world.directory.sprints.find(({ id }) => id === selection.id);
      if (sprint === undefined) throw unknown('sprintID', selection.id, 'the id of a sprint');
      return compileJql(`sprint = ${sprint.id}`, jql, 'sprintID');
    }
    case 'savedFilter':
      return compileJql(knownFilter(selection.id, world).jql, jql, 'jqlFilterID');
    case 'jql':
      return compileJql(selection.jql, jql, 'customjql');
  }
}

const inNoOrder = { orderBy: null, order: null, dependsOnAsker: false } as const;

/**
 * Whoever the tracker shows is it, whatever a cut history leaves out. By id alone: JQL would take a quoted word for a
 * name first, and somebody may be called like another's id.
 */
function wasAssignedTo(user: string, asOf: Instant): (issue: Issue) => Answer {
  return (issue) => {
    if (valueAsOf(issue, 'assignee', asOf)?.id === user) return 'yes';
    const { visits } = timeline(issue, 'assignee', asOf);
    if (visits.some(({ value }) => value?.id === user)) return 'yes';
    return visits.every(({ known }) => known) ? 'no' : 'unknown';
  };
}

function jqlWorld({ asker, asOf, visible, ...rest }: SelectionWorld): JqlWorld {
  return {
    ...rest,
    now: asOf,
    asker: asker.user,
    admin: asker.admin,
    issues: visible,
    contentOf: (issue, field) => contentAsOf(issue, field, asOf),
    visitsOf: (issue, field) => timeline(issue, field, asOf).visits,
  };
}

/** By key; people also type an id, or a name as long as it is that of one project. */
function knownProject(asked: string, { visible }: SelectionWorld): string {
  const wanted = asked.toLowerCase();
  const keys = { byKey: new Set<string>(), byId: new Set<string>(), byName: new Set<string>() };
  for (const issue of visible) {
    const key = projectKeyOf(issue);
    if (key.toLowerCase() === wanted) keys.byKey.add(key);
    else if (issue.project.id === asked) keys.byId.add(key);
    else if (issue.project.name.toLowerCase() === wanted) keys.byName.add(key);
  }
  const found = [keys.byKey, keys.byId, keys.byName].find((some) => some.size > 0) ?? new Set();
  const [only, ...others] = found;
  if (only === undefined) throw unknown('projectKey', asked, 'the key of a project that has issues');
  if (others.length === 0) return only;
  throw badRequest(
    `projectKey '${asked}' stands for several projects; allowed: one of the keys ${[...found].join(', ')}.`,
  );
}

/** By id; people also type a name, or an address. */
function knownUser(asked: string, { users, visible }: SelectionWorld): string {
  if (users.has(asked)) return asked;
  const wanted = asked.toLowerCase();
  const named = [...users.values()].filter(
    ({ name, email }) => name.toLowerCase() === wanted || email?.toLowerCase() === wanted,
  );
  const [only] = named;
  if (only !== undefined && named.length === 1) return only.id;
  if (named.length > 1) {
    throw badRequest(
      `user '${asked}' is the name of several people; allowed: one of the ids ${named.map(({ id }) => id).join(', ')}.`,
    );
  }
  const met = visible.some(
    (issue) =>
      issue.assignee?.id === asked ||
      changesOf(issue, 'assignee').some(({ from, to }) => from?.id === asked || to?.id === asked),
  );
  if (!met) throw unknown('user', asked, 'the id of a user');
  return asked;
}

/** A filter that is somebody else's own reads like one that never was. */
function knownFilter(id: string, { asker, directory }: SelectionWorld): SavedFilter {
  const filter = directory.filters.find((one) => one.id === id);
  if (filter === undefined || !(filter.shared || asker.admin || filter.owner === asker.user)) {
    throw unknown('jqlFilterID', id, 'the id of a saved filter that you may use');
  }
  return filter;
}

function unknown(parameter: string, value: string, allowed: string): Error {
  return badRequest(`${parameter} '${value}' could not be found; allowed: ${allowed}.`);
}

function boundsOf({ field, from, to }: DateRange, timeZone: string): string[] {
  const at = (instant: Instant) => `"${minuteText(wallOf(instant, timeZone))}"`;
  return [
    ...(from === null ? [] : [`${field} >= ${at(from)}`]),
    ...(to === null ? [] : [`${field} < ${at(to)}`]),
  ];
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
