import { afterAll, expect, test } from '#jest';
import { evaluateRows, NO, YES } from '../../src/columns/row-predicates.ts';
import { closeKernels } from '../../src/kernels/kernel-pool.ts';
import { chooseThere } from '../../src/kernels/run-kernel.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import { anIssue } from '../support/issue-story.ts';

afterAll(closeKernels);

test('threads say of rows what is said of them here, in their order', async () => {
  const issues = ['WEB-1', 'APP-2', 'WEB-3', 'APP-4', 'WEB-5'].map(
    (key, i) => anIssue(key, `2026-03-0${i + 1}T09:00:00Z`).issue,
  );
  const { columns } = tableOf(issues);
  const truths = Uint8Array.from(columns.projectKeys, (key) => (key === 'WEB' ? YES : NO));
  const predicate = { kind: 'project', truths } as const;
  const asOf = Date.parse('2026-03-04T12:00:00Z');
  const rows = columns.rowsByCreation().toReversed();
  const arrays = columns.arrays();
  const said = await chooseThere({ arrays, rows, predicate, asOf });
  expect(said).toEqual(evaluateRows(predicate, arrays, rows, { asOf }));
  expect([...said]).toEqual([NO, NO, YES, NO, YES]);
});
