import { NO, YES } from '../../engine/columns/row-predicates.ts';
import type { SavedFilter } from '../../model/directory.ts';
import { type AppError, about, badRequestAs } from '../../model/error.ts';
import type { FieldValue, Instant } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import type { DateRange, Selection } from '../../model/request.ts';
import { minuteText } from '../../time/date-text.ts';
import { wallOf } from '../../time/wall-clock.ts';
import { compileJql, compileWasAssigned } from '../jql/compile-jql.ts';
import type { JqlQuery, JqlWorld, RedactContent } from '../jql/jql.ts';
import { hideContent, keysInTable, mayHoldKeys } from './hide-closed-keys.ts';
import { matchingRows } from './matching-rows.ts';
import { spansInOrder } from './order-issues.ts';
import type { QueryContext, QueryWorld } from './query-context.ts';
import { type ChosenIssues, inOwnOrder, type Read, rowIssues, withColumns } from './selected-issues.ts';
import { type ClosedKeys, contentsSeen } from './visible-issues.ts';

/** The context of a selection: `directory` as far as the principal knows it. `unread` more issues may belong to it. */
interface SelectionContext
  extends Pick<QueryContext, 'principal' | 'directory' | 'issue' | 'pace' | 'asOf' | 'timeZone'> {
  readonly world: QueryWorld;
  readonly unread: number;
}

/** Every way of selecting issues but by key. */
type QuerySelection = Exclude<Selection, { by: 'keys' }>;

/** A selection with nothing wrong left in it. */
export interface CompiledSelection {
  /** The JQL that stands for it; null: it is by keys. */
  readonly query: string | null;
  /** It calls `currentUser()`: for others the same query selects other issues. */
  readonly dependsOnPrincipal: boolean;
  /** Finds the issues; in order, newest first without one, are only those of the spans that are wanted. */
  choose(): Promise<ChosenIssues>;
}

/** A selection as one query. What the principal cannot read of an issue, the query does not find either. */
export async function compileSelection(
  selection: QuerySelection,
  range: DateRange | null,
  context: SelectionContext,
): Promise<CompiledSelection> {
  const { query, read } = await compileReadable(selection, context);
  const bounds = range === null ? [] : boundsOf(range, context.timeZone);
  const inRange = compileJql(bounds.join(' AND '), jqlWorld(context), 'dateRangeField');
  const whole = query.where === '' || bounds.length === 0 ? query.where : `(${query.where})`;
  return {
    query: [[whole, ...bounds].filter((part) => part !== '').join(' AND '), query.orderBy ?? '']
      .filter((part) => part !== '')
      .join(' '),
    dependsOnPrincipal: query.dependsOnPrincipal,
    async choose() {
      const { world, unread } = context;
      const matching = await matchingRows([query, inRange], read, context);
      const { rows, facts } = matching;
      const unknown = matching.unknown + unread;
      const all = rowIssues(rows, world, unknown, facts);
      if (query.order === null) return inOwnOrder(all);
      const span = spansInOrder(rows, query.order, { ...context, read });
      return { all, span: async (from, to) => rowIssues(await span(from, to), world, unknown) };
    },
  };
}

/**
 * The query, compiled among the issues as the principal can read the fields it reads. Which these are is known once it is
 * compiled; what was wrong before all of them were hidden is of no account.
 */
async function compileReadable(
  selection: QuerySelection,
  context: SelectionContext,
): Promise<{ readonly query: JqlQuery; readonly read: Read }> {
  const { table } = context.world;
  const keys = keysInTable(context.world, context);
  const redact = new Map<string, RedactContent>();
  /** Fields the query reads, with what cannot be read of them as far as columns hold them. */
  const known = new Map<string, ClosedKeys | null>();
  const others = new Set<string>();
  /** Fields of which it was not known yet that nothing in them is hidden. */
  const doubted = new Set<string>();
  const hidesIn = (field: string) => {
    const hides = !keys.all && mayHoldKeys(field) && known.get(field) !== null;
    if (hides) doubted.add(field);
    return hides;
  };
  for (;;) {
    const named = new Set<string>();
    const compiled = await withColumns(table, (hasColumn) =>
      attempt(() => compile(selection, context, { redact, hidesIn, hasColumn }, named)),
    );
    const before = redact.size;
    for (const field of keys.all ? [] : named) {
      if (!mayHoldKeys(field) || known.has(field)) continue;
      others.add(field);
      if (!table.columns.hasField(field)) continue;
      const closed = (await keys.hiddenIn(field))?.closed ?? null;
      known.set(field, closed);
      if (closed !== null) redact.set(field, (content) => hideContent(content, closed));
    }
    const isCleared = [...doubted].some((field) => known.get(field) === null);
    doubted.clear();
    if (redact.size > before || isCleared) continue;
    return { query: compiled(), read: (issues) => keys.read(issues, [...others], known) };
  }
}

