import type { FieldContent, FieldValue, Instant, Issue, Status } from '../../../model/issue.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import { MissingColumn } from '../../columns/held-fields.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import { EMPTY, type ValueCodes } from '../../columns/value-codes.ts';
import type { ColumnMeasure, MeasureContext, ReportType, Subject, ValueColumn } from '../report-type.ts';
import { isListed } from '../select-columns.ts';
import { assigneeSubject, columnOf, statusSubjects, twoLevelColumn } from '../value-columns.ts';
import { type ClockSlots, type CodeSlots, type KernelPlan, ROLE } from './kernel-plan.ts';
import { isRecorded } from './walk-histories.ts';

/** What a kernel is to find out, and what the keys it finds are. */
export interface PlannedKernel {
  readonly plan: Omit<KernelPlan, 'groups'>;
  /** Columns that every issue has, whether with an amount or not. */
  readonly always: readonly ValueColumn[];
  /** The amounts are made of visits. */
  readonly hasVisits: boolean;
  /** The column of a key, called as the codes of the issue that had it first call it. */
  columnOf(key: number, firstStatus: number, firstOther: number): ValueColumn;
  /** The status behind a code. */
  statusOf(code: number): FieldValue;
}

/** What a question is asked of. */
interface PlanSources {
  readonly columns: IssueColumns;
  /** Null: 24/7. */
  readonly calendar: CalendarDefinition | null;
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /** When the first of the issues was created. */
  readonly earliest: Instant;
}

/** How a report type's figures follow from columns; null where they do not, and each issue is to be measured. */
export function planKernel(
  { columns: measure, kind }: Pick<ReportType, 'columns' | 'kind'>,
  context: MeasureContext,
  sources: PlanSources,
): PlannedKernel | null {
  if (measure === undefined) return null;
  const { columns, knownStatuses, calendar, earliest } = sources;
  const statusValues = valuesOf(columns.values('status'));
  const assigneeValues = valuesOf(columns.values('assignee'));
  if (measure.kernel === 'assignee' && creditsOthers(assigneeValues, context)) return null;
  const known = representatives(knownStatuses);
  const withStatus = known.vouched ?? known.stranger;
  const levels = slotsOf(measure, context, { statusValues, assigneeValues, issue: withStatus });
  const { statuses, assignees } = levels;
  const histories = measure.kernel === 'history' ? historySlots(measure, context, columns, known) : [];
  if (histories === null) return null;
  const inner = innerKeys(measure, context, statuses.codes.size);
  const counts =
    measure.kernel === 'transition' || (measure.kernel === 'status' && measure.counts === 'visits');
  return {
    plan: {
      kernel: measure.kernel,
      countsVisits: counts,
      asOf: context.asOf,
      from: context.trim.from ?? Number.NEGATIVE_INFINITY,
      to: context.trim.to ?? Number.POSITIVE_INFINITY,
      calendar: context.calendar.continuous ? null : calendar,
      earliest,
      multiVisitBehavior: context.multiVisitBehavior,
      statuses: statuses.codes,
      assignees: assignees.codes,
      vouched: Uint8Array.from(statusValues, (status) =>
        status !== null && isListed({ ...known.stranger, status }, knownStatuses) ? VOUCHED : STRANGER,
      ),
      counted: Uint8Array.from(statusValues, (status) =>
        status !== null && context.countsStatus(status.id) ? 1 : 0,
      ),
      periods: Float64Array.from([
        ...context.periods.map(({ start }) => start),
        context.periods.at(-1)?.end ?? 0,
      ]),
      clocks: measure.kernel === 'between' ? clocksOf(statusValues, context) : [],
      histories: histories.map(({ field, level, first }) => ({ field, slots: level.codes, first })),
      keys:
        measure.kernel === 'history'
          ? histories.reduce((sum, { level }) => sum + level.codes.size, 0)
          : outerKeys(measure, context, { statuses: statuses.codes.size, assignees: assignees.codes.size }) *
            inner,
      inner,
    },
    always: alwaysMet(measure, context),
    hasVisits: measure.kernel !== 'between',
    statusOf: (code) => statusValues[code] ?? NOWHERE,
    columnOf(key, firstStatus, firstOther) {
      const outer = Math.floor(key / inner);
      const within = key % inner;
      const status = (slot: number) => statuses.subjectAt(firstStatus, slot);
      const person = (slot: number) => assignees.subjectAt(firstOther, slot);
      switch (measure.kernel) {
        case 'status':
          return columnOf(status(key), kind);
        case 'assignee':
          return columnOf(person(key), kind);
        case 'assigneeStatus':
          return twoLevelColumn(...measure.arrange(person(outer), status(within)), kind);
        case 'statusPeriod': {
          const period = context.periods[within] ?? { id: '', title: '' };
          return twoLevelColumn(...measure.arrange(status(outer), period), kind);
        }
        case 'transition':
          return measure.columnOf(statusValues[firstStatus] ?? NOWHERE, statusValues[firstOther] ?? NOWHERE);
        case 'history': {
          const history = histories.findLast(({ first }) => first <= key);
          const level = firstOther === STRANGER ? history?.strangers : history?.level;
          const subject = level?.subjectAt(firstStatus, key - (history?.first ?? 0));
          return columnOf(subject ?? { id: '', title: '' }, kind);
        }
        case 'between':
        case 'age':
          return alwaysMet(measure, context)[key] ?? columnOf({ id: '', title: '' }, kind);
      }
    },
  };
}

