import { isVisible } from '../../columns/visibility.ts';
import { type YieldIfDue, yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { contentAsOf, valueAsOf } from '../../engine/content-as-of.ts';
import { timeline } from '../../engine/timeline.ts';
import { ToBeContinued } from '../../issues/issue-chunks.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import { compileJql } from '../../jql/compile-jql.ts';
import type { Answer, JqlQuery, JqlWorld, SortKey } from '../../jql/jql.ts';
import type { SavedFilter } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { FieldValue, Instant, Issue, Status, User } from '../../model/issue.ts';
import type { DateRange, Selection } from '../../model/request.ts';
import { minuteText } from '../../time/iso-dates.ts';
import { wallOf } from '../../time/wall-clock.ts';
import { hideClosedKeys, type KeysScene, seenInTable } from './hide-closed-keys.ts';
import { mayHoldKeys } from './issue-keys-in.ts';
import type { World } from './scene.ts';
import { contentsSeen, isValue, LOADED_AT_ONCE, type SeenIssues } from './seen-issues.ts';
import { findInTurns, inTurns } from './yielding-loops.ts';

/** The issues a question is about, in its order, at hand or in rows; those that are gone by then are not loaded. */
export interface ChosenIssues {
  readonly count: number;
  /** How many nobody can decide about. */
  readonly undecided: number;
  /** Where they lie among all the asker may see; null: they are at hand. */
  readonly held: { readonly rows: Uint32Array; readonly seen: SeenIssues } | null;
  /** Those from one place to another, few enough to be held in memory. */
  load(from: number, to: number): Promise<readonly Issue[]>;
  /** Those from one place to another as a choice of their own. */
  part(from: number, to: number): ChosenIssues;
  /** Those at these places. */
  at(places: ArrayLike<number>): ChosenIssues;
  /** Those with these keys, in their order. */
  arranged(keys: readonly string[]): ChosenIssues;
  keyAt(index: number): string;
  /** Where the issue with a key is; -1: it is not among them. */
  indexOf(key: string): number;
}

/** Issues that need not be loaded. */
export function atHand(issues: readonly Issue[], undecided: number): ChosenIssues {
  return {
    ...{ count: issues.length, undecided, held: null },
    load: async (from, to) => issues.slice(from, to),
    part: (from, to) => atHand(issues.slice(from, to), undecided),
    at: (places) => atHand(Array.from(places, (place) => issues[place] ?? []).flat(), undecided),
    arranged(keys) {
      const byKey = new Map(issues.map((issue) => [issue.key, issue]));
      return atHand(
        keys.flatMap((key) => byKey.get(key) ?? []),
        undecided,
      );
    },
    keyAt: (index) => issues[index]?.key ?? '',
    indexOf: (key) => issues.findIndex((issue) => issue.key === key),
  };
}

/** Issues in rows, in the order of these; one that the asker cannot see any more is as good as gone. */
export function inRows(rows: Uint32Array, seen: SeenIssues, undecided: number): ChosenIssues {
  const { table, visibility } = seen;
  const { columns } = table;
  return {
    ...{ count: rows.length, undecided, held: { rows, seen } },
    async load(from, to) {
      const visible = rows.subarray(from, to).filter((row) => isVisible(columns, row, visibility));
      return (await table.load(visible)).filter((issue) => issue !== null);
    },
    part: (from, to) => inRows(rows.subarray(from, to), seen, undecided),
    at: (places) =>
      inRows(
        Uint32Array.from(places, (place) => rows[place] ?? 0),
        seen,
        undecided,
      ),
    arranged: (keys) =>
      inRows(
        Uint32Array.from(keys.map((key) => columns.rowOf(key)).filter((row) => row >= 0)),
        seen,
        undecided,
      ),
    keyAt: (index) => columns.keyOf(rows[index] ?? 0),
    indexOf: (key) => rows.indexOf(columns.rowOf(key)),
  };
}

/** Them all, a slice at a time. */
export async function* slicesOf(chosen: ChosenIssues): AsyncGenerator<readonly Issue[]> {
  for (let start = 0; start < chosen.count; start += LOADED_AT_ONCE) {
    if (start > 0) await yieldToOthers();
    yield await chosen.load(start, Math.min(chosen.count, start + LOADED_AT_ONCE));
  }
}

/** What a selection is made in: the issues the asker may see, and what is known beside them. */
interface SelectionWorld extends KeysScene {
  readonly asOf: Instant;
  readonly timeZone: string;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
  readonly world: World;
}

/** A selection understood: nothing about it is wrong any more. */
interface CompiledSelection {
  /** The JQL that stands for it. */
  readonly query: string;
  /** It calls `currentUser()`: for others the same query chooses other issues. */
  readonly dependsOnAsker: boolean;
  /**
   * Newest first where no order is asked for. `pace` lets others go on; so many as `unread` are undecided whatever the
   * query says.
   */
  select(pace: YieldIfDue, unread: number): Promise<ChosenIssues>;
}

/** Every way of choosing issues but by key, as one query. What the asker may not read of an issue, it cannot ask for. */
export async function compileSelection(
  selection: Exclude<Selection, { by: 'keys' }>,
  range: DateRange | null,
  scene: SelectionWorld,
): Promise<CompiledSelection> {
  const { asOf, world } = scene;
  const visible = await loadAll(world);
  const { query, readable } = await compileReadable(selection, scene, visible);
  const bounds = range === null ? [] : boundsOf(range, scene.timeZone);
  const inRange = (
    await findInTurns(() => compileJql(bounds.join(' AND '), jqlWorld(scene, visible), 'dateRangeField'))
  ).matches;
  const whole = query.where === '' || bounds.length === 0 ? query.where : `(${query.where})`;
  return {
    query: [[whole, ...bounds].filter((part) => part !== '').join(' AND '), query.orderBy ?? '']
      .filter((part) => part !== '')
      .join(' '),
    dependsOnAsker: query.dependsOnAsker,
    async select(pace, unread) {
      const { order } = query;
      const chosen: { readonly row: number; readonly keys: readonly SortKey[] }[] = [];
      let undecided = 0;
      // Kept by creation; newest first unless another order is asked for.
      for (const [i, issue] of visible.entries()) {
        const rest = pace();
        if (rest !== null) await rest;
        const told = readable[i];
        if (issue === undefined || told === undefined || issue.created > asOf) continue;
        const answers = [query.matches(told), inRange(issue)];
        if (answers.includes('no')) continue;
        if (answers.includes('unknown')) undecided += 1;
        else chosen.push({ row: world.table.columns.rowOf(issue.key), keys: order?.keysOf(told) ?? [] });
      }
      const ordered =
        order === null ? chosen : await inTurns(pace).sort(chosen, (a, b) => order.compare(a.keys, b.keys));
      return inRows(
        Uint32Array.from(ordered, ({ row }) => row),
        world,
        undecided + unread,
      );
    },
  };
}

async function loadAll(world: World): Promise<readonly Issue[]> {
  const all: Issue[] = [];
  for await (const slice of slicesOf(inRows(world.rows, world, 0))) all.push(...slice);
  return all;
}

/**
 * The query, compiled among the issues as the asker may read the fields it reads. Which these are is known once it is
 * compiled; what was wrong before all of them were hidden is of no account.
 */
async function compileReadable(
  selection: Exclude<Selection, { by: 'keys' }>,
  scene: SelectionWorld,
  visible: readonly Issue[],
): Promise<{ readonly query: JqlQuery; readonly readable: readonly Issue[] }> {
  const hidden = new Set<string>();
  let readable = visible;
  for (;;) {
    const named = new Set<string>();
    const told = readable;
    const compiled = await findInTurns(() => attempt(() => compile(selection, scene, told, named)));
    const unread = scene.asker.admin
      ? []
      : [...named].filter((field) => mayHoldKeys(field) && !hidden.has(field));
    for (const field of unread) hidden.add(field);
    const before = readable;
    if (unread.length > 0) {
      readable = await hideClosedKeys(visible, [...hidden], scene, seenInTable(scene.world));
    }
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
  visible: readonly Issue[],
  named: Set<string>,
): JqlQuery {
  const jql = { ...jqlWorld(world, visible), onRead: (field: string) => void named.add(field) };
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

function jqlWorld(
  { asker, asOf, timeZone, directory, statuses, users, world }: SelectionWorld,
  visible: readonly Issue[],
): JqlWorld {
  return {
    ...{ timeZone, directory, statuses, users, formerKeys: world.formerKeys },
    now: asOf,
    asker: asker.user,
    admin: asker.admin,
    issues: visible,
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
  for (const issue of others) note(projectKeyOf(issue), issue.project);
  const found = [keys.byKey, keys.byId, keys.byName].find((some) => some.size > 0) ?? new Set();
  const [only, ...more] = found;
  if (only === undefined) throw unknown('projectKey', asked, 'the key of a project that has issues');
  if (more.length === 0) return only;
  throw badRequest(
    `projectKey '${asked}' stands for several projects; allowed: one of the keys ${[...found].join(', ')}.`,
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
      `user '${asked}' is the name of several people; allowed: one of the ids ${named.map(({ id }) => id).join(', ')}.`,
    );
  }
  const met =
    contentsSeen(world, 'assignee').some((content) => isValue(content) && content.id === asked) ||
    world.mentioned.others.some(({ assignee }) => assignee?.id === asked);
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
