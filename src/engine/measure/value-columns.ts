import type { FieldValue, Instant, Issue } from '../../model/issue.ts';
import type { Cell, Column, ColumnKind, CurrentValue, UnknownTime } from '../../model/table.ts';
import type { MeasureContext, Measured, Subject, ValueColumn } from './report-type.ts';
import { type Timeline, timeline, trimVisits, type Visit } from './timeline.ts';

/** What time in a status counts for: the status itself and every consolidated column it belongs to. */
export function statusSubjects(issue: Issue, value: FieldValue, context: MeasureContext): Subject[] {
  const own = { id: value.id, title: context.nameOf(issue, 'status', value), status: value };
  if (context.consolidated.length === 0) return [own];
  const merged = context.consolidated
    .filter((one) => one.statuses.includes(value.id))
    .map((one): Subject => ({ id: consolidatedId(one.name), title: one.name, consolidated: true }));
  return [own, ...merged];
}

/** The column id of a consolidated status; no tracker's status id has a colon. */
function consolidatedId(name: string): string {
  return `consolidated:${name}`;
}

/** The person an issue is with; an issue that is with nobody has a column of its own, so that times add up. */
export function assigneeSubject(value: FieldValue | null, context: MeasureContext): Subject {
  if (value === null) return { id: ':unassigned', title: 'Unassigned' };
  return { id: value.id, title: context.userName(value.id) ?? value.name };
}

/** A column about one subject. */
export function columnOf(subject: Subject, kind: ColumnKind): ValueColumn {
  const { standIn } = subject;
  const column = {
    ...base(subject, kind),
    ids: [subject.id],
    statuses: subject.status ? [subject.status] : [],
  };
  return standIn === undefined ? column : { ...column, standIn, ids: [standIn.owner.id] };
}

/** A column about a subject within another. */
export function twoLevelColumn(parent: Subject, child: Subject, kind: ColumnKind): ValueColumn {
  const column: ValueColumn = {
    id: `${parent.id}|${child.id}`,
    title: `${parent.title}: ${child.title}`,
    kind,
    part: 'value',
    parent: { id: parent.id, title: parent.title },
    child: { id: child.id, title: child.title },
    ids: [parent.id, child.id],
    statuses: statusesOf(parent, child),
  };
  return parent.consolidated || child.consolidated ? { ...column, consolidated: true } : column;
}

function statusesOf({ status: first }: Subject, { status: second }: Subject): readonly FieldValue[] {
  if (first === undefined) return second === undefined ? [] : [second];
  return second === undefined ? [first] : [first, second];
}

function base({ id, title, consolidated }: Subject, kind: ColumnKind): Column {
  return { id, title, kind, part: 'value', ...(consolidated ? { consolidated } : {}) };
}

/** How a step from one status to another reads. */
export function transitionTitle(from: string, to: string): string {
  return `${from} → ${to}`;
}

/** The visits of one field that a report with this context speaks about. */
export function visitsOf(issue: Issue, field: string, context: MeasureContext): Timeline {
  const whole = timeline(issue, field, context.asOf);
  const { from, to } = context.trim;
  return from === null && to === null ? whole : { ...whole, visits: trimVisits(whole.visits, context.trim) };
}

/** The visit an issue is in at the as-of instant; null where that is unknown or trimmed away. */
export function openVisit(visits: readonly Visit[]): Visit | null {
  const last = visits.at(-1);
  return last?.open && last.known ? last : null;
}

/** The value the issue has at the as-of instant; none where that is unknown, empty or trimmed away. */
export function currentOf(
  issue: Issue,
  visits: readonly Visit[],
  field: string,
  context: MeasureContext,
): CurrentValue[] {
  const last = openVisit(visits);
  if (last === null || last.value === null) return [];
  return [{ columnId: last.value.id, title: context.nameOf(issue, field, last.value), since: sinceOf(last) }];
}

/** The columns of the status the issue is in at the as-of instant. */
export function currentStatus(
  issue: Issue,
  visits: readonly Visit[],
  context: MeasureContext,
): CurrentValue[] {
  const last = openVisit(visits);
  if (last === null || last.value === null) return [];
  return statusSubjects(issue, last.value, context).map(({ id, title }) => ({
    columnId: id,
    title,
    since: sinceOf(last),
  }));
}

/** When a visit began; null where a cut history does not tell. */
export function sinceOf(visit: Visit): Instant | null {
  return visit.begun ? visit.start : null;
}

/** The time in which one of several fields is not known. Their gaps are of one cut and lie within each other. */
export function unknownOfAll(
  fields: readonly (readonly Visit[])[],
  context: MeasureContext,
): UnknownTime | null {
  const gaps = fields.flatMap((visits) => unknownOf(visits, context) ?? []);
  if (gaps.length === 0) return null;
  const from = Math.min(...gaps.map((gap) => gap.from));
  const until = Math.max(...gaps.map((gap) => gap.until));
  return { from, until, ms: context.calendar.between(from, until) };
}

/** The time nothing is known of, if there is any. A history has at most one such stretch. */
export function unknownOf(visits: readonly Visit[], context: MeasureContext): UnknownTime | null {
  const unknown = visits.find((visit) => !visit.known);
  if (unknown === undefined) return null;
  return {
    from: unknown.start,
    until: unknown.end,
    ms: context.calendar.between(unknown.start, unknown.end),
  };
}

/** Sums up what belongs to the same column, in order of first meeting. */
interface Tally {
  /** `visits` is how many visits the amount is made of. */
  add(column: ValueColumn, amount: number, visits: number): void;
  /** The amount is a part of a visit, which counts once in the column: its parts come one after the other. */
  addPart(column: ValueColumn, amount: number, visit: Visit): void;
  /** The column was met, but nobody can tell how much belongs to it. */
  observe(column: ValueColumn): void;
  readonly measured: () => Pick<Measured, 'columns' | 'lines'>;
}

interface Entry {
  readonly column: ValueColumn;
  amount: number;
  visits: number;
  told: boolean;
  /** The visit of which a part was added last. */
  visit: Visit | null;
}

export function createTally(): Tally {
  const byId = new Map<string, Entry>();
  return {
    add(column, amount, visits) {
      const entry = byId.get(column.id);
      if (entry === undefined) byId.set(column.id, { column, amount, visits, told: true, visit: null });
      else {
        entry.amount += amount;
        entry.visits += visits;
      }
    },
    addPart(column, amount, visit) {
      const entry = byId.get(column.id);
      if (entry === undefined) byId.set(column.id, { column, amount, visits: 1, told: true, visit });
      else {
        entry.amount += amount;
        if (entry.visit !== visit) entry.visits += 1;
        entry.visit = visit;
      }
    },
    observe(column) {
      const entry = byId.get(column.id);
      if (entry === undefined)
        byId.set(column.id, { column, amount: 0, visits: 0, told: false, visit: null });
      else entry.told = false;
    },
    measured() {
      const cells: Record<string, Cell> = {};
      const columns: ValueColumn[] = [];
      for (const { column, amount, visits, told } of byId.values()) {
        columns.push(column);
        if (told) cells[column.id] = { value: amount, visits };
      }
      return { columns, lines: [cells] };
    },
  };
}
