import { describe, expect, test } from '#jest';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { createVisibleIssues } from '../../../src/selection/access/visible-issues.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';

const directory = { ...emptyDirectory, permissions: null };
const board = { id: '7', name: 'Board' };
const ada = { id: 'ada', name: 'Ada' };

function restricted(key: string, reporter: Issue['fields'][string]): Issue {
  const { issue } = anIssue(key, '2026-03-02T09:00:00Z');
  return { ...issue, fields: { ...issue.fields, security: board, reporter } };
}

/** An issue whose status is another than the one it shows. */
const shownOtherwise = (issue: Issue): Issue => ({
  ...issue,
  fields: { ...issue.fields, status: { id: 'other', name: 'Other' } },
});

/** What Ada sees of issues, one of which may change when issues are read next. */
function looking(issues: readonly Issue[]) {
  const before = tableOf(issues);
  const { columns } = before;
  let change: (() => void) | null = null;
  const table: typeof before = {
    ...before,
    async load(rows) {
      const loaded = await before.load(rows);
      change?.();
      change = null;
      return loaded;
    },
  };
  const visibleIssues = createVisibleIssues();
  return {
    columns,
    meanwhile(next: () => void) {
      change = next;
    },
    async visible() {
      const seen = await visibleIssues(table, principalOf('ada'), directory);
      expect(change).toBeNull();
      return { keys: Array.from(seen.rows(), (row) => columns.keyOf(row)), isWhole: seen.isWhole };
    },
  };
}

describe('while it is found what a principal sees', () => {
  const plain = anIssue('WEB-2', '2026-03-03T09:00:00Z').issue;

  test('an issue that is restricted no more is there once', async () => {
    const own = restricted('WEB-1', ada);
    const { visible, meanwhile, columns } = looking([own, plain]);
    meanwhile(() => columns.put(1, rowContent({ ...own, fields: { ...own.fields, security: null } })));
    expect((await visible()).keys).toEqual(['WEB-2', 'WEB-1']);
  });

  test('an issue that is gone is not there', async () => {
    const { visible, meanwhile, columns } = looking([restricted('WEB-1', ada), plain]);
    meanwhile(() => columns.remove('WEB-1'));
    expect((await visible()).keys).toEqual(['WEB-2']);
  });

  test('an issue that goes does not make up for one that they do not see', async () => {
    // Whom this one is shown to, columns do not say.
    const odd = restricted('WEB-4', ada);
    const issues = [restricted('WEB-1', ada), plain, restricted('WEB-3', null), shownOtherwise(odd)];
    const { visible, meanwhile, columns } = looking(issues);
    expect((await visible()).isWhole).toBe(false);
    columns.put(4, rowContent(shownOtherwise(odd)));
    meanwhile(() => columns.remove('WEB-1'));
    expect((await visible()).isWhole).toBe(false);
  });
});
