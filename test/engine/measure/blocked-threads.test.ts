import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { afterAll, expect, test } from '#jest';
import { codeOfCauses } from '../../../src/engine/columns/blocked-rows.ts';
import { type ColumnArrays, type HistoryArrays, shared } from '../../../src/engine/columns/column-arrays.ts';
import { FIRST_VALUE } from '../../../src/engine/columns/value-codes.ts';
import { closeKernels } from '../../../src/engine/measure/kernels/kernel-pool.ts';
import { withBlocked } from '../../../src/engine/measure/kernels/row-kernels.ts';
import { runScan } from '../../../src/engine/measure/kernels/run-kernel.ts';
import { tableOfColumns } from '../../../src/engine/measure/kernels/table-of-columns.ts';
import { numbersAt, scanRows } from '../../../src/engine/measure/scan-rows.ts';
import { blockedScan } from '../../../src/engine/measure/spans-scan.ts';
import {
  blockedCount,
  blockedDuration,
  blockedDurationByStatus,
} from '../../../src/engine/reports/blocked-duration.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { calendarOf } from '../../../src/time/calendar.ts';
import { calendars, end, someIssues, start, workflow } from '../../api/answers/a-team.ts';
import { asked } from '../../support/measuring.ts';

afterAll(closeKernels);

const issues = fc
  .sample(someIssues, { seed: 11, numRuns: 60 })
  .flat()
  .map((issue, i) => ({ ...issue, key: `WEB-${i + 1}` }));
const { columns } = tableOf(issues);
const rows = columns.rowsByCreation().toReversed();

/** Every third issue was never blocked; the others were, again and again, by each set of causes. */
function inventedHistory({ rows: count, created }: ColumnArrays): HistoryArrays {
  const [at, counts] = [shared(Uint32Array, count), shared(Uint16Array, count)];
  const visits = Array.from({ length: count }, (_, row) => (row % 3 === 0 ? 0 : 1 + (row % 7)));
  const all = visits.reduce((sum, own) => sum + own, 0);
  const [starts, codes] = [shared(Float64Array, all), shared(Uint16Array, all)];
  let visit = 0;
  for (const [row, own] of visits.entries()) {
    at[row] = visit;
    counts[row] = own;
    for (let i = 0; i < own; i += 1, visit += 1) {
      starts[visit] = (created[row] ?? 0) + i * (7 + (row % 31)) * millisecondsInHour;
      codes[visit] = codeOfCauses((row + i) % 8);
    }
  }
  const flags = shared(Uint8Array, count);
  return { at, count: counts, flags, starts, codes, authors: shared(Uint16Array, 0) };
}
const history = inventedHistory(columns.arrays());
const calendar = calendars[0] ?? null;

test.each([blockedDuration, blockedCount, blockedDurationByStatus])(
  'threads find the blocked time of many issues that one finds: $id',
  async (report) => {
    const context = asked(
      new Date(end).toISOString(),
      calendar === null ? {} : { calendar: calendarOf(calendar) },
    );
    const layout = {
      ...{ fields: [], groupBy: [], statuses: null, consolidated: [], groups: null },
      ...{ includeDeletedStatuses: true, knownStatuses: new Map() },
    };
    const sources = {
      ...{ columns, rows, calendar, blocked: async () => history, load: async () => [] },
      turns: {
        map: async <Item, Made>(items: Iterable<Item>, of: (item: Item) => Made) => Array.from(items, of),
        sort: async <Item>(items: readonly Item[], compare: (a: Item, b: Item) => number) =>
          items.toSorted(compare),
      },
    };
    for (const type of ['average', 'median'] as const) {
      const statistic = { type, denominator: 'nonNull', deviation: 'population', percentile: 50 } as const;
      const alone = await tableOfColumns({ report, context, layout }, statistic, sources);
      expect(Object.keys(alone?.rows[0]?.cells ?? {}).length).toBeGreaterThan(1);
      expect(
        await tableOfColumns({ report, context, layout }, statistic, { ...sources, workersFrom: 0 }),
      ).toEqual(alone);
    }
  },
);

test('threads find the blocked time of spans that one finds', async () => {
  const values = columns.values('status');
  const ids = workflow.map(({ id }) => id);
  const kinds = { 'To Do': 0, 'In Progress': 1, Done: 3, Undefined: 4 };
  const plan = {
    ...{ asOf: end, calendar, flows: null, listed: new Uint8Array(values.size).fill(1) },
    slots: Uint16Array.from({ length: values.size }, (_, code) => {
      const value = values.at(code);
      const isStatus = code >= FIRST_VALUE && value !== null && typeof value === 'object' && 'id' in value;
      return isStatus ? ids.indexOf(value.id) + 1 : 0;
    }),
    kinds: [Uint8Array.from([kinds.Undefined, ...workflow.map(({ category }) => kinds[category])])],
    bounds: Array.from({ length: 4 }, (_, i) => start + (i * (end - start)) / 3),
    stops: Uint8Array.of(1),
  };
  const arrays = withBlocked(columns.arrays(), history);
  const { sums, lists } = scanRows(blockedScan, arrays, { rows, offset: 0 }, plan);
  const there = await runScan(arrays, rows, blockedScan, plan, { workersFrom: 1 });
  expect(Math.min(...sums.blocked, ...sums.stopped)).toBeGreaterThan(0);
  expect(there.sums).toEqual(sums);
  expect(lists.issues.size).toBeGreaterThan(0);
  const joined = (all: typeof lists.issues) => [...all].map(([span]) => [...numbersAt(all, span)]);
  expect(joined(there.lists.issues)).toEqual(joined(lists.issues));
});
