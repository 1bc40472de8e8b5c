import { afterAll, expect, test } from '#jest';
import { chooseInPlace, joinChosen } from '../../../src/engine/columns/choose-rows.ts';
import { NO, YES } from '../../../src/engine/columns/row-predicates.ts';
import { closeKernels } from '../../../src/engine/measure/kernels/kernel-pool.ts';
import { chooseThere } from '../../../src/engine/measure/kernels/run-kernel.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { anIssue } from '../../support/issue-story.ts';

afterAll(closeKernels);

const asOf = Date.parse('2026-03-04T12:00:00Z');

function aQuestion() {
  const issues = ['WEB-1', 'APP-2', 'WEB-3', 'APP-4', 'WEB-5'].map(
    (key, i) => anIssue(key, `2026-03-0${i + 1}T09:00:00Z`).issue,
  );
  const { columns } = tableOf(issues);
  const truths = Uint8Array.from(columns.projectKeys, (key) => (key === 'WEB' ? YES : NO));
  const predicate = { kind: 'project', truths } as const;
  const rows = columns.rowsByCreation().toReversed();
  return { columns, question: { arrays: columns.arrays(), rows, predicate, asOf } };
}

const chosenKeys = async ({ columns, question }: ReturnType<typeof aQuestion>) =>
  Array.from((await chooseThere(question)).rows, (row) => columns.keyOf(row));

test('threads choose the rows that are chosen here, in their order, and leave the rows they are given as they are', async () => {
  const sources = aQuestion();
  const { columns, question } = sources;
  const { predicate, arrays, rows } = question;
  const own = rows.slice();
  const expected = joinChosen(own, [{ from: 0, chosen: chooseInPlace(predicate, arrays, own, asOf) }]);
  expect(await chooseThere(question)).toEqual(expected);
  expect(await chosenKeys(sources)).toEqual(['WEB-3', 'WEB-1']);
  expect(rows).toEqual(columns.rowsByCreation().toReversed());
});

test('what a thread that ends was doing fails, and the next question gets another thread', async () => {
  await closeKernels();
  const failure = expect(chooseThere(aQuestion().question)).rejects.toThrow(
    'The thread that computed ended.',
  );
  await closeKernels();
  await failure;
  expect(await chosenKeys(aQuestion())).toEqual(['WEB-3', 'WEB-1']);
});
