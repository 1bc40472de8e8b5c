import type { FieldContent, FieldValue, Instant, Issue, Status } from '../../model/issue.ts';
import {
  changesOf,
  contentOf,
  type FieldwiseIssue,
  ownUpdate,
  projectKeyOf,
} from '../../model/issues/issue-fields.ts';
import { splitValue } from '../../model/issues/value-sets.ts';
import { type TimePeriod, timePeriods } from '../../model/request.ts';
import { type Cell, type Cells, type Column, type ColumnKind, cellOf } from '../../model/table.ts';
import { readInstant } from '../../time/date-text.ts';
import { periodAt } from '../../time/periods.ts';
import { BLOCKERS, flagBehind, type HistorySource } from '../columns/history-column.ts';
import { valueIn } from '../columns/value-codes.ts';
import type { RowContent } from '../columns/write-row.ts';
import type { MeasureContext } from '../reports/measuring/report-type.ts';
import { blockerVisits, LINKS } from '../visits/blocked-visits.ts';
import {
  currentValue,
  openVisit,
  timeline,
  transitionsOf,
  type Visit,
  visitsAsOf,
  visitsOf,
} from '../visits/timeline.ts';

const keyColumn: Column = { id: 'issuekey', title: 'Key', kind: 'text', part: 'header' };

/** The columns at the beginning of each line about an issue. */
export const headerColumns: readonly Column[] = [
  keyColumn,
  { id: 'summary', title: 'Summary', kind: 'text', part: 'header' },
];

/** The cells of an issue in columns that do not depend on the report type: header, group and field columns. */
export function ownCells(
  issue: Issue,
  columns: readonly Column[],
  context: MeasureContext,
): Record<string, Cell> {
  const cells: [string, Cell][] = [];
  for (const column of columns) {
    const cell = column === keyColumn ? { value: issue.key } : fieldCell(issue, column, context);
    if (cell !== null) cells.push([column.id, cell]);
  }
  return Object.fromEntries(cells);
}

/** The value of a field at the as-of instant, as a cell; null if the field was empty. */
function fieldCell(issue: Issue, { id, kind, part }: Column, context: MeasureContext): Cell | null {
  const field = computed.get(id);
  if (field !== undefined) return field.cell(issue, context);
  if (kind === 'instant') {
    const at = instantAsOf(issue, id, context.asOf);
    return at === null ? null : { value: at };
  }
  const value = valueAsOf(issue, id, context.asOf);
  if (value === null) return null;
  return valueCell(value, part === 'group' ? severalIn(issue, id, value) : [], (one) =>
    context.nameOf(issue, id, one),
  );
}

/** A value as a cell; if it consists of several values, with a cell for each. */
export function valueCell(
  value: FieldValue,
  several: readonly FieldValue[],
  nameOf: (value: FieldValue) => string,
): Cell {
  const cell = { value: nameOf(value), id: value.id };
  const values = [...new Map(several.map((one) => [one.id, one])).values()];
  return values.length < 2
    ? cell
    : { ...cell, values: values.map((one) => ({ value: nameOf(one), id: one.id })) };
}

/** Several ids in one value of a history, separated by commas. */
const severalIds = /^\d+(?:, \d+)+$/;

/**
 * The single values of a field's value: those that the tracker shows now, or the value from the history split up. A
 * text or a number is always one value, even if it contains commas.
 */
function severalIn(issue: Issue, field: string, value: FieldValue): readonly FieldValue[] {
  const content = contentOf(issue, field) ?? null;
  if (typeof content === 'string' || typeof content === 'number') return [];
  if (!Array.isArray(content)) {
    return value.id !== value.name && severalIds.test(value.id) ? splitValue(value) : [];
  }
  return value.id === currentValue(issue, field)?.id ? content : splitValue(value);
}

