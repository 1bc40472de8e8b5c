import type { FieldValue } from '../../../model/issue.ts';
import type { ColumnKind } from '../../../model/table.ts';
import { ABSENT, EMPTY } from '../../columns/value-codes.ts';
import type { CodeSlots, Current, Vocabulary } from './measure-plan.ts';
import type { MeasureContext, ReportKeys, Subject, ValueColumn } from './report-type.ts';
import { columnOf, statusSubjects } from './value-columns.ts';

/** What the codes of a field count for, and the subject that a slot is, called as a code of it calls it. */
export interface LevelSlots {
  readonly codes: CodeSlots;
  subjectAt(code: number, slot: number): Subject;
  /** The slot of a subject by its id; -1 where there is none. */
  slotOf(id: string): number;
}

/** Slots for the subjects of codes; `moreOf` are subjects that have slots as well, although no code counts for them. */
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

/** Statuses, and the consolidated statuses that they belong to. */
export function statusLevel({ statuses, issue }: Vocabulary, context: MeasureContext): LevelSlots {
  return levelOf(statuses.length, (code) => {
    const value = statuses[code] ?? null;
    return value === null ? [] : statusSubjects(issue, value, context);
  });
}

/** Assignees, nobody included, as the subjects that their time counts for. */
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

/** The keys of a report type that says nothing of them: there is none. */
export const noKeys = {
  statuses: noSlots,
  assignees: noSlots,
  delegates: [],
  clocks: [],
  histories: [],
  inner: 1,
  always: [],
} satisfies Partial<ReportKeys>;

/** A key per slot of a status. */
export function statusKeys(vocabulary: Vocabulary, context: MeasureContext, kind: ColumnKind): ReportKeys {
  const { codes, subjectAt } = statusLevel(vocabulary, context);
  return {
    ...noKeys,
    statuses: codes,
    keys: codes.size,
    columnOf: (key, status) => columnOf(subjectAt(status, key), kind),
  };
}

/** A key per column that every issue has. */
export function fixedKeys(always: readonly ValueColumn[]): ReportKeys {
  return {
    ...noKeys,
    always,
    keys: always.length,
    columnOf: (key) => always[key] ?? columnOf({ id: '', title: '' }, 'duration'),
  };
}

/** The keys of the status the issue is in. */
export const currentStatus: Current = ({ statuses: visits }, { statuses: { at, slots } }) => {
  const status = visits.codes[visits.open] ?? ABSENT;
  const since = visits.since(visits.open);
  return Array.from(slots.subarray(at[status], at[status + 1]), (key) => ({ key, since, status, other: 0 }));
};

/** The issue is in no column now. */
export const nowhere: Current = () => [];
