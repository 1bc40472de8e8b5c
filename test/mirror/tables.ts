import { randomUUID } from 'node:crypto';
import type { IssueColumns } from '../../src/engine/columns/issue-columns.ts';
import { createColumnSnapshot } from '../../src/mirror/column-snapshot.ts';
import { createStoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import type { BlobStore } from '../../src/store/blobs.ts';
import type { IssueStore } from '../../src/store/store.ts';
import type { TestStore } from '../support/open-test-store.ts';

/** Writes issues, whatever is stored of them. */
export const putInto = (store: Pick<IssueStore, 'putIssues'>, issues: readonly Issue[]) =>
  store.putIssues(issues, (_, incoming) => incoming);

/** A table whose columns are saved among blobs, however few they are. */
export function savedTable(
  { stamps }: Pick<TestStore, 'stamps'>,
  {
    store,
    blobs,
    origin = 'here',
    newStamp = randomUUID,
    now = () => 0,
    ...others
  }: {
    readonly store: Parameters<typeof createStoreTable>[0]['store'];
    readonly blobs: BlobStore;
    readonly origin?: string;
    readonly newStamp?: () => string;
    readonly now?: () => number;
  } & Pick<Parameters<typeof createStoreTable>[0], 'flags' | 'onProblem'>,
) {
  const name = 'columns.bin';
  const snapshot = createColumnSnapshot({ blobs, name, origin: async () => origin, stamps, newStamp });
  return createStoreTable({ ...others, store, snapshot, now, minSaved: 0 });
}

/** The store, with the number of its readings. */
export function countingReads(store: IssueStore) {
  const reads = { chunks: 0, single: 0, fields: 0 };
  return {
    reads,
    of: {
      ...store,
      changedSince(revision: number, count: number) {
        // One by one is how a file is compared with the store.
        if (count > 1) reads.chunks += 1;
        return store.changedSince(revision, count);
      },
      issuesAt(ids: readonly number[]) {
        reads.single += ids.length;
        return store.issuesAt(ids);
      },
      issuesAfter: ((after, count, use) =>
        store.issuesAfter(after, count, (some) => {
          reads.fields += some.length;
          return use(some);
        })) satisfies IssueStore['issuesAfter'],
    },
  };
}

/** The keys of all issues by creation. */
export const keysIn = (columns: IssueColumns) =>
  [...columns.rowsByCreation()].map((row) => columns.keyOf(row));

/** The visits that the history of a field has of a row: start, value and author of each. */
export function visitsIn(columns: IssueColumns, field: string, row: number) {
  const { values, authors } = columns.histories.find(field) ?? {};
  const { at, count, starts, codes, authors: by } = columns.arrays().histories[field] ?? {};
  return Array.from({ length: count?.[row] ?? 0 }, (_, i) => {
    const index = (at?.[row] ?? 0) + i;
    return [starts?.[index], values?.at(codes?.[index] ?? 0), authors?.at(by?.[index] ?? 0)] as const;
  });
}
