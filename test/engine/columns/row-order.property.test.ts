import fc from 'fast-check';
import { expect, test } from '#jest';
import type { ColumnArrays } from '../../../src/engine/columns/column-arrays.ts';
import { orderedSpan } from '../../../src/engine/columns/order-rows.ts';
import type { RowStep } from '../../../src/engine/columns/row-order.ts';
import { LAST } from '../../../src/engine/columns/sort-rows.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { atOnce } from '../../support/at-once.ts';
import { anIssue } from '../../support/issue-story.ts';
import { runs } from '../../support/soak.ts';

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

/** Where columns say a text is, as the plain order reads it. */
const keyOf = (step: RowStep, { columns, issues }: Sorted, row: number): number | string => {
  const arrays = columns.arrays();
  const issue = issues[(arrays.storeId[row] ?? 0) - 1];
  switch (step.kind) {
    case 'instant':
      return (step.column === 'created' ? issue?.created : issue?.resolved) ?? LAST;
    case 'project':
      return step.places[arrays.project[row] ?? 0] ?? LAST;
    case 'code':
      return step.places[arrays.fields[step.field]?.[row] ?? 0] ?? LAST;
    case 'text': {
      const text = issue?.fields.summary;
      return typeof text === 'string' && text !== '' ? text.toLowerCase() : LAST;
    }
    default:
      return arrays.number[row] ?? 0;
  }
};

interface Sorted {
  readonly columns: ReturnType<typeof tableOf>['columns'];
  readonly issues: readonly Issue[];
}

/** The plain order: each row is compared with others by one step after the other. */
function plainly(rows: Uint32Array, steps: readonly RowStep[], sorted: Sorted): number[] {
  const keys = new Map([...rows].map((row) => [row, steps.map((step) => keyOf(step, sorted, row))]));
  return [...rows].sort((a, b) => {
    for (const [i, { descends }] of steps.entries()) {
      const [one = LAST, other = LAST] = [keys.get(a)?.[i], keys.get(b)?.[i]];
      if (one === other) continue;
      const compared = one === LAST ? 1 : other === LAST || one < other ? -1 : 1;
      return descends ? -compared : compared;
    }
    return 0;
  });
}

/** The same columns with codes as they are where there are many values. */
const wide = (columns: ColumnArrays): ColumnArrays => ({
  ...columns,
  fields: { ...columns.fields, priority: Uint32Array.from(columns.fields.priority ?? []) },
});

test('any span of an order has the rows that sorting all of them puts there', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.array(aStep, { maxLength: 3 }),
      fc.record({ descends: fc.boolean(), isWide: fc.boolean() }),
      fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { minLength: 12, maxLength: 12 }),
      async (issues, some, { descends, isWide }, spans) => {
        const { columns, hold } = tableOf(issues);
        await hold('summary', 'texts');
        const rows = columns.rowsByCreation();
        const steps = [...some, { kind: 'number', descends } as const];
        const order = { steps, loaded: { rows: new Uint32Array(), places: [] } };
        const arrays = isWide ? wide(columns.arrays()) : columns.arrays();
        const spanOf = (of: Uint32Array, from: number, to: number) => {
          const [then, now] = [false, true].map((isNow) => [
            ...atOnce(orderedSpan(order, arrays, of, { asOf, isNow, from, to })),
          ]);
          expect(now).toEqual(then);
          return then;
        };
        const all = plainly(rows, steps, { columns, issues });
        // Many are not compared with each other, as few are.
        const many = Uint32Array.from({ length: rows.length * MANY }, (_, i) => rows[i % rows.length] ?? 0);
        const sorted = all.flatMap((row) => Array.from({ length: MANY }, () => row));
        expect(spanOf(many, 0, many.length)).toEqual(sorted);
        for (const [from, count] of spans) {
          expect(spanOf(rows, from, from + count)).toEqual(all.slice(from, from + count));
          const start = from * MANY;
          expect(spanOf(many, start, start + count)).toEqual(sorted.slice(start, start + count));
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test('many texts are in order together with those their issues say', async () => {
  const words = ['Login', 'login fails', 'Login fails on Monday', 'Über', 'łódź', 'x'];
  const issues = Array.from({ length: 3_000 }, (_, i): Issue => {
    const summary = `${words[(i * 7) % 6]} ${words[(i * 5) % 4]} ${(i * 7919) % 501}`;
    return { ...story, key: `WEB-${i + 1}`, fields: { ...story.fields, summary } };
  });
  const { columns, hold } = tableOf(issues);
  await hold('summary', 'texts');
  const rows = columns.rowsByCreation();
  const loaded = rows.filter((row) => row % 3 === 0).sort();
  const texts = Array.from(loaded, (row) => (row % 5 === 0 ? null : `login fails ${row % 7}`));
  const keyOf = (row: number) => {
    const at = loaded.indexOf(row);
    return at < 0 ? String(issues[row]?.fields.summary).toLowerCase() : (texts[at] ?? '\uffff');
  };
  for (const descends of [false, true]) {
    const order = {
      steps: [{ kind: 'text', field: 'summary', descends } as const],
      loaded: { rows: loaded, places: [texts] },
    };
    const keys = Array.from(rows, keyOf).sort();
    if (descends) keys.reverse();
    for (const [from, to] of [
      [0, 3_000],
      [1_200, 1_250],
    ] as const) {
      const span = atOnce(orderedSpan(order, columns.arrays(), rows, { asOf, from, to }));
      expect(Array.from(span, keyOf)).toEqual(keys.slice(from, to));
    }
  }
});
