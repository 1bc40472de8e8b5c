import { PackedFields } from '../packed/packed-issue.ts';
import type { IssueUnpacker } from '../packed/unpack-issue.ts';
import type { UseOfIssues } from '../store.ts';
import type { PackedRow } from './engine.ts';

/** Has fields of packed rows read: they can be looked at until `use` returns, and no longer. */
export function fieldsOfRows<Result>(
  rows: readonly PackedRow[],
  unpacker: IssueUnpacker,
  use: UseOfIssues<Result>,
): Result {
  try {
    return use(
      rows.map(({ id, revision, packed }) => ({
        id,
        revision,
        issue: new PackedFields(packed, unpacker),
      })),
    );
  } finally {
    // Their bytes would stay until garbage is collected, long after the next ones have come.
    rows[0]?.packed.buffer.transfer(0);
  }
}
