import { wallOf } from '../../calendar/zone.ts';
import { contentAsOf } from '../../engine/field-cell.ts';
import { timeline } from '../../engine/timeline.ts';
import { compileJql } from '../../jql/compile-jql.ts';
import type { JqlQuery, JqlWorld } from '../../jql/jql.ts';
import { projectKeyOf } from '../../model/access.ts';
import type { Directory, SavedFilter } from '../../model/directory.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant, Issue, Status, User } from '../../model/issue.ts';
import type { Asker, DateRange, Selection } from '../../model/request.ts';

/** What a selection is made in: the issues the asker may see, and what is known beside them. */
export interface SelectionWorld {
  readonly asker: Asker;
  readonly asOf: Instant;
  readonly timeZone: string;
  readonly visible: readonly Issue[];
  readonly directory: Directory;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly users: ReadonlyMap<string, User>;
}

/** A selection understood: nothing about it is wrong any more. */
export interface CompiledSelection {
  /** The JQL that stands for it. */
  readonly query: string;
  /** Newest first where no order is asked for. `pause` lets others go on for a moment. */
  select(pause: () => Promise<void>): Promise<ChosenIssues>;
}

/** The issues for which a query holds, in the order asked for, and how many nobody can decide about. */
export interface ChosenIssues {
  readonly issues: readonly Issue[];
  readonly undecided: number;
}

/** How many issues are looked at between two pauses: a few milliseconds of work. */
const BETWEEN_PAUSES = 5000;

/** Every way of choosing issues but by key, as one query. */
export function compileSelection(
  selection: Exclude<Selection, { by: 'keys' }>,
  range: DateRange | null,
  world: SelectionWorld,
): CompiledSelection {
  const { asOf, visible } = world;
  const query = narrow(compile(selection, world), range, world);
  return {
    query: textOf(query),
    async select(pause) {
      const issues: Issue[] = [];
      let undecided = 0;
      // Kept by creation; newest first unless another order is asked for.
      for (let i = visible.length - 1; i >= 0; i -= 1) {
        if (i % BETWEEN_PAUSES === 0) await pause();
        const issue = visible[i];
        if (issue === undefined || issue.created > asOf) continue;
        const answer = query.matches(issue);
        if (answer === 'yes') issues.push(issue);
        if (answer === 'unknown') undecided += 1;
      }
      return { issues: query.compare === null ? issues : issues.toSorted(query.compare), undecided };
    },
  };
}

function compile(selection: Exclude<Selection, { by: 'keys' }>, world: SelectionWorld): JqlQuery {
  const jql = jqlWorld(world);
  switch (selection.by) {
    case 'project':
      return compileJql(`project = ${quoted(knownProject(selection.project, world))}`, jql, 'projectKey');
    case 'user': {
      const user = knownUser(selection.user, world);
      return compileJql(`assignee was ${quoted(user)}`, jql, 'user');
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

function knownProject(asked: string, { visible }: SelectionWorld): string {
  const wanted = asked.toLowerCase();
  const found = visible.find(
    (issue) =>
      projectKeyOf(issue).toLowerCase() === wanted ||
      issue.project.id === asked ||
      issue.project.name.toLowerCase() === wanted,
  );
  if (found === undefined) throw unknown('projectKey', asked, 'the key of a project that has issues');
  return projectKeyOf(found);
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
      issue.changes.some(
        ({ field, from, to }) => field === 'assignee' && (from?.id === asked || to?.id === asked),
      ),
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

/** The query with the date range in it: dates are written in the asker's zone, as JQL reads them. */
function narrow(query: JqlQuery, range: DateRange | null, world: SelectionWorld): JqlQuery {
  const bounds = range === null ? [] : boundsOf(range, world.timeZone);
  if (bounds.length === 0) return query;
  const where = [...(query.where === '' ? [] : [`(${query.where})`]), ...bounds].join(' AND ');
  return compileJql(textOf({ ...query, where }), jqlWorld(world), 'dateRangeField');
}

function boundsOf({ field, from, to }: DateRange, timeZone: string): string[] {
  const at = (instant: Instant) =>
    `"${new Date(wallOf(instant, timeZone)).toISOString().slice(0, 16).replace('T', ' ')}"`;
  return [
    ...(from === null ? [] : [`${field} >= ${at(from)}`]),
    ...(to === null ? [] : [`${field} < ${at(to)}`]),
  ];
}

function textOf({ where, orderBy }: Pick<JqlQuery, 'where' | 'orderBy'>): string {
  return [where, orderBy ?? ''].filter((part) => part !== '').join(' ');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
