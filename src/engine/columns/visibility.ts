import { type ColumnArrays, rowFlag, shared } from './column-arrays.ts';
import type { IssueColumns } from './issue-columns.ts';

/** The issues of an access class that a principal can see. */
export const sees = {
  nothing: 0,
  everything: 1,
  /** Those the principal reported, or that are assigned to the principal. */
  own: 2,
} as const;

/** The issues that a principal can see, compiled for the columns as they are. */
export interface Visibility {
  /** One of `sees` by access class. */
  readonly classes: Uint8Array;
  /** Rows that can be seen whatever their class says. */
  readonly singles: ReadonlySet<number>;
  /** Codes of the principal among reporters and assignees. */
  readonly reporters: ReadonlySet<number>;
  readonly assignees: ReadonlySet<number>;
  /** Whose own issues are seen in classes that are not seen as a whole; null where there are none of these. */
  readonly account: string | null;
  /** No issue is closed. */
  readonly all: boolean;
  /** The same text for all who see the same of these columns, whatever is put into them. */
  readonly key: string;
}

/** Returns true where the issue in a row can be seen; never one that is gone. `columns`: as they are at this moment. */
export function isVisible(
  { flags, accessClass, fields }: Pick<ColumnArrays, 'flags' | 'accessClass' | 'fields'>,
  row: number,
  visibility: Visibility,
): boolean {
  if ((flags[row] & rowFlag.dead) !== 0) return false;
  if (visibility.all) return true;
  const seen = visibility.classes[accessClass[row]] ?? sees.nothing;
  if (seen === sees.everything || visibility.singles.has(row)) return true;
  if (seen === sees.nothing) return false;
  return (
    visibility.reporters.has(fields.reporter?.[row] ?? 0) ||
    visibility.assignees.has(fields.assignee?.[row] ?? 0)
  );
}

/** All lists together take at most this many bytes; the list used last stays whatever it takes. */
const MAX_BYTES = 64 * 2 ** 20;

/** If more rows were written to, making the list again is no more work than moving them. */
const MAX_MOVED = 1_000;

/** Rows of whole classes, or `of` such a list and some more rows. */
type RowList =
  | { readonly version: number; readonly rows: Uint32Array }
  | { readonly of: Uint32Array; readonly more: readonly number[]; readonly rows: Uint32Array };

/**
 * The rows that principals see of some columns, the issue created last being the first: one list for all who see the same
 * classes and no more rows. After a change only the rows that were written to are looked at again, and a list that stays the
 * same is the very same array.
 */
export class RowLists {
  readonly #columns: IssueColumns;
  readonly #maxBytes: number;
  /** By key, the one used last being the last. */
  readonly #lists = new Map<string, RowList>();
  #bytes = 0;

  constructor(columns: IssueColumns, maxBytes = MAX_BYTES) {
    this.#columns = columns;
    this.#maxBytes = maxBytes;
  }

  /** The number of bytes that the lists take. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The rows that can be seen now, of all projects or of one (its key, upper case); `more` are those of them whose classes
   * cannot be seen as a whole.
   */
  rowsOf(visibility: Visibility, more: readonly number[], project: string | null = null): Uint32Array {
    const open = this.#openRows(visibility, project);
    if (more.length === 0) return open;
    // Lists of a project are as good as made.
    if (project !== null) return withRows(open, more, this.#columns);
    const known = this.#lists.get(visibility.key);
    const isSame = known !== undefined && 'of' in known && known.of === open && known.more === more;
    const rows = isSame ? known.rows : withRows(open, more, this.#columns);
    return this.#cache(visibility.key, { of: open, more, rows });
  }

  /** The rows of the classes that can be seen as a whole. */
  #openRows({ classes: seen, all }: Visibility, project: string | null): Uint32Array {
    const columns = this.#columns;
    const open = columns.classes.all.map(
      ({ issues, projectKey }, code) =>
        (issues === 0 || all || seen[code] === sees.everything) &&
        (project === null || projectKey.toUpperCase() === project),
    );
    const isAll = !open.includes(false);
    const key = isAll ? '' : open.map(Number).join('');
    const known = this.#lists.get(key);
    const isOpen = (row: number) => open[columns.arrays().accessClass[row]] === true;
    const written = known !== undefined && 'version' in known ? columns.writtenSince(known.version) : null;
    const rows =
      known === undefined || written === null || written.size > MAX_MOVED
        ? livingRows(columns, isAll ? null : open)
        : withWritten(known.rows, written, { columns, isOpen });
    return this.#cache(key, { version: columns.version, rows });
  }

  #cache(key: string, list: RowList): Uint32Array {
    this.#drop(key);
    this.#lists.set(key, list);
    this.#bytes += list.rows.byteLength;
    for (const other of this.#lists.keys()) {
      if (this.#bytes <= this.#maxBytes || other === key) break;
      this.#drop(other);
    }
    return list.rows;
  }

  #drop(key: string): void {
    this.#bytes -= this.#lists.get(key)?.rows.byteLength ?? 0;
    this.#lists.delete(key);
  }
}

