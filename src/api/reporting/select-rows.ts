import { MissingColumn } from '../../columns/held-fields.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import {
  ASK,
  evaluateRows,
  NO,
  type RowPredicate,
  type Truth,
  textFieldsOf,
  UNKNOWN,
  YES,
} from '../../columns/row-predicates.ts';
import { ABSENT } from '../../columns/value-codes.ts';
import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { contentAsOf, valueAsOf } from '../../engine/content-as-of.ts';
import { timeline } from '../../engine/timeline.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import { compileJql } from '../../jql/compile-jql.ts';
import type { JqlQuery, JqlWorld, TellContent } from '../../jql/jql.ts';
import { chooseThere, WORKERS_FROM } from '../../kernels/run-kernel.ts';
import type { SavedFilter } from '../../model/directory.ts';
import { about, badRequest, badRequestAs } from '../../model/error.ts';
import type { FieldValue, Instant, Status, User } from '../../model/issue.ts';
import type { DateRange, Selection } from '../../model/request.ts';
import { minuteText } from '../../time/iso-dates.ts';
import { wallOf } from '../../time/wall-clock.ts';
import {
  type ChosenIssues,
  holdTexts,
  inRows,
  partsOf,
  type Read,
  slicesOf,
  withColumns,
} from './chosen-issues.ts';
import {
  hiddenInTable,
  hideClosedKeys,
  hideContent,
  type KeysContext,
  mayHoldKeys,
  seenInTable,
  seesAllKeys,
} from './hide-closed-keys.ts';
import { inOrderOfQuery } from './order-issues.ts';
import type { World } from './query-context.ts';
import { type ClosedKeys, contentsSeen, isValue } from './seen-issues.ts';

/** What a selection is made in: the issues the principal may see, and what is known beside them. */
interface SelectionWorld extends KeysContext {
  readonly asOf: Instant;
  readonly timeZone: string;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly world: World;
}

/** A selection resolved: nothing about it is wrong any more. */
interface CompiledSelection {
  /** The JQL that stands for it. */
  readonly query: string;
  /** It calls `currentUser()`: for others the same query chooses other issues. */
  readonly dependsOnPrincipal: boolean;
  /**
   * Newest first where no order is asked for; of what is asked for only the `first` issues need be in order. `pace` lets
   * others go on. So many as `unread` nobody can decide about, whatever the query is.
   */
  select(pace: YieldIfDue, first: number, unread: number): Promise<ChosenIssues>;
}

/** Every way of choosing issues but by key, as one query. What the principal may not read of an issue, it cannot ask for. */
export async function compileSelection(
  selection: Exclude<Selection, { by: 'keys' }>,
  range: DateRange | null,
  queryContext: SelectionWorld,
): Promise<CompiledSelection> {
  const readable = await compileReadable(selection, queryContext);
  const { query } = readable;
  const bounds = range === null ? [] : boundsOf(range, queryContext.timeZone);
  const inRange = compileJql(bounds.join(' AND '), jqlWorld(queryContext), 'dateRangeField');
  const whole = query.where === '' || bounds.length === 0 ? query.where : `(${query.where})`;
  return {
    query: [[whole, ...bounds].filter((part) => part !== '').join(' AND '), query.orderBy ?? '']
      .filter((part) => part !== '')
      .join(' '),
    dependsOnPrincipal: query.dependsOnPrincipal,
    async select(pace, first, unread) {
      const matching = await matchingRows([query, inRange], readable.read, queryContext, pace);
      const { rows } = matching;
      const undecided = matching.undecided + unread;
      const { order } = query;
      if (order === null || first === 0) return inRows(rows, queryContext.world, undecided);
      const { asOf, world } = queryContext;
      return inOrderOfQuery(rows, order, { first, undecided, asOf, world, read: readable.read, pace });
    },
  };
}

/** The rows, the issue created last being the first, for which all conditions hold, and how many nobody can decide about. */
async function matchingRows(
  conditions: readonly Pick<JqlQuery, 'predicate' | 'matches'>[],
  read: Read,
  { asOf, world }: SelectionWorld,
  pace: YieldIfDue,
): Promise<{ readonly rows: Uint32Array; readonly undecided: number }> {
  const rows = createdBy(world, asOf);
  const { columns } = world.table;
  const predicates = conditions.map(({ predicate }) => predicate);
  if (predicates.every((one) => one.kind === 'constant' && one.truth === YES)) return { rows, undecided: 0 };
  const all: RowPredicate = { kind: 'all', of: predicates };
  const say = () =>
    rows.length < WORKERS_FROM
      ? sayOf(rows, all, { columns, asOf, pace })
      : columns.reading(() => chooseThere({ arrays: columns.arrays(), rows, predicate: all, asOf }));
  let said = await say();
  let asked = rowsSaid(ASK, said, rows);
  if (asked.length > 0 && (await holdTexts(world.table, textFieldsOf(all), asked.length))) {
    said = await say();
    asked = rowsSaid(ASK, said, rows);
  }
  // What is gone by now is none of them.
  const truths = asked.length === 0 ? null : new Uint8Array(columns.rows);
  for await (const slice of slicesOf(inRows(asked, world, 0))) {
    for (const issue of await read(slice)) {
      const rest = pace();
      if (rest !== null) await rest;
      const answers = conditions.map(({ matches }) => matches(issue));
      const truth: Truth = answers.includes('no') ? NO : answers.includes('unknown') ? UNKNOWN : YES;
      if (truths !== null) truths[columns.rowOf(issue.key)] = truth;
    }
  }
  const rest = pace();
  if (rest !== null) await rest;
  let undecided = 0;
  for (let i = 0; i < rows.length; i += 1) {
    if (truths !== null && said[i] === ASK) said[i] = truths[rows[i] ?? 0] ?? NO;
    if (said[i] === UNKNOWN) undecided += 1;
  }
  return { rows: rowsSaid(YES, said, rows), undecided };
}

