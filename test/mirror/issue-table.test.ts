import { expect, test } from '#jest';
import { emptyParts } from '../../src/engine/columns/column-parts.ts';
import { FieldHistories } from '../../src/engine/columns/field-histories.ts';
import { IssueColumns } from '../../src/engine/columns/issue-columns.ts';
import { rowContent } from '../../src/engine/measure/own-cells.ts';
import { besideParts } from '../../src/mirror/field-thread.ts';
import { tableOver } from '../../src/mirror/issue-table.ts';
import { anIssue } from '../support/issue-story.ts';

test('histories that are needed together are read together, and stay until all are there', async () => {
  const columns = new IssueColumns({ ...emptyParts(), histories: new FieldHistories(undefined, 1) });
  const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z')
    .changes('priority', 'Low', 'High', '2026-03-03T09:00:00Z')
    .changes('rank', '1', '2', '2026-03-03T09:00:00Z');
  columns.put(1, rowContent(issue));
  let read = 0;
  const table = tableOver(columns, {
    store: {
      reader: () => null,
      issuesAt: async () => [issue],
      changedSince: async (revision) => ({ issues: [], removed: [], revision }),
      async issuesAfter(after, _, use) {
        read += 1;
        return use(after === 0 ? [{ id: 1, revision: 0, issue }] : []);
      },
    },
    alone: (work) => work(),
    spill: null,
    onHeld: () => {},
    signal: new AbortController().signal,
    beside: besideParts,
  });
  await Promise.all(['priority', 'rank'].map((field) => table.hold(field, 'history')));
  expect(['priority', 'rank'].map((field) => columns.histories.has(field))).toEqual([true, true]);
  expect(read).toBe(2);
});
