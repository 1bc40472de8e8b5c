import { afterAll, expect, test } from '#jest';
import { evaluateRows } from '../../src/columns/evaluate-rows.ts';
import { NO, YES } from '../../src/columns/row-predicates.ts';
import { closeKernels } from '../../src/kernels/kernel-pool.ts';
import { chooseThere } from '../../src/kernels/run-kernel.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import { anIssue } from '../support/issue-story.ts';

afterAll(closeKernels);

const asOf = Date.parse('2026-03-04T12:00:00Z');

function aQuestion() {
  const issues = ['WEB-1', 'APP-2', 'WEB-3', 'APP-4', 'WEB-5'].map(
    (key, i) => anIssue(key, `2026-03-0${i + 1}T09:00:00Z`).issue,
  );
  const { columns } = tableOf(issues);
  const truths = Uint8Array.from(columns.projectKeys, (key) => (key === 'WEB' ? YES : NO));
  const predicate = { kind: 'project', truths } as const;
  return { arrays: columns.arrays(), rows: columns.rowsByCreation().toReversed(), predicate, asOf };
}

test('threads say of rows what is said of them here, in their order', async () => {
  const question = aQuestion();
  const said = await chooseThere(question);
  expect(said).toEqual(evaluateRows(question.predicate, question.arrays, question.rows, { asOf }));
  expect([...said]).toEqual([NO, NO, YES, NO, YES]);
});

test('what a thread that ends was doing fails, and the next question gets another thread', async () => {
  await closeKernels();
  const asked = expect(chooseThere(aQuestion())).rejects.toThrow('The thread that computed ended.');
  await closeKernels();
  await asked;
  expect([...(await chooseThere(aQuestion()))]).toEqual([NO, NO, YES, NO, YES]);
});
