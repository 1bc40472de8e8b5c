import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, expect, jest, test } from '#jest';
import { collectGarbage } from '../../../src/concurrency/collect-garbage.ts';
import {
  closeKernels,
  lendCopy,
  SharedPool,
  tidyMemory,
  WORKERS,
} from '../../../src/engine/measure/kernels/kernel-pool.ts';
import { runFigures } from '../../../src/engine/measure/kernels/run-kernel.ts';
import { runs } from '../../support/soak.ts';

const MAX_SPARE_BYTES = 2_000;

afterAll(closeKernels);

test('memory that is lent is lent to nobody else, is large enough, and spare memory has a bound', () => {
  let reused = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.record({ release: fc.nat(20) })), {
        maxLength: 40,
      }),
      (steps) => {
        const pool = new SharedPool(MAX_SPARE_BYTES);
        const all: ReturnType<SharedPool['lend']>[] = [];
        const live = new Map<(typeof all)[number], SharedArrayBuffer>();
        const seen = new Set<SharedArrayBuffer>();
        for (const step of steps) {
          if (typeof step === 'number') {
            const lease = pool.lend(step);
            expect(lease.buffer.byteLength).toBeGreaterThanOrEqual(step);
            expect([...live.values()]).not.toContain(lease.buffer);
            reused += Number(seen.has(lease.buffer));
            seen.add(lease.buffer);
            all.push(lease);
            live.set(lease, lease.buffer);
          } else {
            // Some of them have been given back before.
            const lease = all[step.release];
            if (lease === undefined) continue;
            lease.release();
            live.delete(lease);
          }
          expect(pool.spareBytes).toBeLessThanOrEqual(MAX_SPARE_BYTES);
        }
      },
    ),
    { numRuns: runs(1_000) },
  );
  expect(reused).toBeGreaterThan(0);
});

test('a copy has the numbers, whatever was in the memory before', () => {
  const before = lendCopy(Uint32Array.of(7, 8, 9));
  before.release();
  const copy = lendCopy(Uint32Array.of(1, 2));
  expect([...copy.numbers]).toEqual([1, 2]);
  copy.release();
});

test('spare memory is dropped when it was not lent between two looks at it', () => {
  const pool = new SharedPool(MAX_SPARE_BYTES);
  const [large, small] = [pool.lend(1_000), pool.lend(100)];
  large.release();
  small.release();
  const bytes = { large: large.buffer.byteLength, small: small.buffer.byteLength };
  pool.dropUnused();
  expect(pool.spareBytes).toBe(bytes.large + bytes.small);
  pool.lend(100).release();
  pool.dropUnused();
  expect(pool.spareBytes).toBe(bytes.small);
  pool.dropUnused();
  expect(pool.spareBytes).toBe(0);
});

test('threads free shared memory they were handed once nobody else has it', async () => {
  const handed = 2 ** 26;
  const bytes = () => {
    collectGarbage({ isLast: false });
    return process.memoryUsage().arrayBuffers;
  };
  const computeOver = async (byteLength: number) => {
    const [figures] = await runFigures([[new Float64Array(new SharedArrayBuffer(byteLength), 0, 4)]], {
      workersFrom: 1,
    });
    return figures?.count;
  };
  const before = bytes();
  expect(await computeOver(handed)).toBe(4);
  // What a message had is free only after the turn in which its answer came.
  for (let round = 0; round < 10 && bytes() - before > handed / 2; round += 1) {
    await turn();
    await tidyMemory();
  }
  expect(bytes() - before).toBeLessThan(handed / 2);
});

test('threads collect garbage one after the other, so that there is one to compute meanwhile', async () => {
  await closeKernels();
  // On a slow machine the timer would tidy as well.
  const timer = setTimeout(() => {}, 0);
  const timers = jest.spyOn(globalThis, 'setTimeout').mockReturnValue(timer);
  await runFigures([[Float64Array.of(1, 2)]], { workersFrom: 1 });
  let [now, max, all] = [0, 0, 0];
  const { postMessage } = Worker.prototype;
  const spy = jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    message,
  ) {
    now += 1;
    all += 1;
    max = Math.max(max, now);
    this.once('message', () => {
      now -= 1;
    });
    postMessage.call(this, message);
  });
  await tidyMemory();
  spy.mockRestore();
  timers.mockRestore();
  expect([all, max]).toEqual([WORKERS, 1]);
});

test('nothing tidies memory any more once threads were closed, even while they collect garbage', async () => {
  await closeKernels();
  const due: (() => void)[] = [];
  const timer = setTimeout(() => {}, 0);
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((run) => {
    due.push(run);
    return timer;
  });
  await runFigures([[Float64Array.of(1, 2)]], { workersFrom: 1 });
  expect(due).toHaveLength(1);
  due[0]?.();
  await closeKernels();
  await turn();
  spy.mockRestore();
  expect(due).toHaveLength(1);
});
