import { setImmediate } from 'node:timers/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { createRateLimiter } from '../../src/http-client/rate-limiter.ts';
import { runs } from '../support/soak.ts';

const turn = (endpoint: string, isPriority = false) => ({ endpoint, isPriority });

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
  const limiter = createRateLimiter({ requestsPerMinute, ...time, closing: new AbortController().signal });
  const begun: number[] = [];
  let underWay = 0;
  let peak = 0;
  const all = requests.map(async ({ at, takes }) => {
    await time.wait(at);
    await limiter.run(turn('GET /x'), async () => {
      begun.push(time.now());
      peak = Math.max(peak, ++underWay);
      await time.wait(takes);
      underWay--;
    });
  });
  await time.goOn();
  await Promise.all(all);
  return { begun, peak };
}

test('no minute ever has more requests than the limit and one burst, and no more than 8 are under way', async () => {
  const request = fc.record({ at: fc.nat(3 * millisecondsInMinute), takes: fc.nat(20_000) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.array(request, { maxLength: 60 }),
      async (requestsPerMinute, requests) => {
        const { begun, peak } = await runAll(requestsPerMinute, requests);
        const burst = Math.max(1, Math.min(10, Math.floor(requestsPerMinute / 6)));
        const inMinutes = begun.map(
          (from) => begun.filter((at) => at >= from && at < from + millisecondsInMinute).length,
        );
        expect(begun).toHaveLength(requests.length);
        expect(Math.max(0, ...inMinutes)).toBeLessThanOrEqual(requestsPerMinute + burst);
        expect(peak).toBeLessThanOrEqual(8);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('the limit is used up: what has waited goes out at its pace, in order', async () => {
  const { begun } = await runAll(
    60,
    Array.from({ length: 30 }, () => ({ at: 0, takes: 0 })),
  );
  expect(begun.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 2000]);
  expect(begun.at(-1)).toBe(20_000);
});

test('a pause holds back those who already wait for their turn, and nobody else', async () => {
  const time = createVirtualTime();
  const limiter = createRateLimiter({ requestsPerMinute: 6, ...time, closing: new AbortController().signal });
  const begun: [string, number][] = [];
  const ask = (endpoint: string) =>
    limiter.run(turn(endpoint), async () => void begun.push([endpoint, time.now()]));
  const all = [
    limiter.run(turn('first'), async () => limiter.pause('slow', 30_000)),
    ask('slow'),
    ask('other'),
  ];
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
  const limiter = createRateLimiter({
    requestsPerMinute: 60,
    now: () => now,
    wait,
    closing: new AbortController().signal,
  });
  await limiter.run(turn('x'), async () => {});
  now -= 60 * millisecondsInMinute;
  await limiter.run(turn('x'), async () => {});
  expect(Math.max(0, ...waits)).toBeLessThanOrEqual(8000);
});

test('requests that users wait for have as many a minute of their own, at once if need be, and wait when all have to', async () => {
  let now = 0;
  const limiter = createRateLimiter({
    requestsPerMinute: 6,
    now: () => now,
    wait: async (ms) => {
      now += ms;
    },
    closing: new AbortController().signal,
  });
  const ask = () => limiter.run(turn('GET /rights', true), async () => {});
  for (let i = 0; i < 6; i += 1) await ask();
  await limiter.run(turn('GET /issue'), async () => {});
  expect(now).toBe(0);
  await ask();
  expect(now).toBe(10_000);
  limiter.pause(null, now + 5000);
  await ask();
  expect(now).toBe(20_000);
});

test('a request that a user waits for goes before others that wait for their turn', async () => {
  const time = createVirtualTime();
  const limiter = createRateLimiter({
    requestsPerMinute: 600,
    ...time,
    closing: new AbortController().signal,
  });
  const begun: string[] = [];
  const ask = (name: string, isPriority: boolean) =>
    limiter.run(turn(name, isPriority), async () => {
      begun.push(name);
      await time.wait(1000);
    });
  const all = Array.from({ length: 12 }, (_, i) => ask(`sync ${i}`, false));
  all.push(ask('rights', true));
  await time.goOn();
  await Promise.all(all);
  expect(begun.indexOf('rights')).toBe(8);
});

test('what a user waits for goes before what began to wait up to ten seconds earlier, and not before anything else', async () => {
  const time = createVirtualTime();
  const limiter = createRateLimiter({
    requestsPerMinute: 600,
    ...time,
    closing: new AbortController().signal,
  });
  const order: string[] = [];
  const ask = async (at: number, name: string, isPriority: boolean, takes = 0) => {
    await time.wait(at);
    await limiter.run(turn('GET /x', isPriority), async () => {
      order.push(name);
      await time.wait(takes);
    });
  };
  const all = [
    // They take all places until 30 s have passed.
    ...Array.from({ length: 8 }, () => ask(0, 'first', false, 30_000)),
    ask(1_000, 'sync at 1 s', false),
    ask(5_000, 'sync at 5 s', false),
    ask(12_000, 'user at 12 s', true),
  ];
  await time.goOn();
  await Promise.all(all);
  expect(order.slice(8)).toEqual(['sync at 1 s', 'user at 12 s', 'sync at 5 s']);
});
