import type { Instant } from '../model/issue.ts';
import { type ColumnArrays, rowFlag } from './column-arrays.ts';
import type { IssueColumns } from './issue-columns.ts';

/** What a principal may see of the issues of an access class. */
export const sees = {
  nothing: 0,
  everything: 1,
  /** Those the principal reported, or that are assigned to the principal. */
  own: 2,
} as const;

/** What a principal may see, compiled for the columns as they are. */
export interface Visibility {
  /** One of `sees` by access class. */
  readonly classes: Uint8Array;
  /** Rows that can be seen whatever their class says. */
  readonly singles: ReadonlySet<number>;
  /** Codes of the principal among reporters and assignees. */
  readonly reporters: ReadonlySet<number>;
  readonly assignees: ReadonlySet<number>;
  /** No issue is closed. */
  readonly all: boolean;
  /** The same text for all who see the same of these columns, whatever is put into them. */
  readonly key: string;
}

/** Whether the issue in a row can be seen; never one that is gone. `columns`: as they are at this moment. */
export function isVisible(
  { flags, accessClass, fields }: Pick<ColumnArrays, 'flags' | 'accessClass' | 'fields'>,
  row: number,
  visibility: Visibility,
): boolean {
  if (((flags[row] ?? 0) & rowFlag.dead) !== 0) return false;
  if (visibility.all) return true;
  const seen = visibility.classes[accessClass[row] ?? 0] ?? sees.nothing;
  if (seen === sees.everything || visibility.singles.has(row)) return true;
  if (seen === sees.nothing) return false;
  return (
    visibility.reporters.has(fields.reporter?.[row] ?? 0) ||
    visibility.assignees.has(fields.assignee?.[row] ?? 0)
  );
}

/** The rows a principal may see of issues that existed at an instant, the issue created last being the first. */
export function visibleRows(columns: IssueColumns, visibility: Visibility, asOf: Instant): Uint32Array {
  const all = columns.rowsByCreation();
  const { created, accessClass, fields } = columns.arrays();
  const { reporter, assignee } = fields;
  const { classes, singles, reporters, assignees, all: isAll } = visibility;
  // Threads are sent them.
  const rows = new Uint32Array(new SharedArrayBuffer(all.byteLength));
  let count = 0;
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const row = all[i] ?? 0;
    if ((created[row] ?? 0) > asOf) continue;
    if (!isAll) {
      const seen = classes[accessClass[row] ?? 0];
      const isOpen =
        seen === sees.everything ||
        (singles.size > 0 && singles.has(row)) ||
        (seen === sees.own && (reporters.has(reporter?.[row] ?? 0) || assignees.has(assignee?.[row] ?? 0)));
      if (!isOpen) continue;
    }
    rows[count++] = row;
  }
  return rows.subarray(0, count);
}
