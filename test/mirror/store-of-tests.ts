import { afterEach, beforeEach } from '#jest';
import { STATUS_CODE } from '../../src/engine/columns/column-arrays.ts';
import type { IssueColumns } from '../../src/engine/columns/issue-columns.ts';
import type { createStoreTable, StoreTable } from '../../src/mirror/store-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { createFolderBlobs } from '../../src/store/folder-blobs.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { putInto, savedTable } from './tables.ts';

/** A store for each test of a suite, and tables over it, which are idle before it is closed. */
export function storeOfTests() {
  const opened: StoreTable[] = [];
  const problems: unknown[] = [];
  async function openStore() {
    const folder = temporaryFolder();
    const store = await openTestStore(folder);
    return { folder, store, stored: store.issues('file') };
  }
  let current: Awaited<ReturnType<typeof openStore>>;
  const at = {
    now: 0,
    problems,
    get folder() {
      return current.folder;
    },
    get store() {
      return current.store;
    },
    get stored() {
      return current.stored;
    },
    /** Another store takes the place of the one before. */
    async openStore() {
      current = await openStore();
    },
    put: (...issues: Issue[]) => putInto(current.stored, issues),
    /** A table whose columns are saved in a file, however few they are. */
    open({
      of = current.stored,
      origin = 'here',
      cache = current.folder,
      flags = [],
    }: {
      of?: Parameters<typeof createStoreTable>[0]['store'];
      origin?: string;
      cache?: string;
      flags?: readonly string[];
    } = {}) {
      const table = savedTable(current.store, {
        ...{ store: of, blobs: createFolderBlobs(cache), origin, flags: async () => flags },
        now: () => at.now,
        onProblem: (error) => void problems.push(error),
      });
      opened.push(table);
      return table;
    },
  };
  beforeEach(async () => {
    await at.openStore();
    problems.length = 0;
    at.now = 0;
  });
  afterEach(async () => {
    // A file that is written behind a test gets its stamp from the store.
    await Promise.all(opened.splice(0).map((table) => table.idle()));
    current.store.close();
  });
  return at;
}

export const born = (key: string, day = '02') => anIssue(key, `2026-03-${day}T09:00:00Z`).issue;
export const many = (count: number) => Array.from({ length: count }, (_, i) => born(`DEMO-${i + 1}`));
/** Issues that the tracker knows by ids as well. */
export const numbered = (count: number) => many(count).map((issue, i) => ({ ...issue, id: String(i + 1) }));
export const renamed = (issue: Issue, summary: string): Issue => ({
  ...issue,
  summary,
  fields: { ...issue.fields, summary },
});

/** The contents of columns, issue by issue in the order of creation. */
export function contentsOf(columns: IssueColumns) {
  const arrays = columns.arrays();
  return [...columns.rowsByCreation()].map((row) => {
    const value = (field: string, code = 0) => columns.values(field).at(code) ?? code;
    const visits = Array.from({ length: arrays.statusCount[row] ?? 0 }, (_, i) => {
      const at = (arrays.statusAt[row] ?? 0) + i;
      const code = arrays.visitStatus[at] ?? 0;
      return [arrays.visitStart[at], code > STATUS_CODE, value('status', code & STATUS_CODE)];
    });
    const spans = Array.from({ length: arrays.assigneeCount[row] ?? 0 }, (_, i) => {
      const at = (arrays.assigneeAt[row] ?? 0) + i;
      return [arrays.spanStart[at], value('assignee', arrays.spanAssignee[at])];
    });
    const { projectKey, restriction, issues } = columns.classes.all[arrays.accessClass[row] ?? 0] ?? {};
    const fields = Object.entries(arrays.fields).map(([field, codes]) => [field, value(field, codes[row])]);
    return {
      key: columns.keyOf(row),
      ...{ id: arrays.storeId[row], created: arrays.created[row], updated: arrays.updated[row] },
      ...{ resolved: arrays.resolved[row], flags: arrays.flags[row] },
      ...{ visits, spans, projectKey, restriction, issues, fields },
    };
  });
}
