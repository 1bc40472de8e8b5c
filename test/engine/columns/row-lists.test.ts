import { expect, test } from '#jest';
import { RowLists, sees, type Visibility } from '../../../src/engine/columns/visibility.ts';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';

const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
const projects = ['A', 'B', 'C', 'D'];
const issueOf = (at: number, project = projects[at % 4]): Issue =>
  anIssue(`${project}-${at + 1}`, day(at)).issue;

/** Forty issues, ten in each of four projects, which are the access classes. */
function someColumns() {
  const { columns } = tableOf(Array.from({ length: 40 }, (_, at) => issueOf(at)));
  const lists = new RowLists(columns, 400);
  const visibilityOf = (open: readonly string[]): Visibility => ({
    classes: Uint8Array.from(columns.classes.all, ({ projectKey }) =>
      open.includes(projectKey) ? sees.everything : sees.nothing,
    ),
    ...{ singles: new Set(), reporters: new Set(), assignees: new Set(), account: null },
    ...{ all: false, key: open.join() },
  });
  return { columns, lists, rowsOf: (...open: string[]) => lists.rowsOf(visibilityOf(open), []) };
}

test('lists take no more bytes than allowed together, and the ones used longest ago go first', () => {
  const { lists, rowsOf } = someColumns();
  const first = rowsOf('A', 'B', 'C');
  expect(lists.bytes).toBe(120);
  const other = rowsOf('B', 'C', 'D');
  expect(rowsOf('A', 'B', 'C')).toBe(first);
  rowsOf(...projects);
  expect(lists.bytes).toBe(400);
  rowsOf('A');
  expect(lists.bytes).toBe(320);
  expect(rowsOf('A', 'B', 'C')).toBe(first);
  expect(rowsOf('B', 'C', 'D')).not.toBe(other);
  expect(rowsOf('B', 'C', 'D')).toEqual(other);
});

test('a list is the same array for all who see the same, and after changes that do not touch it', () => {
  const { columns, rowsOf } = someColumns();
  const before = rowsOf('A', 'B');
  columns.put(5, rowContent({ ...issueOf(4), summary: 'changed' }));
  columns.put(41, rowContent(issueOf(42)));
  expect(rowsOf('A', 'B')).toBe(before);
  columns.put(42, rowContent(issueOf(40)));
  const after = rowsOf('A', 'B');
  expect(after[0]).toBe(columns.rowOf('A-41'));
  expect(after.slice(1)).toEqual(before);
  columns.remove('A-1');
  expect(rowsOf('A', 'B')).toEqual(after.slice(0, -1));
});