/** The values of one history as levels of columns: called as the lists call statuses, and as strangers call them. */
interface HistoryLevels {
  readonly field: string;
  readonly level: LevelSlots;
  readonly strangers: LevelSlots;
  readonly first: number;
}

/**
 * What the values of the histories of a report count for; null where the values of a field are too long to be held. Fails
 * with `MissingColumn` where a history is not held yet.
 */
function historySlots(
  { subjectOf }: Extract<ColumnMeasure, { kernel: 'history' }>,
  context: MeasureContext,
  columns: IssueColumns,
  { vouched, stranger }: ReturnType<typeof representatives>,
): readonly HistoryLevels[] | null {
  const found: HistoryLevels[] = [];
  let first = 0;
  for (const field of context.historyFields) {
    const history = isRecorded(field.id)
      ? { values: columns.values(field.id) }
      : columns.histories.find(field.id);
    if (history === null) {
      if (columns.histories.isTooLong(field.id)) return null;
      throw new MissingColumn(field.id, 'history');
    }
    const values = valuesOf(history.values);
    const levelFor = (issue: Issue) =>
      levelOf(values.length, (code) => {
        const value = values[code] ?? null;
        return value === null && code !== EMPTY ? [] : [subjectOf(issue, field, value, context)];
      });
    const level = levelFor(vouched ?? stranger);
    // Nothing but the name of a status depends on the issue.
    const strangers = field.id === 'status' && vouched !== null ? levelFor(stranger) : level;
    found.push({ field: field.id, level, strangers, first });
    first += level.codes.size;
  }
  return found;
}

/** Values of `KernelPlan.vouched`. */
export const STRANGER = 1;
export const VOUCHED = 2;

const NOWHERE: FieldValue = { id: '', name: '' };

/** What is behind each code of a field with single values; null where that is no value. */
function valuesOf(codes: ValueCodes): (FieldValue | null)[] {
  return Array.from({ length: codes.size }, (_, code) => valueIn(codes.at(code)));
}

function valueIn(content: FieldContent | undefined): FieldValue | null {
  return content !== null && typeof content === 'object' && 'id' in content ? content : null;
}

/** Whether somebody's time is credited to others: that is cut by instants that no column has. */
function creditsOthers(people: readonly (FieldValue | null)[], { delegateTimes }: MeasureContext): boolean {
  return people.some((person) => person !== null && delegateTimes(person.id).length > 0);
}

/** Issues of which nothing matters but whether the known statuses speak of their site. */
function representatives(known: ReadonlyMap<string, Status>): { stranger: Issue; vouched: Issue | null } {
  const stranger: Issue = {
    key: '',
    project: NOWHERE,
    summary: '',
    created: 0,
    updated: 0,
    resolved: null,
    status: NOWHERE,
    assignee: null,
    fields: {},
    changes: [],
    history: { complete: true },
  };
  for (const { id, name, unlisted } of known.values()) {
    if (unlisted !== true) return { stranger, vouched: { ...stranger, status: { id, name } } };
  }
  return { stranger, vouched: null };
}

