import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { expect, test } from '#jest';
import { createClockCheck, createStoreClock } from '../../src/concurrency/clock-check.ts';

/** What is believed of times that are seen one after the other. */
function seen(...times: readonly number[]) {
  const check = createClockCheck();
  return times.map((at) => {
    const believed = check(at);
    return believed === null ? 'not yet' : believed.wrongAfter;
  });
}

test('a clock is believed from the second look on', () => {
  expect(
    seen(
      millisecondsInDay,
      millisecondsInDay + millisecondsInMinute,
      millisecondsInDay + 2 * millisecondsInMinute,
    ),
  ).toEqual(['not yet', null, null]);
});

test('a jump is believed when it is confirmed, and never when the clock is right again', () => {
  expect(
    seen(
      millisecondsInDay,
      millisecondsInDay,
      3 * millisecondsInDay,
      3 * millisecondsInDay + millisecondsInMinute,
    ),
  ).toEqual(['not yet', null, 'not yet', null]);
  expect(
    seen(
      millisecondsInDay,
      millisecondsInDay,
      3 * millisecondsInDay,
      millisecondsInDay,
      millisecondsInDay + millisecondsInMinute,
    ),
  ).toEqual(['not yet', null, 'not yet', 'not yet', null]);
});

test('where a clock was ahead for a while, what was written since it was right is wrong', () => {
  const ahead = [
    3 * millisecondsInDay,
    3 * millisecondsInDay + millisecondsInMinute,
    3 * millisecondsInDay + 2 * millisecondsInMinute,
  ];
  expect(
    seen(
      millisecondsInDay,
      millisecondsInDay,
      ...ahead,
      millisecondsInDay + 4 * millisecondsInMinute,
      millisecondsInDay + 5 * millisecondsInMinute,
    ).at(-1),
  ).toBe(millisecondsInDay);
});

test('where a clock was set back, what was written for times to come is wrong', () => {
  expect(
    seen(
      3 * millisecondsInDay,
      3 * millisecondsInDay,
      millisecondsInDay,
      millisecondsInDay + millisecondsInMinute,
    ).at(-1),
  ).toBe(millisecondsInDay + millisecondsInMinute);
});

test('the clock of a store is the machine’s with what was measured last, but for what may come from the measuring', async () => {
  let offset: number | Error = 0;
  const clock = createStoreClock(
    () => 1_000,
    async () => {
      if (offset instanceof Error) throw offset;
      return offset;
    },
  );
  for (const [measured, now] of [
    [99.4, 1_000],
    [100, 1_100],
    [-2_500.2, -1_500],
  ] as const) {
    offset = measured;
    await clock.measure();
    expect([clock.now(), clock.aheadMs()]).toEqual([now, Math.round(measured)]);
  }
  offset = new Error('the store is away');
  await expect(clock.measure()).rejects.toThrow('away');
  expect(clock.now()).toBe(-1_500);
});