/** The rows of which something is said. */
function rowsSaid(wanted: number, said: Uint8Array, rows: Uint32Array): Uint32Array {
  let count = 0;
  for (let i = 0; i < said.length; i += 1) if (said[i] === wanted) count += 1;
  const found = new Uint32Array(count);
  let at = 0;
  for (let i = 0; at < count; i += 1) if (said[i] === wanted) found[at++] = rows[i] ?? 0;
  return found;
}

async function sayOf(
  rows: Uint32Array,
  predicate: RowPredicate,
  {
    columns,
    asOf,
    pace,
  }: { readonly columns: IssueColumns; readonly asOf: Instant; readonly pace: YieldIfDue },
): Promise<Uint8Array> {
  const said = new Uint8Array(rows.length);
  let at = 0;
  for await (const part of partsOf(rows, pace)) {
    said.set(evaluateRows(predicate, columns.arrays(), part, { asOf }), at);
    at += part.length;
  }
  return said;
}

/** The rows of the issues that had been created by an instant. */
function createdBy({ table, rows }: World, asOf: Instant): Uint32Array {
  const { created } = table.columns.arrays();
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((created[rows[middle] ?? 0] ?? 0) > asOf) low = middle + 1;
    else high = middle;
  }
  return rows.subarray(low);
}

/**
 * The query, compiled among the issues as the principal may read the fields it reads. Which these are is known once it is
 * compiled; what was wrong before all of them were hidden is of no account.
 */
async function compileReadable(
  selection: Exclude<Selection, { by: 'keys' }>,
  queryContext: SelectionWorld,
): Promise<{ readonly query: JqlQuery; readonly read: Read }> {
  const { world } = queryContext;
  const { columns } = world.table;
  const seen = seenInTable(world);
  const tell = new Map<string, TellContent>();
  /** Fields the query reads, with what may not be read of them as far as columns hold them. */
  const known = new Map<string, ClosedKeys | null>();
  const others = new Set<string>();
  const isWhole = seesAllKeys(queryContext, seen);
  const hidesIn = (field: string) => !isWhole && mayHoldKeys(field) && known.get(field) !== null;
  for (;;) {
    const named = new Set<string>();
    const compiled = await withColumns(world.table, () =>
      attempt(() => compile(selection, queryContext, { tell, hidesIn }, named)),
    );
    if (isWhole) return { query: compiled(), read: async (issues) => issues };
    const before = tell.size;
    for (const field of named) {
      if (!mayHoldKeys(field) || known.has(field)) continue;
      others.add(field);
      if (!columns.hasField(field)) continue;
      const closed = (await hiddenInTable(field, queryContext, world))?.closed ?? null;
      known.set(field, closed);
      if (closed !== null) tell.set(field, (content) => hideContent(content, closed));
    }
    if (tell.size > before) continue;
    return {
      query: compiled(),
      read: (issues) => hideClosedKeys(issues, [...others], queryContext, seen, known),
    };
  }
}

/** What an attempt came to, a failure included, once it is asked for. */
function attempt<Result>(make: () => Result): () => Result {
  try {
    const made = make();
    return () => made;
  } catch (error) {
    if (error instanceof MissingColumn) throw error;
    return () => {
      throw error;
    };
  }
}

/** Notes in `named` which fields the query reads. */
function compile(
  selection: Exclude<Selection, { by: 'keys' }>,
  queryContext: SelectionWorld,
  hiding: Required<Pick<JqlWorld, 'tell' | 'hidesIn'>>,
  named: Set<string>,
): JqlQuery {
  const jql = { ...jqlWorld(queryContext), ...hiding, onRead: (field: string) => void named.add(field) };
  switch (selection.by) {
    case 'project': {
      const key = knownProject(selection.project, queryContext);
      const { projectKeys } = queryContext.world.table.columns;
      return {
        where: `project = ${quoted(key)}`,
        ...inNoOrder,
        matches: (issue) => (projectKeyOf(issue) === key ? 'yes' : 'no'),
        predicate: {
          kind: 'project',
          truths: Uint8Array.from(projectKeys, (one) => (one === key ? YES : NO)),
        },
      };
    }
    case 'user': {
      const user = knownUser(selection.user, queryContext);
      return { where: `assignee was ${quoted(user)}`, ...inNoOrder, ...wasAssignedTo(user, queryContext) };
    }
    case 'sprint': {
      const sprint = queryContext.directory.sprints.find(({ id }) => id === selection.id);
      if (sprint === undefined) throw unknown('sprintID', selection.id, 'the id of a sprint');
      return compileJql(`sprint = ${sprint.id}`, jql, 'sprintID');
    }
    case 'savedFilter':
      return compileJql(knownFilter(selection.id, queryContext).jql, jql, 'jqlFilterID');
    case 'jql':
      return compileJql(selection.jql, jql, 'customjql');
  }
}

