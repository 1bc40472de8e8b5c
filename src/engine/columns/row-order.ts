import type { Instant } from '../../model/issue.ts';
import { type Codes, type ColumnArrays, codeThen, IRREGULAR, rowFlag } from './column-arrays.ts';
import { type FinishStatuses, finishedAt, NEEDS_ISSUE } from './flow-rows.ts';
import type { IssueColumns } from './issue-columns.ts';
import { LAST } from './sort-rows.ts';
import { NOT_HELD } from './text-column.ts';
import { ABSENT } from './value-codes.ts';

/**
 * An order of rows as plain data, so that a worker can have it: one thing decides after the other. A place is a number;
 * what is empty has `LAST`, so that it comes last ascending and first descending.
 */
export interface RowOrder {
  readonly steps: readonly RowStep[];
  /** Rows, which ascend, whose places only their loaded issues show, and these places by step. */
  readonly loaded: { readonly rows: Uint32Array; readonly places: readonly LoadedPlaces[] };
}

/** Places of rows; of texts what they are compared by, in small letters. */
export type LoadedPlaces = Float64Array | readonly (string | null)[];

/** One thing that decides. */
export type RowStep = { readonly descends: boolean } & (
  | {
      readonly kind: 'code';
      readonly field: string;
      /** By code of what the field held then. */
      readonly places: Float64Array;
      /** The field never changes. */
      readonly always: boolean;
    }
  /** Places by code of the key's project. */
  | { readonly kind: 'project'; readonly places: Float64Array }
  | { readonly kind: 'number' }
  | { readonly kind: 'instant'; readonly column: 'created' | 'updated' | 'resolved' }
  | { readonly kind: 'finished'; readonly statuses: FinishStatuses }
  /** Texts of a field, whatever their case. */
  | { readonly kind: 'text'; readonly field: string }
  /** No column has it. */
  | { readonly kind: 'ask' }
);

/** Rows looked at in one step of a generator: less than a millisecond. */
const ROWS_AT_ONCE = 32_768;

/**
 * The rows, in their order, whose places only their issues show; they have to be among `loaded` before rows are ordered. Each
 * step is short.
 */
export function* rowsToLoad(
  { steps }: Pick<RowOrder, 'steps'>,
  columns: IssueColumns,
  rows: Uint32Array,
  asOf: Instant,
): Generator<void, Uint32Array> {
  const none = new Uint32Array();
  const isUncertain = yield* uncertainRows(steps, columns, asOf);
  const some = isUncertain === null ? none : yield* rowsWith(isUncertain, rows);
  const arrays = columns.arrays();
  const isNeeded = new Uint8Array(arrays.rows);
  let isAny = false;
  for (const step of steps) {
    const suspects = isCertain(step, columns) ? some : rows;
    for (let start = 0; start < suspects.length; start += ROWS_AT_ONCE) {
      const block = suspects.subarray(start, start + ROWS_AT_ONCE);
      isAny = markNeeded(step, block, isNeeded, { columns: arrays, asOf }) || isAny;
      yield;
    }
  }
  return isAny ? yield* rowsWith(isNeeded, rows) : none;
}

/** Returns true where columns are known to be the same as of an instant as they are now, whatever rows are read. */
export function isUnchangedSince(columns: IssueColumns, asOf: Instant): boolean {
  const known = unusualRows.get(columns);
  return known?.version === columns.version && known.latest <= asOf;
}

function* rowsWith(isMarked: Uint8Array, rows: Uint32Array): Generator<void, Uint32Array> {
  const found: number[] = [];
  for (let i = 0; i < rows.length; i += 1) {
    if (i % ROWS_AT_ONCE === 0) yield;
    const row = rows[i];
    if (isMarked[row] === 1) found.push(row);
  }
  return Uint32Array.from(found);
}

/** Facts of a version of columns that are needed before anything is read from them as of now. */
interface UnusualRows {
  readonly version: number;
  /** When the last of the issues was updated. */
  readonly latest: Instant;
  /** Rows that columns do not have the whole issue of, and those with a key of another form. */
  readonly rows: readonly number[];
  /** The rows whose text columns do not have, by field. */
  readonly texts: Map<string, readonly number[]>;
}

const unusualRows = new WeakMap<IssueColumns, UnusualRows>();

function* findUnusual(columns: IssueColumns): Generator<void, UnusualRows> {
  const { version } = columns;
  const known = unusualRows.get(columns);
  if (known?.version === version) return known;
  const { flags, project, updated, ownUpdate } = columns.arrays();
  let latest = Number.NEGATIVE_INFINITY;
  const rows = yield* livingRows(columns, (row) => {
    latest = Math.max(latest, updated[row], ownUpdate[row]);
    return (flags[row] & rowFlag.odd) !== 0 || project[row] === IRREGULAR;
  });
  const found = { version, latest, rows, texts: new Map() };
  if (columns.version === version) unusualRows.set(columns, found);
  return found;
}

/** The rows with an issue that are such ones. */
function* livingRows(
  columns: IssueColumns,
  isSuch: (row: number) => boolean,
): Generator<void, readonly number[]> {
  const { rows: end, flags } = columns.arrays();
  const found: number[] = [];
  for (let row = 0; row < end; row += 1) {
    if (row % ROWS_AT_ONCE === 0) yield;
    if ((flags[row] & rowFlag.dead) === 0 && isSuch(row)) found.push(row);
  }
  return found;
}

