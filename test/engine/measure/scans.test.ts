import fc from 'fast-check';
import { afterAll, expect, test } from '#jest';
import { FIRST_VALUE } from '../../../src/engine/columns/value-codes.ts';
import { closeKernels } from '../../../src/engine/measure/kernels/kernel-pool.ts';
import { runFigures, runScan } from '../../../src/engine/measure/kernels/run-kernel.ts';
import { agesScan, endedScan, livesScan } from '../../../src/engine/measure/life-scans.ts';
import type { Scan, ScanFound, ScanPlan } from '../../../src/engine/measure/scan-rows.ts';
import { statusFactsScan } from '../../../src/engine/measure/status-facts.ts';
import { weeksScan } from '../../../src/engine/measure/weeks-scan.ts';
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
const kinds = { Undefined: 0, 'To Do': 1, 'In Progress': 2, Done: 3 };
const plan: ScanPlan = {
  asOf: end,
  calendar: calendars[0] ?? null,
  slots: Uint16Array.from({ length: values.size }, (_, code) => {
    const value = values.at(code);
    const isStatus = code >= FIRST_VALUE && value !== null && typeof value === 'object' && 'id' in value;
    return isStatus ? ids.indexOf(value.id) + 1 : 0;
  }),
  categories: Uint8Array.from([0, ...workflow.map(({ category }) => kinds[category])]),
  vouched: new Uint8Array(values.size).fill(1),
};
const week = (end - start) / 9;

/** The same as plain numbers, whatever memory they lie in, and in how many lists. */
const plain = (found: unknown): unknown =>
  JSON.parse(
    JSON.stringify(found, (_, value) => {
      if (ArrayBuffer.isView(value)) return Object.values(value);
      const isLists = Array.isArray(value) && value.every((one) => ArrayBuffer.isView(one));
      return isLists ? value.flatMap((one) => Object.values(one)) : value;
    }),
  );

async function foundBoth<Plan extends ScanPlan, Found extends ScanFound>(scan: Scan<Plan, Found>, own: Plan) {
  const whole = scan.scan(columns.arrays(), { rows, offset: 0 }, own);
  const there = await runScan(columns.arrays(), rows, scan, own, { workersFrom: 1 });
  return [plain(there), plain(whole)];
}

test('threads find what is found in one go', async () => {
  const bounds = Array.from({ length: 10 }, (_, i) => start + i * week);
  const classes = new Uint8Array(columns.classes.all.length).fill(1);
  for (const [there, whole] of [
    await foundBoth(weeksScan, { ...plan, bounds }),
    await foundBoth(livesScan, plan),
    await foundBoth(agesScan, { ...plan, assignees: null }),
    await foundBoth(endedScan, { ...plan, since: start, classes }),
    await foundBoth(statusFactsScan, {
      ...plan,
      slots: Uint16Array.from(plan.vouched.keys()),
      categories: new Uint8Array(plan.vouched.length),
    }),
  ]) {
    expect(there).toEqual(whole);
  }
});

test('figures of many durations are those of few', async () => {
  const sets = [5, 0, 1, 300].map((count) => [
    Float64Array.from({ length: count }, (_, i) => (i * 7_919) % 1_009),
    Float64Array.of(3, 1, 2).subarray(0, count),
  ]);
  expect(await runFigures(sets, { workersFrom: 1 })).toEqual(await runFigures(sets));
});
