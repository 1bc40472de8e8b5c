import { expect, test } from '#jest';
import { emptyParts } from '../../../src/engine/columns/column-parts.ts';
import { FieldHistories } from '../../../src/engine/columns/field-histories.ts';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { ValueCodes } from '../../../src/engine/columns/value-codes.ts';
import { historySource, rowContent } from '../../../src/engine/measure/own-cells.ts';
import { type IssueTable, tableOf } from '../../../src/mirror/issue-table.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { audienceScopeOf } from '../../../src/selection/access/audience-scope.ts';
import { rowIssues } from '../../../src/selection/access/selected-issues.ts';
import { createVisibleIssues } from '../../../src/selection/access/visible-issues.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';

const directory = { ...emptyDirectory, permissions: null };

/** A table whose columns have room for few histories beside the leased ones. */
function tableWithLittleRoom(issues: readonly Issue[]): IssueTable {
  const columns = new IssueColumns({ ...emptyParts(), histories: new FieldHistories(new ValueCodes(), 1) });
  for (const [i, issue] of issues.entries()) columns.put(i + 1, rowContent(issue));
  return {
    ...tableOf(issues),
    columns,
    async hold(field, as) {
      if (as === 'history') columns.beginHistory(field);
      else columns.beginField(field);
      if (as === 'history') columns.fillHistory(field, [0], issues.map(historySource));
      else columns.fillField(field, [0], issues);
      if (as === 'history') await columns.endHistory(field);
      else columns.endField(field);
    },
  };
}

test('a history that is let go while another is looked through counts all the same', async () => {
  const at = '2026-03-03T09:00:00Z';
  const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z')
    .changes('parent', 'AAA-1', 'WEB-2', at)
    .changes('epic', 'BBB-1', 'WEB-3', at);
  const table = tableWithLittleRoom([issue]);
  const { columns } = table;
  const visible = await createVisibleIssues()(table, principalOf('ada'), directory);
  const leases = ['parent', 'epic'].map((field) => columns.histories.lease(field));
  for (const field of ['parent', 'epic']) {
    await table.hold(field);
    await table.hold(field, 'history');
  }
  expect(['parent', 'epic'].map((field) => columns.histories.has(field))).toEqual([true, true]);
  for (const release of leases) release();
  const scope = await audienceScopeOf(
    rowIssues(visible.rows(), visible, 0),
    { now: [], ever: ['parent', 'epic'], asOf: Date.parse('2026-03-04T09:00:00Z') },
    {
      context: {
        ...{ directory, pace: () => null },
        issue: async (key) => anIssue(key, '2026-03-02T09:00:00Z').issue,
      },
      keys: {
        async hiddenIn() {
          // Another question needs another history meanwhile.
          await table.hold('priority', 'history');
          return null;
        },
      },
      read: async (issues) => issues,
    },
  );
  expect(scope.projects).toEqual(['AAA', 'BBB', 'WEB']);
});
