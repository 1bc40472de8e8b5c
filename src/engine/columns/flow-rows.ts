import { type Flows, type WorkKind, workKinds } from '../../model/flow.ts';
import type { Instant } from '../../model/issue.ts';
import {
  type ColumnArrays,
  historyColumns,
  IRREGULAR,
  lastBegun,
  rowFlag,
  speaksThen,
} from './column-arrays.ts';
import type { IssueColumns } from './issue-columns.ts';
import { valuesOf } from './value-codes.ts';

/** The kinds of work as numbers: the place of each in `workKinds`. */
export const kindCode = { queue: 0, active: 1, waiting: 2, done: 3, unknown: 4 } as const satisfies Readonly<
  Record<WorkKind, number>
>;

/** Returns true for an issue that is started and not done. */
export const isStartedCode = (kind: number) => kind === kindCode.active || kind === kindCode.waiting;

/** The number of kinds. */
export const KINDS = workKinds.length;

/** The flow of each row, over plain data that threads can have. */
export interface FlowRows {
  /** The flow by project × `types` + type of issue. The first one is that of rows whose project is not known. */
  readonly flows: Uint16Array;
  /** By the same index: 1 where the issue is work of that flow. */
  readonly counts: Uint8Array;
  /** The number of codes of types; 1 where no flow depends on the type. */
  readonly types: number;
  /** By flow: 1 where its clock pauses. */
  readonly pauses: Uint8Array;
  /** By flow: 1 for each code of a resolution with which a finish does not count. Null where no flow has any. */
  readonly dropped: readonly Uint8Array[] | null;
}

/** Lays out flows over the projects, types and resolutions of columns. */
export function flowRows(flows: Flows, columns: IssueColumns): FlowRows {
  const types = flows.byType ? valuesOf(columns.values('issuetype')) : [null];
  const projects = columns.projectKeys;
  const all = Array.from(projects, (project) =>
    types.map((type) => flows.of(project.toUpperCase(), type)),
  ).flat();
  return {
    flows: Uint16Array.from(all, ({ index }) => index),
    counts: Uint8Array.from(all, ({ counts }) => Number(counts)),
    types: types.length,
    pauses: Uint8Array.from(flows.all, ({ pauses }) => Number(pauses)),
    dropped: flows.byResolution
      ? flows.all.map(({ countsFinish }) =>
          Uint8Array.from(valuesOf(columns.values('resolution')), (value) => Number(!countsFinish(value))),
        )
      : null,
  };
}

/** The index of a row in `FlowRows`; -1 where its project is not known. */
export function flowIndex({ project, fields }: ColumnArrays, { types }: FlowRows, row: number): number {
  const code = project[row];
  if (code === IRREGULAR) return -1;
  return types === 1 ? code : code * types + (fields.issuetype?.[row] ?? 0);
}

/** The flow of a row at an instant depends on the type that its issue had then, and columns have that of now alone. */
export function needsTypeThen(
  { updated }: ColumnArrays,
  { types }: FlowRows,
  row: number,
  asOf: Instant,
): boolean {
  return types > 1 && updated[row] > asOf;
}

/** A finish of the row's issue, as its resolution is now, counts as finished work. */
export function countsFinish(
  { fields }: ColumnArrays,
  { dropped }: FlowRows,
  row: number,
  flow: number,
): boolean {
  return dropped === null || dropped[flow]?.[fields.resolution?.[row] ?? 0] !== 1;
}

/** The statuses by code of `values('status')`. A code beyond the end is one that came later. */
export interface FinishStatuses {
  /** By flow, values of `kindCode`. */
  readonly kinds: readonly Uint8Array[];
  readonly flows: FlowRows;
  /** The same number for codes of one status, whatever it was called at the time. */
  readonly slots: Uint16Array;
}

/** Only the issue itself shows whether and when it was finished. */
export const NEEDS_ISSUE = Number.NEGATIVE_INFINITY;

/**
 * When the issue of a row was finished as of an instant at which it existed: when it last left a status that is not done.
 * NaN where it was not, was created as done, or does not count as finished work; `NEEDS_ISSUE` where columns cannot show it.
 */
export function finishedAt(
  columns: ColumnArrays,
  row: number,
  { kinds: kindsOf, slots, flows }: FinishStatuses,
  asOf: Instant,
): number {
  if (needsTypeThen(columns, flows, row, asOf)) return NEEDS_ISSUE;
  const index = flowIndex(columns, flows, row);
  if (index >= 0 && flows.counts[index] !== 1) return Number.NaN;
  const flow = index < 0 ? 0 : flows.flows[index];
  const kinds = kindsOf[flow] ?? slots;
  const isDone = (code: number) => kinds[code] === kindCode.done;
  const isUnknown = (code: number) => (kinds[code] ?? kindCode.unknown) === kindCode.unknown;
  const flags = columns.flags[row];
  const updated = columns.updated[row];
  if (!speaksThen(flags, updated, asOf)) return NEEDS_ISSUE;
  const { at, count, starts, codes, mask } = historyColumns(columns, 'status');
  const first = at[row];
  const codeOf = (visit: number) => codes[visit] & mask;
  let visit = lastBegun(starts, first, first + count[row], asOf);
  const own = codeOf(visit);
  // After its last update the tracker shows where the issue is, whatever its history says.
  const shown = updated <= asOf ? (columns.fields.status?.[row] ?? 0) : own;
  if (!isDone(shown) && !isUnknown(shown)) return Number.NaN;
  const isWhole = (flags & rowFlag.cut) === 0 && isDone(shown);
  if (!isWhole || slots[own] !== slots[shown]) return NEEDS_ISSUE;
  // Columns have the resolution of now alone.
  if (flows.dropped !== null && updated > asOf) return NEEDS_ISSUE;
  if (!countsFinish(columns, flows, row, flow)) return Number.NaN;
  while (visit >= first && isDone(codeOf(visit))) visit -= 1;
  if (visit < first) return Number.NaN;
  return isUnknown(codeOf(visit)) ? NEEDS_ISSUE : starts[visit + 1];
}