/** A column that no tracker has, computed from the issue. */
interface ComputedField {
  readonly id: `calc:${string}`;
  readonly title: string;
  readonly kind: ColumnKind;
  cell(issue: Issue, context: MeasureContext): Cell | null;
}

/** All computed fields; requests show them and group by them like fields of the tracker. */
export const computedFields: readonly ComputedField[] = [
  {
    id: 'calc:projectKey',
    title: 'Project Key',
    kind: 'text',
    cell: (issue) => ({ value: projectKeyOf(issue) }),
  },
  {
    id: 'calc:projectName',
    title: 'Project Name',
    kind: 'text',
    cell: ({ project }) => ({ value: project.name, id: project.id }),
  },
  {
    id: 'calc:statusCategory',
    title: 'Status Category',
    kind: 'text',
    cell(issue, context) {
      const status = valueIn(contentAsOf(issue, 'status', context.asOf));
      return status === null ? null : { value: context.categoryOf(status.id) };
    },
  },
  {
    id: 'calc:leadTime',
    title: 'Lead Time',
    kind: 'duration',
    cell(issue, { calendar, asOf }) {
      const resolved = resolvedBy(issue, asOf);
      return resolved === null ? null : { value: calendar.between(issue.created, resolved) };
    },
  },
  {
    id: 'calc:age',
    title: 'Age',
    kind: 'duration',
    cell: (issue, { calendar, asOf }) => ({
      value: calendar.between(issue.created, resolvedBy(issue, asOf) ?? asOf),
    }),
  },
  {
    id: 'calc:currentStatusAge',
    title: 'Current Status Age',
    kind: 'duration',
    cell(issue, context) {
      const last = openVisit(visitsOf(issue, 'status', untrimmed(context)).visits);
      return last?.begun ? { value: context.calendar.between(last.start, last.end) } : null;
    },
  },
  {
    id: 'calc:transitions',
    title: 'Transitions',
    kind: 'count',
    cell: (issue, context) => ({
      value: transitionsOf(visitsOf(issue, 'status', untrimmed(context)).visits).length,
    }),
  },
  ...timePeriods.flatMap((period) => [
    periodField('created', period, (issue) => issue.created),
    periodField('resolved', period, resolvedBy),
  ]),
];

const computed = new Map(computedFields.map((field) => [field.id as string, field]));

/** A computed field for grouping: the day, week, month, quarter or year of an instant in the principal's time zone. */
function periodField(
  what: 'created' | 'resolved',
  period: TimePeriod,
  instantOf: (issue: Issue, asOf: Instant) => Instant | null,
): ComputedField {
  return {
    id: `calc:${what}${period}`,
    title: `${what === 'created' ? 'Created' : 'Resolved'} ${period}`,
    kind: 'text',
    cell(issue, { asOf, timeZone }) {
      const at = instantOf(issue, asOf);
      return at === null ? null : { value: periodAt(at, period, timeZone).id };
    },
  };
}

/** The context without its trim window, which does not apply to facts about the issue itself. */
function untrimmed(context: MeasureContext): MeasureContext {
  return { ...context, trim: { from: null, to: null } };
}

/** The latest instant that a `Date` represents: an as-of instant after every change. */
export const EVER = 8.64e15;

/**
 * An issue as `engine/columns` stores it: its visits of statuses and assignees since its creation, as of an instant
 * after its last change. If the history is complete, the visits as of an earlier instant are the first of these.
 */
export function rowContent(issue: Issue): RowContent {
  const source = historySource(issue);
  const { visitsOf } = source;
  return { ...source, issue, statuses: visitsOf('status'), assignees: visitsOf('assignee') };
}

/** The histories of an issue's fields as `engine/columns` stores them, see `rowContent`. */
export function historySource(issue: FieldwiseIssue): HistorySource {
  return {
    issue,
    visitsOf(field) {
      if (field === BLOCKERS) return hadNone(issue, LINKS) ? [] : orNone(blockerVisits(issue, EVER));
      const flag = flagBehind(field);
      if (flag === null) return visitsAsOf(issue, field, EVER);
      return hadNone(issue, flag) ? [] : orNone(visitsAsOf(issue, flag, EVER));
    },
    valueNow: (field) => currentValue(issue, field),
  };
}