/** Marks with 1 the rows of which columns may not show everything as of an instant; null where there are none. */
function* uncertainRows(
  steps: readonly RowStep[],
  columns: IssueColumns,
  asOf: Instant,
): Generator<void, Uint8Array | null> {
  const { latest, rows, texts } = yield* findUnusual(columns);
  const unusual = [rows];
  for (const step of steps) {
    if (step.kind !== 'text') continue;
    const sizes = columns.arrays().texts[step.field]?.size;
    const known = texts.get(step.field) ?? (yield* livingRows(columns, (row) => sizes?.[row] === NOT_HELD));
    // The texts of a field may be read while its column has none of them yet.
    if (sizes !== undefined) texts.set(step.field, known);
    unusual.push(known);
  }
  if (latest <= asOf && unusual.every(({ length }) => length === 0)) return null;
  const { rows: end, updated, ownUpdate } = columns.arrays();
  const isUncertain = new Uint8Array(end);
  for (const some of unusual) for (const row of some) isUncertain[row] = 1;
  for (let row = 0; latest > asOf && row < end; row += 1) {
    if (row % ROWS_AT_ONCE === 0) yield;
    if (updated[row] > asOf || ownUpdate[row] > asOf) isUncertain[row] = 1;
  }
  return isUncertain;
}

/** Returns true where columns say the place of every row but the uncertain ones: their codes are no later than the places are. */
function isCertain(step: RowStep, columns: IssueColumns): boolean {
  switch (step.kind) {
    case 'code':
      return columns.hasField(step.field) && columns.values(step.field).size <= step.places.length;
    case 'project':
      return columns.projectKeys.length <= step.places.length;
    case 'text':
      return columns.hasTexts(step.field);
    case 'number':
    case 'instant':
      return true;
    default:
      return false;
  }
}

/** Marks with 1 the rows whose places by a step only their issues show; false where there are none. */
function markNeeded(
  step: RowStep,
  rows: Uint32Array,
  isNeeded: Uint8Array,
  context: { readonly columns: ColumnArrays; readonly asOf: Instant },
): boolean {
  const places = new Float64Array(rows.length);
  writePlaces(step, rows, places, { ...context, isNow: false });
  let isAny = false;
  for (let i = 0; i < rows.length; i += 1) {
    if (!Number.isNaN(places[i])) continue;
    isNeeded[rows[i]] = 1;
    isAny = true;
  }
  return isAny;
}

/** Writes the places of some rows by one step (of texts 0), NaN where only the issue shows it. `isNow`: no row has changed since. */
export function writePlaces(
  step: RowStep,
  rows: Uint32Array,
  found: Float64Array,
  {
    columns,
    asOf,
    isNow,
  }: { readonly columns: ColumnArrays; readonly asOf: Instant; readonly isNow: boolean },
): void {
  const { project, number, flags, updated } = columns;
  /** Returns true where fields hold in a row what they held then. */
  const isAsThen = (row: number) => isNow || ((flags[row] & rowFlag.odd) === 0 && updated[row] <= asOf);
  switch (step.kind) {
    case 'ask':
      found.fill(Number.NaN, 0, rows.length);
      return;
    case 'text': {
      const sizes = columns.texts[step.field]?.size;
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i];
        found[i] = isAsThen(row) && (sizes?.[row] ?? NOT_HELD) !== NOT_HELD ? 0 : Number.NaN;
      }
      return;
    }
    case 'project':
      for (let i = 0; i < rows.length; i += 1)
        found[i] = step.places[project[rows[i]] ?? IRREGULAR] ?? Number.NaN;
      return;
    case 'number':
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i];
        found[i] = project[row] === IRREGULAR ? Number.NaN : number[row];
      }
      return;
    case 'instant': {
      const instants = instantsOf(columns, step.column);
      const isResolution = step.column === 'resolved';
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i];
        const at = instants[row] ?? Number.NaN;
        if (isResolution && !isNow && updated[row] > asOf) found[i] = Number.NaN;
        else found[i] = at <= asOf ? at : isResolution ? LAST : Number.NaN;
      }
      return;
    }
    case 'finished':
      for (let i = 0; i < rows.length; i += 1) {
        const at = finishedAt(columns, rows[i], step.statuses, asOf);
        found[i] = at === NEEDS_ISSUE ? Number.NaN : Number.isNaN(at) ? LAST : at;
      }
      return;
    case 'code': {
      const { field, places, always } = step;
      const codes = columns.fields[field];
      const of = field === 'status' || field === 'assignee' ? field : null;
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i];
        if (isNow || always || isAsThen(row)) found[i] = places[codes?.[row] ?? ABSENT] ?? Number.NaN;
        else if (of === null || (flags[row] & (rowFlag.odd | rowFlag.cut)) !== 0) found[i] = Number.NaN;
        else found[i] = places[codeThen(columns, of, row, asOf)] ?? Number.NaN;
      }
      return;
    }
  }
}

/** Returns the column of a date: epoch ms by row, NaN where an issue is not resolved. */
export function instantsOf(columns: ColumnArrays, column: 'created' | 'updated' | 'resolved'): Float64Array {
  return column === 'updated' ? columns.ownUpdate : columns[column];
}

/** Codes of a field by row, and places by code. */
interface CodedPlaces {
  readonly codes: Codes;
  readonly places: Float64Array;
}

/** Returns what a step orders rows by as they are now; null where that is not a field's codes. */
export function codedPlaces(step: RowStep | undefined, { fields }: ColumnArrays): CodedPlaces | null {
  if (step?.kind !== 'code') return null;
  const codes = fields[step.field];
  return codes === undefined ? null : { codes, places: step.places };
}
