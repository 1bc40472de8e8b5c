import fc from 'fast-check';
import { expect, test } from '#jest';
import { createClock } from '../../../src/trackers/sample/sample-world.ts';

const clock = createClock([
  { start: 100, end: 200 },
  { start: 300, end: 350 },
]);

test('after moves over what is not working time', () => {
  expect(clock.after(0, 10)).toBe(110);
  expect(clock.after(190, 30)).toBe(320);
  expect(clock.after(250, 50)).toBe(350);
  expect(clock.after(340, 11)).toBe(Infinity);
});

test('between counts working time only', () => {
  expect(clock.between(0, 1000)).toBe(150);
  expect(clock.between(150, 310)).toBe(60);
  expect(clock.between(200, 300)).toBe(0);
});

test('lastEnd is the end of the last stretch that is over', () => {
  expect(clock.lastEnd(199)).toBe(-Infinity);
  expect(clock.lastEnd(200)).toBe(200);
  expect(clock.lastEnd(900)).toBe(350);
});

test('after and between agree', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 340 }), fc.integer({ min: 1, max: 150 }), (from, work) => {
      const at = clock.after(from, work);
      if (at < Infinity) expect(clock.between(from, at)).toBe(work);
      else expect(clock.between(from, 1000)).toBeLessThan(work);
    }),
  );
});
