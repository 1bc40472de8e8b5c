import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { type ColumnArrays, rowFlag } from '../../engine/columns/column-arrays.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { isVisible, sees, type Visibility } from '../../engine/columns/visibility.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { Issue } from '../../model/issue.ts';

/** Read at a time, some tens of milliseconds. */
export const LOADED_AT_ONCE = 500;

/** Rows whose issues columns cannot speak for, in one version of these. */
export interface OddRows {
  readonly version: number;
  readonly rows: ReadonlySet<number>;
}

/** Rows that are decided one by one. */
export interface SingleRows {
  /** Rows of which columns do not say whose they are, and the issue itself does: it can be seen. */
  readonly odd: ReadonlySet<number>;
  readonly restricted: readonly number[];
  /** Rows that can be seen and whose mentions their class does not know. */
  readonly others: readonly number[];
}

/** The rows to be decided one by one; those that were not written to since they were found last are as they were. */
export async function singleRows(
  table: IssueTable,
  compiled: Visibility,
  {
    single,
    since,
    oddRows,
    maySee,
  }: {
    readonly single: SingleRows | undefined;
    readonly since: number;
    readonly oddRows: ReadonlySet<number>;
    readonly maySee: (issue: Issue) => boolean;
  },
): Promise<SingleRows> {
  const { columns } = table;
  const { classes, all } = compiled;
  const written = single === undefined ? null : columns.writtenSince(since);
  if (single !== undefined && written?.size === 0) return single;
  // If columns cannot show whether an issue is visible to its own people, the issue itself does.
  const hasOwn = classes.includes(sees.own);
  const odd = new Set(written === null ? [] : single?.odd);
  const inDoubt = hasOwn ? [...oddRows].filter((row) => written === null || written.has(row)) : [];
  for (const row of written ?? []) odd.delete(row);
  for (const [row, isSeen] of await readRows(table, inDoubt, maySee)) if (isSeen) odd.add(row);
  const visibility = withSingles(compiled, odd);
  const arrays = columns.arrays();
  const { accessClass } = arrays;
  const restricted = new Set<number>();
  const others = new Set<number>();
  if (single !== undefined && written !== null) {
    for (const row of single.restricted) if (!written.has(row)) restricted.add(row);
    for (const row of single.others) if (!written.has(row)) others.add(row);
  }
  const candidates = written ?? [
    ...(hasOwn ? ownRows(arrays, visibility) : []),
    ...visibility.singles,
    ...oddRows,
  ];
  for (const row of candidates) {
    if (!isVisible(arrays, row, visibility)) continue;
    const isWhole = all || classes[accessClass[row] ?? 0] === sees.everything;
    if (!isWhole) restricted.add(row);
    if (!isWhole || oddRows.has(row)) others.add(row);
  }
  const rows = [...restricted].sort((a, b) => a - b);
  const isSame =
    rows.length === single?.restricted.length && rows.every((row, i) => row === single.restricted[i]);
  return { odd, restricted: isSame ? single.restricted : rows, others: [...others].sort((a, b) => a - b) };
}

/** Rows of the principal's own issues, in the classes whose other issues are closed to them. */
function ownRows(
  { rows, accessClass, fields: { reporter, assignee } }: ColumnArrays,
  { classes, reporters, assignees }: Visibility,
): readonly number[] {
  const found: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    if (classes[accessClass[row] ?? 0] !== sees.own) continue;
    if (reporters.has(reporter?.[row] ?? 0) || assignees.has(assignee?.[row] ?? 0)) found.push(row);
  }
  return found;
}

export function withSingles(visibility: Visibility, more: ReadonlySet<number>): Visibility {
  return more.size === 0 ? visibility : { ...visibility, singles: new Set([...visibility.singles, ...more]) };
}

/** Rows whose issues columns cannot speak for, now; `known` were those of an earlier version. */
export function oddRowsOf({ columns }: IssueTable, known: OddRows | null): OddRows {
  const { version } = columns;
  if (known?.version === version) return known;
  const { flags, rows } = columns.arrays();
  const written = known === null ? null : columns.writtenSince(known.version);
  const isOdd = (row: number) => ((flags[row] ?? 0) & (rowFlag.odd | rowFlag.dead)) === rowFlag.odd;
  if (known !== null && written !== null) {
    if (!written.values().some((row) => known.rows.has(row) || isOdd(row))) return { ...known, version };
    const others = [...known.rows].filter((row) => !written.has(row));
    return { version, rows: new Set([...others, ...[...written].filter(isOdd)]) };
  }
  const odd = new Set<number>();
  for (let row = 0; row < rows; row += 1) if (isOdd(row)) odd.add(row);
  return { version, rows: odd };
}

/**
 * Those of some rows in restricted classes, found in a version of the columns, that are in one still, and can still be seen:
 * while a question is answered an issue may come into a class that is open as a whole, whose rows are listed anyway.
 */
export function stillRestricted(
  columns: IssueColumns,
  visibility: Visibility,
  { version, rows }: { readonly version: number; readonly rows: readonly number[] },
): () => readonly number[] {
  let found = { version, rows };
  return () => {
    if (found.version === columns.version) return found.rows;
    const arrays = columns.arrays();
    const isOpen = (row: number) =>
      visibility.all || visibility.classes[arrays.accessClass[row] ?? 0] === sees.everything;
    const now = rows.filter((row) => !isOpen(row) && isVisible(arrays, row, visibility));
    found = { version: columns.version, rows: now.length === rows.length ? rows : now };
    return found.rows;
  };
}

/** The values that `make` returns for the issues of some rows that are still there, read a slice at a time. */
export async function readRows<Made>(
  table: IssueTable,
  rows: readonly number[],
  make: (issue: Issue) => Made,
): Promise<readonly (readonly [row: number, made: Made])[]> {
  const read: [number, Made][] = [];
  for (let start = 0; start < rows.length; start += LOADED_AT_ONCE) {
    if (start > 0) await yieldToOthers();
    const slice = rows.slice(start, start + LOADED_AT_ONCE);
    for (const [i, issue] of (await table.load(slice)).entries()) {
      if (issue !== null) read.push([slice[i] ?? 0, make(issue)]);
    }
  }
  return read;
}
