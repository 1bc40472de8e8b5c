import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, expect, test } from '#jest';
import { adaHere, hourly } from '../../support/digest-office.ts';
import { runs } from '../../support/soak.ts';
import { at, closeOffices, hours, recording, weekly } from './recording-office.ts';

afterEach(closeOffices);

test('a clock that is set back brings nothing twice', async () => {
  const { digests, clock, dues, passes } = await recording();
  await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  clock.now -= 2 * millisecondsInHour;
  await passes(4 * millisecondsInHour);
  expect(dues()).toEqual(hours(13, 12, 14, 15));
});

test('a clock that jumped years ahead and was put right does not keep a digest waiting for years', async () => {
  const { digests, clock, dues, passes, jumps, store } = await recording();
  const { id } = await digests.create(adaHere, weekly);
  const right = clock.now;
  await jumps(at('2029-01-01T12:00:00Z') - right);
  expect(dues()).toEqual([
    '2028-12-18T08:00:00.000Z',
    '2028-12-25T08:00:00.000Z',
    '2029-01-01T08:00:00.000Z',
  ]);
  await jumps(right - clock.now);
  // What was left out for a time that has not come is not left out.
  expect((await store.runs(id, 1_000)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  expect((await digests.get(adaHere, id)).nextDue).toBe(at('2026-03-23T08:00:00Z'));
  await passes(6 * 24 * millisecondsInHour, 2 * millisecondsInHour);
  expect(dues().slice(3)).toEqual(['2026-03-23T08:00:00.000Z']);
});

test('a clock that is wrong for one look does not leave a digest silent, nor bring anything early', async () => {
  const { digests, clock, dues, passes } = await recording();
  await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  const right = clock.now;
  for (const wrong of [10 * 24 * millisecondsInHour, -10 * 24 * millisecondsInHour]) {
    clock.now = right + wrong;
    await digests.tick();
    clock.now = right;
    await digests.tick();
  }
  expect(dues()).toEqual(['2026-03-18T13:00:00.000Z']);
  await passes(2 * millisecondsInHour);
  expect(dues().slice(1)).toEqual(hours(14, 15));
});

test('after a start, and after a jump ahead, nothing is brought until the clock is seen again', async () => {
  const { digests, clock, dues } = await recording();
  await digests.create(adaHere, hourly);
  clock.now += millisecondsInHour;
  await digests.tick();
  expect(dues()).toEqual([]);
  await digests.tick();
  expect(dues()).toHaveLength(1);
  clock.now += millisecondsInHour;
  await digests.tick();
  expect(dues()).toHaveLength(1);
  clock.now += 60_000;
  await digests.tick();
  expect(dues()).toHaveLength(2);
});

test('however a clock jumps for a look or for longer, every hour that passes comes once', async () => {
  const jump = fc.record({
    afterMinutes: fc.integer({ min: 0, max: 150 }),
    hours: fc.constantFrom(-72, -5, -1, 1, 2, 7, 72, 24 * 400),
    looks: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(jump, { maxLength: 4 }), async (jumps) => {
      const { digests, clock, dues, passes, close } = await recording();
      const begin = clock.now;
      await digests.create(adaHere, hourly);
      await digests.tick();
      for (const { afterMinutes, hours, looks } of jumps) {
        await passes(afterMinutes * 60_000);
        clock.now += hours * millisecondsInHour;
        for (let look = 0; look < looks; look += 1) await passes(millisecondsInMinute, millisecondsInMinute);
        clock.now -= hours * millisecondsInHour;
        await digests.tick();
      }
      await passes(4 * millisecondsInHour);
      const told = dues();
      expect(new Set(told).size).toBe(told.length);
      for (let due = at('2026-03-18T13:00:00Z'); due <= clock.now; due += millisecondsInHour) {
        expect(told).toContain(new Date(due).toISOString());
      }
      const early = told.filter((due) => at(due) > clock.now || at(due) < begin);
      if (jumps.every(({ looks }) => looks === 1)) expect(early).toEqual([]);
      close();
    }),
    { numRuns: runs(15) },
  );
});

test('what ended a quarter of a year ago is forgotten, but not by a clock that has just jumped there', async () => {
  const { digests, passes, jumps, store } = await recording();
  const { id } = await digests.create(adaHere, hourly);
  const oldest = async () => (await store.runs(id, 1_000)).at(-1)?.due;
  await passes(2 * millisecondsInHour);
  await jumps(100 * 24 * millisecondsInHour);
  expect(await oldest()).toBe(at('2026-03-18T13:00:00Z'));
  await passes(2 * millisecondsInHour);
  expect(await oldest()).toBeGreaterThan(at('2026-06-01T00:00:00Z'));
});