/** Returns true where a field never had a value, as is so of nearly all issues, without looking at visits. */
function hadNone(issue: FieldwiseIssue, field: string): boolean {
  return (
    issue.history.complete && changesOf(issue, field).length === 0 && currentValue(issue, field) === null
  );
}

/** The visits of a field; none where it never had a value. */
function orNone(visits: readonly Visit[]): readonly Visit[] {
  return visits.every(({ known, value }) => known && value === null) ? [] : visits;
}

/**
 * The content of a field at an instant, as far as it is known; several values are a list if the field has not changed
 * since, otherwise one value. Null means empty, undefined that the issue does not have the field.
 */
export function contentAsOf(issue: Issue, field: string, asOf: Instant): FieldContent | undefined {
  if (instantFields.includes(field)) return instantAsOf(issue, field, asOf);
  const today = contentOf(issue, field);
  // A tracker may show the field `project` under another id than `issue.project`, which is what columns contain.
  if (field === 'project' && today !== undefined) return issue.project;
  if (asOf >= issue.updated) return today;
  if (today === undefined && changesOf(issue, field).length === 0) return undefined;
  const value = valueAsOf(issue, field, asOf);
  const content = today ?? null;
  // If the field has not changed since, its list is returned; the changelog has several values as one.
  return value !== null && Array.isArray(content) && value.id === currentValue(issue, field)?.id
    ? content
    : value;
}

/** Ids of the fields of every issue that contain an instant. */
export const instantFields: readonly string[] = ['created', 'updated', 'resolutiondate'];

/** The value of a field at an instant; several values are joined to one. Null means empty or unknown. */
export function valueAsOf(issue: Issue, field: string, asOf: Instant): FieldValue | null {
  if (field === 'project') return issue.project;
  // After the last update, the tracker's current value is authoritative, even if the history is cut.
  if (asOf >= issue.updated && contentOf(issue, field) !== undefined) return currentValue(issue, field);
  return timeline(issue, field, asOf).visits.at(-1)?.value ?? null;
}

/** The instant in a field as of an instant. Null if it was empty or, for `instantFields`, is later. */
function instantAsOf(issue: Issue, field: string, asOf: Instant): Instant | null {
  if (field === 'updated') return updatedBy(issue, asOf);
  if (!instantFields.includes(field)) return parseInstant(contentAsOf(issue, field, asOf));
  if (field === 'resolutiondate') return resolvedBy(issue, asOf);
  return issue.created <= asOf ? issue.created : null;
}

/** Parses a date with a time in a custom field, which may be in the future; null for other contents. */
function parseInstant(content: FieldContent | undefined): Instant | null {
  const text = valueIn(content)?.id ?? content;
  if (typeof text !== 'string' || !instantText.test(text)) return null;
  return readInstant(text)?.instant ?? null;
}

/** The formats in which trackers write a day, and a date with its time and UTC offset. */
export const dayText = /^\d{4}-\d\d-\d\d$/;
export const instantText = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** The instant of the tracker's last update or, if that is after the as-of instant, of the last change by then. */
function updatedBy(issue: Issue, asOf: Instant): Instant {
  const { created, updated } = issue;
  const stated = ownUpdate(issue) ?? updated;
  if (stated <= asOf) return stated;
  return issue.changes.reduce((latest, { at }) => (at <= asOf ? Math.max(latest, at) : latest), created);
}

/**
 * The instant at which an issue was resolved, as of an instant; null if it was unresolved or if that is unknown.
 * Trackers show only the last resolution, so one that was undone is read from the history of the field `resolution`.
 */
