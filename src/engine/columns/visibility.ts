import { type ColumnArrays, rowFlag } from './column-arrays.ts';

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
