import type { FieldValue } from '../../../model/issue.ts';
import type { ColumnKind } from '../../../model/table.ts';
import { ABSENT, EMPTY } from '../../columns/value-codes.ts';
import type {
  CodeSlots,
  Current,
  MeasureContext,
  MeasurePlan,
  ReportKeys,
  Subject,
  ValueColumn,
  Vocabulary,
} from './report-type.ts';

/** The subjects that time in a status counts for: the status itself, and each consolidated status that includes it. */
function statusSubjects(issue: Vocabulary['issue'], value: FieldValue, context: MeasureContext): Subject[] {
  const own = { id: value.id, title: context.nameOf(issue, 'status', value), status: value };
  if (context.consolidated.length === 0) return [own];
  const merged = context.consolidated
    .filter((one) => one.statuses.includes(value.id))
    .map(
      ({ name, kind }): Subject => ({
        id: consolidatedId(name),
        title: name,
        consolidated: true,
        ...(kind === undefined ? {} : { stage: kind }),
      }),
    );
  return [own, ...merged];
}

/** The column id of a consolidated status. It has a colon, unlike ids of statuses in trackers. */
export function consolidatedId(name: string): string {
  return `consolidated:${name}`;
}

/** The subject of an assignee. Time without an assignee has a column of its own, so that times add up. */
export function assigneeSubject(value: FieldValue | null, context: MeasureContext): Subject {
  if (value === null) return { id: ':unassigned', title: 'Unassigned' };
  return { id: value.id, title: context.userName(value.id) ?? value.name };
}

/** A column about one subject. */
export function columnOf({ id, title, status, ...others }: Subject, kind: ColumnKind): ValueColumn {
  const ids = [others.standIn?.owner.id ?? id];
  return { id, title, kind, part: 'value', ...others, ids, statuses: status === undefined ? [] : [status] };
}

/** A column about a pair of subjects, on two levels. */
export function twoLevelColumn(parent: Subject, child: Subject, kind: ColumnKind): ValueColumn {
  const column: ValueColumn = {
    id: `${parent.id}|${child.id}`,
    title: `${parent.title}: ${child.title}`,
    kind,
    part: 'value',
    parent: { id: parent.id, title: parent.title },
    child: { id: child.id, title: child.title },
    ids: [parent.id, child.id],
    statuses: [parent.status, child.status].filter((status) => status !== undefined),
  };
  return parent.consolidated || child.consolidated ? { ...column, consolidated: true } : column;
}

/** The title of a transition from one status to another. */
export function transitionTitle(from: string, to: string): string {
  return `${from} → ${to}`;
}

/** The slots that codes of a field count for, and the subject of each slot, whose name may depend on the code. */
interface LevelSlots {
  readonly codes: CodeSlots;
  subjectAt(code: number, slot: number): Subject;
  /** The slot of the subject with an id; -1 if there is none. */
  slotOf(id: string): number;
}

/** Gives each subject of a field's codes a slot. Subjects of `moreOf` have slots, too, but no code counts for them. */
export function levelOf(
  size: number,
  subjectsOf: (code: number) => readonly Subject[],
  moreOf: (code: number) => readonly Subject[] = () => [],
): LevelSlots {
  const byId = new Map<string, number>();
  const at = new Uint32Array(size + 1);
  const slots: number[] = [];
  const slotOf = (id: string) => {
    const slot = byId.get(id) ?? byId.size;
    byId.set(id, slot);
    return slot;
  };
  const subjects = Array.from({ length: size }, (_, code) => subjectsOf(code));
  for (const [code, own] of subjects.entries()) {
    for (const { id } of own) slots.push(slotOf(id));
    at[code + 1] = slots.length;
  }
  const all = subjects.map((own, code) => [...own, ...moreOf(code)]);
  for (const { id } of all.flat()) slotOf(id);
  const ids = [...byId.keys()];
  return {
    codes: { at, slots: Uint32Array.from(slots), size: ids.length },
    subjectAt(code, slot) {
      const id = ids[slot] ?? '';
      const own = all[code] ?? [];
      const first = own[0];
      return (first?.id === id ? first : own.find((one) => one.id === id)) ?? { id, title: id };
    },
    slotOf: (id) => byId.get(id) ?? -1,
  };
}

/** Slots for statuses and for the consolidated statuses that they belong to. */
export function statusLevel({ statuses, issue }: Vocabulary, context: MeasureContext): LevelSlots {
  return levelOf(statuses.length, (code) => {
    const value = statuses[code] ?? null;
    return value === null ? [] : statusSubjects(issue, value, context);
  });
}

/** Slots for the subjects that an assignee's time counts for; no assignee (`EMPTY`) is treated as an assignee. */
export function assigneeLevel(
  { assignees }: Vocabulary,
  subjectsOf: (assignee: FieldValue | null) => readonly Subject[],
  moreOf?: (assignee: FieldValue | null) => readonly Subject[],
): LevelSlots {
  return levelOf(assignees.length, ofPeople(subjectsOf), moreOf && ofPeople(moreOf));

  function ofPeople(of: typeof subjectsOf) {
    return (code: number) => {
      const value = assignees[code] ?? null;
      return value === null && code !== EMPTY ? [] : of(value);
    };
  }
}

const noSlots: CodeSlots = { at: new Uint32Array(1), slots: new Uint32Array(), size: 0 };

/** The defaults of a report type's keys: no slots, no columns. */
export const noKeys = {
  statuses: noSlots,
  assignees: noSlots,
  delegates: [],
  clocks: [],
  histories: [],
  inner: 1,
  always: [],
} satisfies Partial<ReportKeys>;

/** One key per slot of a status. */
export function statusKeys(vocabulary: Vocabulary, context: MeasureContext, kind: ColumnKind): ReportKeys {
  const { codes, subjectAt } = statusLevel(vocabulary, context);
  return {
    ...noKeys,
    statuses: codes,
    keys: codes.size,
    columnOf: (key, status) => columnOf(subjectAt(status, key), kind),
  };
}

/** One key per column that every issue has. */
export function fixedKeys(always: readonly ValueColumn[]): ReportKeys {
  return {
    ...noKeys,
    always,
    keys: always.length,
    columnOf: (key) => always[key] ?? columnOf({ id: '', title: '' }, 'duration'),
  };
}

/** The keys of the issue's current status. */
export const currentStatus: Current = ({ statuses: visits }, { statuses: { at, slots } }) => {
  const status = visits.codes[visits.open] ?? ABSENT;
  const since = visits.since(visits.open);
  return Array.from(slots.subarray(at[status], at[status + 1]), (key) => ({ key, since, status, other: 0 }));
};

/** The current keys of a report type without any: the issue is in none of its columns. */
export const nowhere: Current = () => [];

/** Builds the plan of a measure from the keys of a report type, the context, and the statuses of a vocabulary. */
export function planMeasure(
  { always: _always, columnOf: _columnOf, ...slots }: ReportKeys,
  { asOf, trim, multiVisitBehavior, periods, countsStatus }: MeasureContext,
  { statuses }: Vocabulary,
): MeasurePlan {
  return {
    ...slots,
    asOf,
    from: trim.from ?? Number.NEGATIVE_INFINITY,
    to: trim.to ?? Number.POSITIVE_INFINITY,
    multiVisitBehavior,
    counted: Uint8Array.from(statuses, (status) => Number(status !== null && countsStatus(status.id))),
    periods: Float64Array.from([...periods.map(({ start }) => start), periods.at(-1)?.end ?? 0]),
  };
}
