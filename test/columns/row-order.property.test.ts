import fc from 'fast-check';
import { expect, test } from '#jest';
import { LAST, type RowStep, sortByOrder, topRows } from '../../src/columns/row-order.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';
import { runs } from '../support/soak.ts';

const asOf = Date.parse('2026-06-01T00:00:00Z');

/** Few different values, so that many are level; negative instants, too. */
const aRow = fc.record({
  project: fc.constantFrom('WEB', 'OPS', 'HR'),
  created: fc.constantFrom(-1.5, -1, 0, 1, 1.5).map((times) => times * 1e12),
  resolved: fc.constantFrom(null, -5, 0, 7),
  priority: fc.constantFrom('1', '2', '3', null),
  summary: fc.constantFrom(
    ...['Login', 'login', 'Log in', 'Lógin', 'Λογ', '', null, 'Login fails on Monday', 'login fails on'],
    ...[`${'long '.repeat(60)}b`, `${'Long '.repeat(60)}a`, 'login\u0000'],
  ),
});

const { issue: story } = anIssue('WEB-1', '2026-03-02T09:00:00Z');

const someIssues = fc.array(aRow, { minLength: 40, maxLength: 90 }).map((rows) =>
  rows.map(
    ({ project, created, resolved, priority, summary }, i): Issue => ({
      ...story,
      ...{ key: `${project}-${i + 1}`, created, resolved, updated: Math.max(created, 0) },
      fields: {
        ...{ ...story.fields, summary },
        priority: priority === null ? null : { id: priority, name: priority },
      },
    }),
  ),
);

const aStep = fc
  .record({
    descends: fc.boolean(),
    column: fc.constantFrom(
      { kind: 'instant', column: 'created' } as const,
      { kind: 'instant', column: 'resolved' } as const,
      { kind: 'text', field: 'summary' } as const,
      { kind: 'project', places: Float64Array.of(2, 0, 1) } as const,
      {
        kind: 'code',
        field: 'priority',
        always: false,
        places: Float64Array.of(LAST, LAST, 4, -3, 0.5),
      } as const,
    ),
  })
  .map(({ descends, column }): RowStep => ({ ...column, descends }));

/** So often is each row there where there are to be many. */
const MANY = 60;

test('the first rows of an order are the first of all its rows, however many are asked for', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.array(aStep, { maxLength: 3 }),
      fc.boolean(),
      fc.nat(90),
      async (issues, some, descends, most) => {
        const { columns, hold } = tableOf(issues);
        await hold('summary', 'texts');
        const rows = columns.rowsByCreation();
        const steps = [...some, { kind: 'number', descends } as const];
        const order = { steps, asked: { rows: new Uint32Array(), places: [] } };
        const arrays = columns.arrays();
        const top = (some: Uint32Array, count: number) => [...topRows(order, arrays, some, { asOf, count })];
        const all = top(rows, rows.length);
        expect(all.toSorted((a, b) => a - b)).toEqual([...rows].sort((a, b) => a - b));
        for (const count of [0, 1, 2, 5, most]) expect(top(rows, count)).toEqual(all.slice(0, count));
        // Many are sorted in another way than few.
        const many = Uint32Array.from({ length: rows.length * MANY }, (_, i) => rows[i % rows.length] ?? 0);
        const sorted = all.flatMap((row) => Array.from({ length: MANY }, () => row));
        expect(top(many, many.length)).toEqual(sorted);
        const rest = () => (descends ? Promise.resolve() : null);
        expect([...(await sortByOrder(order, arrays, many, { asOf, rest }))]).toEqual(sorted);
        expect(top(many, most)).toEqual(sorted.slice(0, most));
      },
    ),
    { numRuns: runs(60) },
  );
});

test('many texts are in order together with those that were asked', async () => {
  const words = ['Login', 'login fails', 'Login fails on Monday', 'Über', 'łódź', 'x'];
  const issues = Array.from({ length: 3_000 }, (_, i): Issue => {
    const summary = `${words[(i * 7) % 6]} ${words[(i * 5) % 4]} ${(i * 7919) % 501}`;
    return { ...story, key: `WEB-${i + 1}`, fields: { ...story.fields, summary } };
  });
  const { columns, hold } = tableOf(issues);
  await hold('summary', 'texts');
  const rows = columns.rowsByCreation();
  const asked = rows.filter((row) => row % 3 === 0).sort();
  const told = Array.from(asked, (row) => (row % 5 === 0 ? null : `login fails ${row % 7}`));
  const keyOf = (row: number) => {
    const at = asked.indexOf(row);
    return at < 0 ? String(issues[row]?.fields.summary).toLowerCase() : (told[at] ?? '\uffff');
  };
  for (const descends of [false, true]) {
    const order = {
      steps: [{ kind: 'text', field: 'summary', descends } as const],
      asked: { rows: asked, places: [told] },
    };
    const sorted = await sortByOrder(order, columns.arrays(), rows, { asOf, rest: () => null });
    const keys = Array.from(rows, keyOf).sort();
    expect(Array.from(sorted, keyOf)).toEqual(descends ? keys.reverse() : keys);
  }
});
