import { describe, expect, test } from '#jest';
import type { Signals } from '../../../src/store/store.ts';
import { livingTracker } from '../../support/living-tracker.ts';
import { startSync } from './start-sync.ts';

/** Signals that reach every other process, or none (`isLost`). */
function connected(isLost: boolean): () => Signals {
  const listening = new Map<symbol, () => void>();
  return () => {
    const own = Symbol('process');
    return {
      send() {
        if (!isLost) for (const [process, listen] of listening) if (process !== own) listen();
      },
      on(_topic, listen) {
        listening.set(own, listen);
        return () => void listening.delete(own);
      },
    };
  };
}

/** Waits until a condition holds. It checks seldom, for a sync lets other work go first. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks += 1) {
    if (looks === 10_000) throw new Error(`It did not come: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Issues, one of which is gone from the tracker without a search showing it, and processes that synchronize. */
async function start({ isLost }: { readonly isLost: boolean }) {
  const time = { now: Date.parse('2026-03-02T09:00:00Z') };
  const waits: { readonly ms: number; readonly resolve: () => void }[] = [];
  let hold: Promise<void> | null = null;
  const reached = Promise.withResolvers<void>();
  let surveys = 0;
  const tracker = livingTracker({
    ourNow: () => time.now,
    before: async (method) => {
      if (method !== 'survey' || hold === null) return;
      surveys += 1;
      // In the midst of a turn.
      if (surveys !== 2) return;
      reached.resolve();
      await hold;
    },
  });
  const gone = tracker.create('DEMO');
  for (let i = 0; i < 8; i += 1) tracker.create('DEMO');
  const started = await startSync({
    now: () => time.now,
    signals: connected(isLost),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener('abort', () => resolve());
        waits.push({ ms, resolve });
      }),
  });
  const holder = started.process(tracker);
  const other = started.process(tracker);
  await holder.turn();
  time.now += 60_000;
  for (const id of tracker.kept.keys()) tracker.change(id);
  tracker.remove(gone);
  return {
    ...{ time, gone, holder, other, ...started },
    isGone: async () => (await started.issues.issue('DEMO-1')) === null,
    /** Waits until a number of pauses of a length are under way. */
    pauses: (count: number, ms: number) =>
      until(() => waits.filter((wait) => wait.ms === ms).length === count),
    /** Ends the pauses of a length. */
    ends(ms: number) {
      const ended = waits.filter((wait) => wait.ms === ms);
      for (const wait of ended) waits.splice(waits.indexOf(wait), 1);
      for (const { resolve } of ended) resolve();
    },
    /** Resolves when a turn is held. */
    reached: reached.promise,
    /** Keeps the next turn in its search until the result is called. */
    holds(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return () => {
        hold = null;
        resolve();
      };
    },
  };
}

describe('a nudge that comes to a process which does not synchronize', () => {
  test('reaches the one that rests between two turns, a second later', async () => {
    const { gone, holder, other, isGone, pauses, ends } = await start({ isLost: false });
    holder.start();
    await pauses(1, 30_000);
    await other.nudge([gone]);
    await pauses(2, 1000);
    expect(await isGone()).toBe(false);
    ends(1000);
    await until(isGone);
  });

  test('waits for the next turn where the hint is lost, and its process ends', async () => {
    const { gone, holder, other, isGone, pauses, ends } = await start({ isLost: true });
    holder.start();
    await pauses(1, 30_000);
    await other.nudge([gone]);
    await other.stop();
    expect(await isGone()).toBe(false);
    ends(30_000);
    await until(isGone);
  });

  test.each([
    ['at once', false, 0],
    ['within a second where the hint is lost', true, 1000],
  ])('reaches the one that has a turn under way %s', async (_, isLost, ms) => {
    const { time, gone, holder, other, isGone, holds, reached } = await start({ isLost });
    const goOn = holds();
    holder.start();
    await reached;
    await other.nudge([gone]);
    expect(await isGone()).toBe(false);
    time.now += ms;
    goOn();
    await until(isGone);
  });
});

test('a nudge that comes while the issue is being read is not settled by that', async () => {
  const { gone, holder, other, kept, isGone } = await start({ isLost: false });
  await other.nudge([gone]);
  const { revision } = await kept.nudges();
  await other.nudge([gone]);
  await kept.removeNudges(revision);
  expect(await kept.nudges()).toMatchObject({ ids: [gone] });
  await holder.turn();
  expect(await isGone()).toBe(true);
  expect(await kept.nudges()).toMatchObject({ ids: [] });
});

test('nudges that come together are all stored', async () => {
  const { other, kept } = await start({ isLost: false });
  await Promise.all(['7', '8', '9'].map((id) => other.nudge([id])));
  expect(await kept.nudges()).toMatchObject({ ids: ['7', '8', '9'] });
});
