import fc from 'fast-check';
import { afterAll, expect, test } from '#jest';
import { FIRST_VALUE } from '../../../src/engine/columns/value-codes.ts';
import { closeKernels } from '../../../src/engine/measure/kernels/kernel-pool.ts';
import { runFigures, runScan } from '../../../src/engine/measure/kernels/run-kernel.ts';
import { agesScan, endedScan, outcomesScan } from '../../../src/engine/measure/outcome-scans.ts';
import type { ScanPlan } from '../../../src/engine/measure/row-cursor.ts';
import { type Scan, scanRows } from '../../../src/engine/measure/scan-rows.ts';
import { spansScan } from '../../../src/engine/measure/spans-scan.ts';
import { rowIn, statusFactsScan } from '../../../src/engine/measure/status-facts.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { calendars, end, someIssues, start, workflow } from '../../api/answers/a-team.ts';

afterAll(closeKernels);

const issues = fc
  .sample(someIssues, { seed: 7, numRuns: 60 })
  .flat()
  .map((issue, i) => ({ ...issue, key: `WEB-${i + 1}` }));
const { columns } = tableOf(issues);
const rows = columns.rowsByCreation().toReversed();
const values = columns.values('status');
const ids = workflow.map(({ id }) => id);
const kinds = { 'To Do': 0, 'In Progress': 1, Done: 3, Undefined: 4 };
const plan: ScanPlan = {
  asOf: end,
  calendar: calendars[0] ?? null,
  slots: Uint16Array.from({ length: values.size }, (_, code) => {
    const value = values.at(code);
    const isStatus = code >= FIRST_VALUE && value !== null && typeof value === 'object' && 'id' in value;
    return isStatus ? ids.indexOf(value.id) + 1 : 0;
  }),
  kinds: [Uint8Array.from([kinds.Undefined, ...workflow.map(({ category }) => kinds[category])])],
  flows: null,
  listed: new Uint8Array(values.size).fill(1),
};
const week = (end - start) / 9;

/** The same as plain numbers, whatever memory they lie in, and in how many lists. */
const plain = (found: unknown): unknown =>
  JSON.parse(
    JSON.stringify(found, (_, value) => {
      if (value instanceof Map) return [...value].toSorted(([a], [b]) => a - b);
      if (ArrayBuffer.isView(value)) return Object.values(value);
      const isLists = Array.isArray(value) && value.every((one) => ArrayBuffer.isView(one));
      return isLists ? value.flatMap((one) => Object.values(one)) : value;
    }),
  );

async function foundBoth<Plan extends ScanPlan, List extends string, Sum extends string>(
  scan: Scan<Plan, List, Sum>,
  own: Plan,
) {
  const whole = scanRows(scan, columns.arrays(), { rows, offset: 0 }, own);
  const there = await runScan(columns.arrays(), rows, scan, own, { workersFrom: 1 });
  return [there, whole] as const;
}

test('threads find what is found in one go', async () => {
  const bounds = Array.from({ length: 10 }, (_, i) => start + i * week);
  const groups = new Int32Array(columns.classes.all.length);
  const together = new Uint8Array(workflow.length + 1).fill(1);
  for (const [there, whole] of [
    await foundBoth(spansScan, { ...plan, bounds, together }),
    await foundBoth(outcomesScan, plan),
    await foundBoth(agesScan, { ...plan, assignees: null }),
    await foundBoth(endedScan, { ...plan, since: start, groups }),
  ]) {
    expect(plain(there)).toEqual(plain(whole));
  }
  const codes = [...plan.listed.keys()];
  const [there, whole] = await foundBoth(statusFactsScan, {
    ...plan,
    slots: Uint16Array.from(codes),
    categories: new Uint8Array(codes.length),
  });
  expect(plain(there.sums)).toEqual(plain(whole.sums));
  expect(codes.map((code) => rowIn(there, code))).toEqual(codes.map((code) => rowIn(whole, code)));
});

test('figures of many durations are those of few', async () => {
  const sets = [5, 0, 1, 300].map((count) => [
    Float64Array.from({ length: count }, (_, i) => (i * 7_919) % 1_009),
    Float64Array.of(3, 1, 2).subarray(0, count),
  ]);
  expect(await runFigures(sets, { workersFrom: 1 })).toEqual(await runFigures(sets));
});
