import { expect, test } from '#jest';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { spansInOrder } from '../../../src/selection/access/order-issues.ts';
import type { QueryWorld } from '../../../src/selection/access/query-context.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { aWorld, change, everything, issueWith } from '../jql/a-world.ts';

const value = (name: string) => ({ id: name, name });
const types = ['Bug', 'Task', 'Story'];

/** More than are compared with each other. */
const issues = Array.from({ length: 10_100 }, (_, i) =>
  issueWith(`WEB-${i + 1}`, { issuetype: value(types[i % 3] ?? '') }),
);

test('what comes after a first page is in the same order, whatever was written meanwhile', async () => {
  const jql = aWorld({ issues, now: '2026-03-20T12:00:00Z' });
  const { columns } = jql;
  const now = [...issues];
  const rows = Uint32Array.from(issues, (_, row) => row);
  const order = compileJql('ORDER BY issuetype ASC, key DESC', jql).order;
  const world = {
    table: { columns, load: async (some: ArrayLike<number>) => Array.from(some, (row) => now[row] ?? null) },
    visibility: everything,
    vocabulary: { statuses: jql.statuses },
  } as unknown as QueryWorld;
  const pace = () => null;
  const read = async (some: readonly Issue[]) => some;
  if (order === null) throw new Error('There is no order.');
  const spanOf = () => spansInOrder(rows, order, { asOf: jql.now, world, read, pace });
  const before = await spanOf()(0, rows.length);
  const span = spanOf();
  const page = await span(0, 5);
  const [first = 0] = page;
  // Later than the question: one of the page leaves it, and another would be on it.
  for (const [row, from, to] of [
    [first, 'Bug', 'Task'],
    [1, 'Task', 'Bug'],
  ] as const) {
    const changes = [change('issuetype', from, to, '2026-03-21T09:00:00Z')];
    now[row] = issueWith(`WEB-${row + 1}`, { issuetype: value(to) }, { changes });
    await columns.writing(() => columns.put(row + 1, rowContent(now[row] ?? issueWith(''))));
  }
  const after = await span(5, rows.length);
  expect([...page, ...after]).toEqual([...before]);
});