const inNoOrder = { orderBy: null, order: null, dependsOnPrincipal: false } as const;

/**
 * Whoever the tracker shows is it, whatever a cut history leaves out. By id alone: JQL would take a quoted word for a
 * name first, and somebody may be called like another's id.
 */
function wasAssignedTo(
  user: string,
  { asOf, world }: SelectionWorld,
): Pick<JqlQuery, 'matches' | 'predicate'> {
  const values = world.table.columns.values('assignee');
  const truths = Uint8Array.from({ length: values.size }, (_, code) => {
    if (code === ABSENT) return UNKNOWN;
    const content = values.at(code);
    return isValue(content) && content.id === user ? YES : NO;
  });
  return {
    matches(issue) {
      if (valueAsOf(issue, 'assignee', asOf)?.id === user) return 'yes';
      const { visits } = timeline(issue, 'assignee', asOf);
      if (visits.some(({ value }) => value?.id === user)) return 'yes';
      return visits.every(({ known }) => known) ? 'no' : 'unknown';
    },
    predicate: {
      ...{ kind: 'visits', of: 'assignee', truths },
      ...{ from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
    },
  };
}

function jqlWorld({
  principal,
  asOf,
  timeZone,
  directory,
  statuses,
  users,
  world,
}: SelectionWorld): JqlWorld {
  return {
    ...{ timeZone, directory, statuses, users, formerKeys: world.formerKeys },
    ...{ known: world.known, columns: world.table.columns },
    now: asOf,
    principal: principal.account,
    admin: principal.rights === 'admin',
    contentOf: (issue, field) => contentAsOf(issue, field, asOf),
    visitsOf: (issue, field) => timeline(issue, field, asOf).visits,
  };
}

/** By key; people also type an id, or a name as long as it is that of one project. */
function knownProject(asked: string, { world }: SelectionWorld): string {
  const wanted = asked.toLowerCase();
  const keys = { byKey: new Set<string>(), byId: new Set<string>(), byName: new Set<string>() };
  const note = (key: string, { id, name }: FieldValue) => {
    if (key.toLowerCase() === wanted) keys.byKey.add(key);
    else if (id === asked) keys.byId.add(key);
    else if (name.toLowerCase() === wanted) keys.byName.add(key);
  };
  const { classes, others } = world.mentioned;
  for (const { projectKey, projects } of classes.values()) {
    for (const project of projects.values()) note(projectKey, project);
  }
  for (const [projectKey, project] of others.projects) note(projectKey, project);
  const found = [keys.byKey, keys.byId, keys.byName].find((some) => some.size > 0) ?? new Set();
  const [only, ...more] = found;
  if (only === undefined) throw unknown('projectKey', asked, 'the key of a project that has issues');
  if (more.length === 0) return only;
  throw badRequest(
    about(
      'projectKey',
      `'${asked}' stands for several projects; allowed: one of the keys ${[...found].join(', ')}.`,
    ),
  );
}

/** By id; people also type a name, or an address. */
function knownUser(asked: string, { users, world }: SelectionWorld): string {
  if (users.has(asked)) return asked;
  const wanted = asked.toLowerCase();
  const named = [...users.values()].filter(
    ({ name, email }) => name.toLowerCase() === wanted || email?.toLowerCase() === wanted,
  );
  const [only] = named;
  if (only !== undefined && named.length === 1) return only.id;
  if (named.length > 1) {
    throw badRequest(
      about(
        'user',
        `'${asked}' is the name of several people; allowed: one of the ids ${named.map(({ id }) => id).join(', ')}.`,
      ),
    );
  }
  const met =
    contentsSeen(world, 'assignee').some((content) => isValue(content) && content.id === asked) ||
    world.mentioned.others.assignees.has(asked);
  if (!met) throw unknown('user', asked, 'the id of a user');
  return asked;
}

/** A filter that is somebody else's own reads like one that never was. */
function knownFilter(id: string, { principal, directory }: SelectionWorld): SavedFilter {
  const filter = directory.filters.find((one) => one.id === id);
  if (
    filter === undefined ||
    !(filter.shared || principal.rights === 'admin' || filter.owner === principal.account)
  ) {
    throw unknown('jqlFilterID', id, 'the id of a saved filter that you may use');
  }
  return filter;
}

function unknown(parameter: string, value: string, allowed: string): Error {
  return badRequestAs(
    'unknown-name',
    about(parameter, `'${value}' could not be found; allowed: ${allowed}.`),
    {
      value,
      allowed,
    },
  );
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