function resolvedBy(issue: Issue, asOf: Instant): Instant | null {
  const { resolved, updated } = issue;
  const last = resolved !== null && resolved <= asOf ? resolved : null;
  if (asOf >= updated || changesOf(issue, 'resolution').length === 0) return last;
  let since: Instant | null = null;
  let certain = true;
  for (const { known, value, begun, start } of timeline(issue, 'resolution', asOf).visits) {
    if (known && value !== null && since !== null) continue;
    certain = known && (value === null || begun);
    since = certain && value !== null ? start : null;
  }
  return certain ? since : last;
}

/** Distinguishes values of group columns that have the same name. */
export interface GroupNames {
  note(own: Cells): void;
  /** The cells, with a suffix on each name that several values share; `scopes` are those of statuses (`scopesOf`). */
  distinct(own: Cells, scopes?: StatusScopes): Cells;
}

/** Project key by status id, for statuses that share their name with another status of the table. */
export type StatusScopes = ReadonlyMap<string, string>;

/** The project keys of those statuses that share their name with another one. */
export function scopesOf(statuses: Iterable<Pick<Status, 'id' | 'name' | 'scope'>>): StatusScopes {
  const all = new Map(Array.from(statuses, (status) => [status.id, status]));
  const named = Map.groupBy(all.values(), ({ name }) => name);
  return new Map(
    [...named.values()].flatMap((alike) =>
      alike.length < 2 ? [] : alike.flatMap(({ id, scope }) => (scope === undefined ? [] : [[id, scope]])),
    ),
  );
}

/**
 * `Doing (PRJ)`: the name of a status of a team-managed project if several statuses have it, as in the product that
 * Dwell is compatible with. Without a scope, the name is returned as it is.
 */
export function scopedName(name: string, scope: string | undefined): string {
  return scope === undefined ? name : `${name} (${scope})`;
}

/**
 * Creates group names: first `note` all cells, then rename them. The suffix of a status is its project key if it has
 * one, that of other values their id; values without an id keep their name.
 */
export function createGroupNames(
  groupBy: readonly Column[],
  statuses: ReadonlyMap<string, Status> = new Map(),
): GroupNames {
  const idsOf = new Map(groupBy.map(({ id }) => [id, new Map<string, Set<string>>()]));
  const setsApart = (column: string, id: string, alike: ReadonlySet<string>): string | null => {
    const scopeOf = (one: string) => (column === 'status' ? statuses.get(one)?.scope : undefined);
    if (alike.size < 2) return null;
    // If only one of these statuses has no project, its plain name is unambiguous.
    return scopeOf(id) ?? ([...alike].some((one) => one !== id && scopeOf(one) === undefined) ? id : null);
  };
  return {
    note(own) {
      for (const [column, names] of idsOf) {
        const { value, id } = cellOf(own, column) ?? {};
        if (typeof value !== 'string' || id === undefined) continue;
        const ids = names.get(value);
        if (ids === undefined) names.set(value, new Set([id]));
        else ids.add(id);
      }
    },
    distinct(own, scopes) {
      const renamed: [string, Cell][] = [];
      const rename = (column: string, cell: Cell, apart: string) =>
        renamed.push([column, { ...cell, value: `${cell.value} (${apart})` }]);
      for (const [column, names] of idsOf) {
        const cell = cellOf(own, column);
        if (typeof cell?.value !== 'string' || cell.id === undefined) continue;
        const apart = setsApart(column, cell.id, names.get(cell.value) ?? new Set());
        if (apart !== null) rename(column, cell, apart);
      }
      const status = cellOf(own, 'status');
      const scope = scopes?.get(status?.id ?? '');
      if (status !== undefined && scope !== undefined && !renamed.some(([column]) => column === 'status')) {
        rename('status', status, scope);
      }
      return renamed.length === 0 ? own : { ...own, ...Object.fromEntries(renamed) };
    },
  };
}
