import { expect, test } from '@jest/globals';
import { createClockTrust } from '../../../src/api/digests/clock-trust.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** What is believed of times that are seen one after the other. */
function seen(...times: readonly number[]) {
  const trust = createClockTrust();
  return times.map((at) => {
    const believed = trust(at);
    return believed === null ? 'not yet' : believed.wrongAfter;
  });
}

test('a clock is believed from the second look on', () => {
  expect(seen(DAY, DAY + MINUTE, DAY + 2 * MINUTE)).toEqual(['not yet', null, null]);
});

test('a jump is believed when it is confirmed, and never when the clock is right again', () => {
  expect(seen(DAY, DAY, 3 * DAY, 3 * DAY + MINUTE)).toEqual(['not yet', null, 'not yet', null]);
  expect(seen(DAY, DAY, 3 * DAY, DAY, DAY + MINUTE)).toEqual(['not yet', null, 'not yet', 'not yet', null]);
});

test('where a clock was ahead for a while, what was written since it was right is wrong', () => {
  const ahead = [3 * DAY, 3 * DAY + MINUTE, 3 * DAY + 2 * MINUTE];
  expect(seen(DAY, DAY, ...ahead, DAY + 4 * MINUTE, DAY + 5 * MINUTE).at(-1)).toBe(DAY);
});

test('where a clock was set back, what was written for times to come is wrong', () => {
  expect(seen(3 * DAY, 3 * DAY, DAY, DAY + MINUTE).at(-1)).toBe(DAY + MINUTE);
});
