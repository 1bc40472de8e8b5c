import type { FieldValue, Issue } from '../../../model/issue.ts';
import type { Column, ColumnKind } from '../../../model/table.ts';
import type { MeasureContext, Subject, ValueColumn } from './report-type.ts';

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
