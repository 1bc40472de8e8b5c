import { setImmediate } from 'node:timers/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { createBudget } from '../../../src/trackers/jira/budget.ts';
import { runs } from '../../support/soak.ts';

/** Time that goes on once nobody has anything left to do but wait. */
function createVirtualTime() {
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  let now = 0;
  return {
    now: () => now,
    wait: (ms: number) =>
      new Promise<void>((resolve) => sleepers.push({ at: now + Math.max(0, ms), wake: resolve })),
    async goOn() {
      for (;;) {
        await setImmediate();
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers.shift();
        if (next === undefined) return;
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}

/** Sends requests at these times, each of which takes so long; tells when they began and how many were under way. */
async function runAll(requestsPerMinute: number, requests: readonly { at: number; takes: number }[]) {
  const time = createVirtualTime();
  const budget = createBudget({ requestsPerMinute, ...time, closing: new AbortController().signal });
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const all = requests.map(async ({ at, takes }) => {
    await time.wait(at);
    await budget.run('GET /x', async () => {
      begun.push(time.now());
      most = Math.max(most, ++underWay);
      await time.wait(takes);
      underWay--;
    });
  });
  await time.goOn();
  await Promise.all(all);
  return { begun, most };
}

test('no minute ever has more requests than the budget and one burst, and no more than 8 are under way', async () => {
  const request = fc.record({ at: fc.nat(3 * millisecondsInMinute), takes: fc.nat(20_000) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.array(request, { maxLength: 60 }),
      async (requestsPerMinute, requests) => {
        const { begun, most } = await runAll(requestsPerMinute, requests);
        const burst = Math.max(1, Math.min(10, Math.floor(requestsPerMinute / 6)));
        const inMinutes = begun.map(
          (from) => begun.filter((at) => at >= from && at < from + millisecondsInMinute).length,
        );
        expect(begun).toHaveLength(requests.length);
        expect(Math.max(0, ...inMinutes)).toBeLessThanOrEqual(requestsPerMinute + burst);
        expect(most).toBeLessThanOrEqual(8);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('the budget is used up: what has waited goes out at its pace, in order', async () => {
  const { begun } = await runAll(
    60,
    Array.from({ length: 30 }, () => ({ at: 0, takes: 0 })),
  );
  expect(begun.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 2000]);
  expect(begun.at(-1)).toBe(20_000);
});

test('a pause holds back those who already wait for their turn, and nobody else', async () => {
  const time = createVirtualTime();
  const budget = createBudget({ requestsPerMinute: 6, ...time, closing: new AbortController().signal });
  const begun: [string, number][] = [];
  const ask = (endpoint: string) => budget.run(endpoint, async () => void begun.push([endpoint, time.now()]));
  const all = [budget.run('first', async () => budget.pause('slow', 30_000)), ask('slow'), ask('other')];
  await time.goOn();
  await Promise.all(all);
  expect(begun).toEqual([
    ['other', 20_000],
    ['slow', 30_000],
  ]);
});

test('a clock that is set back by an hour holds nobody back for an hour', async () => {
  let now = 100 * millisecondsInMinute;
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const budget = createBudget({
    requestsPerMinute: 60,
    now: () => now,
    wait,
    closing: new AbortController().signal,
  });
  await budget.run('x', async () => {});
  now -= 60 * millisecondsInMinute;
  await budget.run('x', async () => {});
  expect(Math.max(0, ...waits)).toBeLessThanOrEqual(8000);
});
