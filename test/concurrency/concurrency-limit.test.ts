import { expect, test } from '#jest';
import { createLimit, createLimitByKey } from '../../src/concurrency/concurrency-limit.ts';
import { withTaskContext, yieldToOthers } from '../../src/concurrency/cooperative-yield.ts';

test('work of one key waits for the work before, also where that failed; work of another does not', async () => {
  const mutex = createLimitByKey<number>(1);
  const begun: string[] = [];
  const { promise, reject } = Promise.withResolvers<void>();
  const first = mutex(1, async () => {
    begun.push('first');
    await promise;
  });
  const second = mutex(1, async () => void begun.push('second'));
  await mutex(2, async () => void begun.push('other'));
  expect(begun).toEqual(['first', 'other']);
  reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await second;
  expect(begun).toEqual(['first', 'other', 'second']);
});

test('no more than so much runs at a time, also where somebody who has begun leaves', async () => {
  const limit = createLimit(2);
  const ends: (() => void)[] = [];
  let [running, most] = [0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  };
  const leaving = new AbortController();
  const all = [limit(work, leaving.signal), limit(work), limit(work), limit(work)];
  leaving.abort(new Error('gone'));
  for (let left = 4; left > 0; ) {
    await new Promise(setImmediate);
    if (ends.length > 0) left -= 1;
    ends.pop()?.();
  }
  await Promise.all(all);
  expect(most).toBe(2);
});

test('who leaves while waiting is let go at once, and their work never begins', async () => {
  const limit = createLimit(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const first = limit(() => promise);
  const leaving = new AbortController();
  const second = limit(async () => void begun.push('second'), leaving.signal);
  const third = limit(async () => void begun.push('third'));
  const gone = new Error('gone');
  leaving.abort(gone);
  await expect(second).rejects.toBe(gone);
  await expect(limit(async () => void begun.push('late'), leaving.signal)).rejects.toBe(gone);
  resolve();
  await Promise.all([first, third]);
  expect(begun).toEqual(['third']);
});

test('work runs in the context it was given in, whatever it waited for', async () => {
  const limit = createLimit(1);
  const leaving = new AbortController();
  const first = withTaskContext({ signal: leaving.signal }, () => limit(() => new Promise(setImmediate)));
  const second = limit(async () => {
    leaving.abort(new Error('gone'));
    await yieldToOthers();
    return 'done';
  });
  await first;
  await expect(second).resolves.toBe('done');
});