/** All rows with an issue, or those of open classes; in memory that threads share. */
function livingRows(columns: IssueColumns, open: readonly boolean[] | null): Uint32Array {
  const all = columns.rowsByCreation();
  const { classes } = columns;
  const { accessClass } = columns.arrays();
  const count = classes.all.reduce(
    (sum, { issues }, code) => (open?.[code] === false ? sum : sum + issues),
    0,
  );
  const rows = shared(Uint32Array, count);
  if (open === null) {
    rows.set(all);
    return rows.reverse();
  }
  const isOpen = Uint8Array.from(open, Number);
  let next = count;
  for (let i = 0; i < all.length; i += 1) {
    const row = all[i];
    if (isOpen[accessClass[row]] === 1) rows[--next] = row;
  }
  return rows;
}

/** A row and the index at which it is in a list, or would be. */
interface Place {
  readonly row: number;
  readonly index: number;
}

/** The list with some more rows, none of which is in it. */
function withRows(rows: Uint32Array, more: readonly number[], columns: IssueColumns): Uint32Array {
  return spliced(
    rows,
    { left: [], added: more.map((row) => ({ row, index: indexIn(rows, row, columns) })) },
    columns,
  );
}

/** The list after some rows were written to, the same one where that changes nothing. */
function withWritten(
  rows: Uint32Array,
  written: ReadonlySet<number>,
  { columns, isOpen }: { readonly columns: IssueColumns; readonly isOpen: (row: number) => boolean },
): Uint32Array {
  const { flags } = columns.arrays();
  const isGone = (row: number) => (flags[row] & rowFlag.dead) !== 0;
  // The key of an issue that is gone is not known anymore: it is looked for in the list.
  const gone = new Set([...written].filter(isGone));
  const goneAt = new Map<number, number>();
  for (let i = 0; gone.size > 0 && i < rows.length; i += 1) {
    const row = rows[i];
    if (gone.delete(row)) goneAt.set(row, i);
  }
  const left: number[] = [];
  const added: Place[] = [];
  for (const row of written) {
    const isDead = isGone(row);
    const index = isDead ? (goneAt.get(row) ?? -1) : indexIn(rows, row, columns);
    const wasIn = index >= 0 && rows[index] === row;
    const isIn = !isDead && isOpen(row);
    if (wasIn && !isIn) left.push(index);
    if (isIn && !wasIn) added.push({ row, index });
  }
  return left.length + added.length === 0 ? rows : spliced(rows, { left, added }, columns);
}

/** The list without the rows at the indexes `left`, and with those `added`. */
function spliced(
  rows: Uint32Array,
  { left, added }: { readonly left: readonly number[]; readonly added: readonly Place[] },
  columns: IssueColumns,
): Uint32Array {
  const next = shared(Uint32Array, rows.length - left.length + added.length);
  const gaps = left.toSorted((a, b) => a - b).values();
  let gap = gaps.next().value ?? rows.length;
  let [read, write] = [0, 0];
  const copyUntil = (end: number) => {
    while (read < end) {
      const until = Math.min(end, gap);
      next.set(rows.subarray(read, until), write);
      write += until - read;
      read = until;
      if (read < gap) continue;
      read += 1;
      gap = gaps.next().value ?? rows.length;
    }
  };
  for (const { row, index } of added.toSorted((a, b) => columns.compareByCreation(b.row, a.row))) {
    copyUntil(index);
    next[write++] = row;
  }
  copyUntil(rows.length);
  return next;
}

/** The place of a row, or where it would be. A row never changes its place: an issue created at another time gets another one. */
function indexIn(rows: Uint32Array, row: number, columns: IssueColumns): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns.compareByCreation(rows[middle], row) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
