import type { RollingRange } from '../../model/parameter-set.ts';
import { dateRangeFields, type Selection } from '../../model/request.ts';

/** A selection of issues narrowed to a time that moves with the instant of asking. */
interface RollingSelection {
  readonly selection: Selection;
  readonly range: RollingRange;
}

/**
 * A time that moves as part of a query, for the dates of requests do not move. The clocks of the person who asks say which
 * days it means.
 */
export function rangeClause({ field, when }: RollingRange): string {
  switch (when.by) {
    case 'days':
      return `${field} >= -${when.days}d`;
    case 'period': {
      const start = `startOf${when.period.charAt(0).toUpperCase()}${when.period.slice(1)}`;
      const at = (back: number) => (back === 0 ? `${start}()` : `${start}("${-back}")`);
      return when.back === 0
        ? `${field} >= ${at(0)}`
        : `${field} >= ${at(when.back)} AND ${field} < ${at(when.back - 1)}`;
    }
  }
}

/** A query (without an order) narrowed to a time that moves. */
export function queryWithin(query: string, range: RollingRange): string {
  return query === '' ? rangeClause(range) : `(${query}) AND ${rangeClause(range)}`;
}

/** The parts of a query that has a rolling range; null for any other query. */
export function rollingSelectionOf(query: string): RollingSelection | null {
  const [, inner, clause] = /^\((.+)\) AND ((\w+) >= .{1,60}?(?: AND \3 < .{1,40})?)$/s.exec(query) ?? [];
  if (inner === undefined || clause === undefined || !isClosed(inner)) return null;
  const range = rangeOfClause(clause);
  return range === null ? null : { selection: selectionOfQuery(inner), range };
}

function rangeOfClause(clause: string): RollingRange | null {
  const [, name = '', days, word = '', back = '0'] =
    /^(\w+) >= (?:-(\d{1,5})d|startOf(Week|Month|Quarter|Year)\((?:"-(\d{1,4})")?\))/.exec(clause) ?? [];
  const field = dateRangeFields.find((one) => one === name);
  if (field === undefined) return null;
  const period = (['week', 'month', 'quarter', 'year'] as const).find((one) => one === word.toLowerCase());
  const range: RollingRange | null =
    days !== undefined
      ? { field, when: { by: 'days', days: Number(days) } }
      : period === undefined
        ? null
        : { field, when: { by: 'period', period, back: Number(back) } };
  return range !== null && rangeClause(range) === clause ? range : null;
}

/** A choice of issues as JQL. */
export function queryOf(selection: Selection): string {
  switch (selection.by) {
    case 'keys':
      return `key in (${selection.keys.join(', ')})`;
    case 'project':
      return `project = ${literalOf(selection.project)}`;
    case 'savedFilter':
      return `filter = ${selection.id}`;
    case 'sprint':
      return `sprint = ${selection.id}`;
    case 'jql':
      return selection.jql;
    case 'user': {
      const user = literalOf(selection.user);
      return `assignee = ${user} OR assignee WAS ${user}`;
    }
  }
}

/** The choice that `queryOf` wrote; any other query as it is. */
export function selectionOfQuery(query: string): Selection {
  const [, project] = /^project = "([^"\\]+)"$/.exec(query) ?? [];
  const [, kind, id = ''] = /^(filter|sprint) = (\d+)$/.exec(query) ?? [];
  const [, keys] = /^key in \(([^)"]+)\)$/.exec(query) ?? [];
  if (project !== undefined) return { by: 'project', project };
  if (kind !== undefined) return { by: kind === 'filter' ? 'savedFilter' : 'sprint', id };
  return keys === undefined ? { by: 'jql', jql: query } : { by: 'keys', keys: keys.split(', ') };
}

function literalOf(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/**
 * True if each parenthesis of a query, or of a piece of one, has its other half within it; those in quotes are text.
 */
export function isClosed(jql: string): boolean {
  let open = 0;
  for (const [piece] of jql.matchAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|["'()]/gs)) {
    // A quote alone begins a text that ends outside.
    if (piece === '"' || piece === "'") return false;
    if (piece === '(') open += 1;
    if (piece === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