/** What the codes of a field count for, and the subject a slot is, as a code of it calls it. */
interface LevelSlots {
  readonly codes: CodeSlots;
  subjectAt(code: number, slot: number): Subject;
}

function slotsOf(
  measure: ColumnMeasure,
  context: MeasureContext,
  {
    statusValues,
    assigneeValues,
    issue,
  }: {
    readonly statusValues: readonly (FieldValue | null)[];
    readonly assigneeValues: readonly (FieldValue | null)[];
    readonly issue: Issue;
  },
): { readonly statuses: LevelSlots; readonly assignees: LevelSlots } {
  const { kernel } = measure;
  const statusesOf = (code: number): readonly Subject[] => {
    const value = statusValues[code] ?? null;
    if (value === null) return [];
    const subjects = statusSubjects(issue, value, context);
    return kernel === 'transition' ? subjects.slice(0, 1) : subjects;
  };
  const peopleOf = (code: number): readonly Subject[] => {
    const value = assigneeValues[code] ?? null;
    if (value === null && code !== EMPTY) return [];
    return kernel === 'assignee' ? measure.subjectsOf(value, context) : [assigneeSubject(value, context)];
  };
  const hasStatuses = !['assignee', 'between', 'age', 'history'].includes(kernel);
  const hasPeople = kernel === 'assignee' || kernel === 'assigneeStatus';
  return {
    statuses: levelOf(hasStatuses ? statusValues.length : 0, statusesOf),
    assignees: levelOf(hasPeople ? assigneeValues.length : 0, peopleOf),
  };
}

function levelOf(size: number, subjectsOf: (code: number) => readonly Subject[]): LevelSlots {
  const byId = new Map<string, number>();
  const at = new Uint32Array(size + 1);
  const slots: number[] = [];
  // Every column that is about them is called as they are.
  const subjects = Array.from({ length: size }, (_, code) => subjectsOf(code));
  for (const [code, own] of subjects.entries()) {
    for (const { id } of own) {
      const slot = byId.get(id) ?? byId.size;
      byId.set(id, slot);
      slots.push(slot);
    }
    at[code + 1] = slots.length;
  }
  const ids = [...byId.keys()];
  return {
    codes: { at, slots: Uint32Array.from(slots), size: ids.length },
    subjectAt(code, slot) {
      const id = ids[slot] ?? '';
      const own = subjects[code] ?? [];
      const first = own[0];
      return (first?.id === id ? first : own.find((one) => one.id === id)) ?? { id, title: id };
    },
  };
}

function outerKeys(
  { kernel }: ColumnMeasure,
  { metrics }: MeasureContext,
  { statuses, assignees }: { readonly statuses: number; readonly assignees: number },
): number {
  if (kernel === 'between') return metrics.length;
  if (kernel === 'age') return 1;
  return kernel === 'assignee' || kernel === 'assigneeStatus' ? assignees : statuses;
}

function innerKeys({ kernel }: ColumnMeasure, { periods }: MeasureContext, statuses: number): number {
  if (kernel === 'statusPeriod') return Math.max(1, periods.length);
  return kernel === 'assigneeStatus' || kernel === 'transition' ? Math.max(1, statuses) : 1;
}

function clocksOf(statuses: readonly (FieldValue | null)[], { metrics }: MeasureContext): ClockSlots[] {
  return metrics.map(({ from, to, pausedIn }) => {
    const [starting, stopping, pausing] = [new Set(from.statuses), new Set(to.statuses), new Set(pausedIn)];
    const roleOf = (id: string) =>
      (starting.has(id) ? ROLE.from : 0) |
      (stopping.has(id) ? ROLE.to : 0) |
      (pausing.has(id) ? ROLE.paused : 0);
    return {
      roles: Uint8Array.from(statuses, (status) => (status === null ? 0 : roleOf(status.id))),
      from: from.statuses.length === 0 ? 'creation' : from.visit,
      to: to.visit,
    };
  });
}

function alwaysMet(measure: ColumnMeasure, { metrics }: MeasureContext): readonly ValueColumn[] {
  if (measure.kernel === 'age') return [measure.column];
  if (measure.kernel !== 'between') return [];
  return metrics.map(({ name }) => columnOf({ id: name, title: name }, 'duration'));
}