/** The outcome of an attempt, a failure included, when the returned function is called. */
function attempt<Result>(make: () => Result): () => Result {
  try {
    const made = make();
    return () => made;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Notes in `named` which fields the query reads. */
function compile(
  selection: QuerySelection,
  context: SelectionContext,
  hiding: Required<Pick<JqlWorld, 'redact' | 'hidesIn' | 'hasColumn'>>,
  named: Set<string>,
): JqlQuery {
  const jql = { ...jqlWorld(context), ...hiding, onRead: (field: string) => void named.add(field) };
  switch (selection.by) {
    case 'project': {
      const key = knownProject(selection.project, context);
      const { projectKeys } = context.world.table.columns;
      return {
        where: `project = ${quoted(key)}`,
        ...inNoOrder,
        predicate: {
          kind: 'project',
          truths: Uint8Array.from(projectKeys, (one) => (one === key ? YES : NO)),
        },
        predicateOver: (loaded) => loaded.predicate(({ issue }) => (projectKeyOf(issue) === key ? YES : NO)),
      };
    }
    case 'user': {
      const user = knownUser(selection.user, context);
      return { where: `assignee was ${quoted(user)}`, ...inNoOrder, ...compileWasAssigned(user, jql) };
    }
    case 'sprint': {
      const sprint = context.directory.sprints.find(({ id }) => id === selection.id);
      if (sprint === undefined) throw notFound('sprintID', selection.id, 'the id of a sprint');
      return compileJql(`sprint = ${sprint.id}`, jql, 'sprintID');
    }
    case 'savedFilter':
      return compileJql(knownFilter(selection.id, context).jql, jql, 'jqlFilterID');
    case 'jql':
      return compileJql(selection.jql, jql, 'customjql');
  }
}

const inNoOrder = { orderBy: null, order: null, dependsOnPrincipal: false } as const;

function jqlWorld({ principal, asOf, timeZone, directory, world }: SelectionContext): JqlWorld {
  const { statuses, users } = world.vocabulary;
  return {
    timeZone,
    directory,
    statuses,
    users,
    flows: world.flows,
    formerKeys: world.formerKeys,
    known: world.known,
    columns: world.table.columns,
    hasColumn: () => true,
    now: asOf,
    principal: principal.account,
    admin: principal.rights === 'admin',
  };
}

/** The key of a project by its key; people also type an id, or a name as long as it is that of one project. */
function knownProject(named: string, { world }: SelectionContext): string {
  const wanted = named.toLowerCase();
  const keys = { byKey: new Set<string>(), byId: new Set<string>(), byName: new Set<string>() };
  const note = (key: string, { id, name }: FieldValue) => {
    if (key.toLowerCase() === wanted) keys.byKey.add(key);
    else if (id === named) keys.byId.add(key);
    else if (name.toLowerCase() === wanted) keys.byName.add(key);
  };
  const { classes, others } = world.mentioned;
  for (const { projectKey, projects } of classes.values()) {
    for (const project of projects.values()) note(projectKey, project);
  }
  for (const [projectKey, project] of others.projects) note(projectKey, project);
  const found = [keys.byKey, keys.byId, keys.byName].find((some) => some.size > 0) ?? new Set();
  const [only, ...more] = found;
  if (only === undefined) throw notFound('projectKey', named, 'the key of a project that has issues');
  if (more.length === 0) return only;
  throw nameError('projectKey', named, 'is the name of several projects. Try: one of the keys', [...found]);
}

/** The id of a person by their id; people also type a name, or an address. */
function knownUser(named: string, { world }: SelectionContext): string {
  const { users } = world.vocabulary;
  if (users.has(named)) return named;
  const wanted = named.toLowerCase();
  const people = [...users.values()].filter(
    ({ name, email }) => name.toLowerCase() === wanted || email?.toLowerCase() === wanted,
  );
  const [only] = people;
  if (only !== undefined && people.length === 1) return only.id;
  if (people.length > 1) {
    const ids = people.map(({ id }) => id);
    throw nameError('user', named, 'is the name of several people. Try: one of the ids', ids);
  }
  const isMentioned =
    contentsSeen(world, 'assignee').some((content) => isValue(content) && content.id === named) ||
    world.mentioned.others.assignees.has(named);
  if (!isMentioned) throw notFound('user', named, 'the id of a user');
  return named;
}

/** A filter by its id; the own filter of another person is as unknown as one that never was. */
function knownFilter(id: string, { principal, directory }: SelectionContext): SavedFilter {
  const filter = directory.filters.find((one) => one.id === id);
  if (
    filter === undefined ||
    !(filter.shared || principal.rights === 'admin' || filter.owner === principal.account)
  ) {
    throw notFound('jqlFilterID', id, 'the id of a saved filter that you can use');
  }
  return filter;
}

/** A name that is not known, or is that of several things (`known`). What is wrong goes on after the value. */
export function nameError(
  field: string,
  value: string,
  problem: string,
  known: readonly string[] = [],
): AppError {
  if (known.length === 0)
    return badRequestAs('unknown-name', about(field, `'${value}' ${problem}.`), { field, value });
  const all = about(field, `'${value}' ${problem} ${known.join(', ')}.`);
  return badRequestAs('ambiguous-name', all, { field, value, known });
}

function notFound(field: string, value: string, allowed: string): AppError {
  return nameError(field, value, `could not be found. Try: ${allowed}`);
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
