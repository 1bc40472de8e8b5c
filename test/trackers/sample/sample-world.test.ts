import fc from 'fast-check';
import { expect, test } from '#jest';
import { shiftsBetween } from '../../../src/time/working-time.ts';
import { createClock, createWorld } from '../../../src/trackers/sample/sample-world.ts';

const { offices } = createWorld(7, Date.parse('2026-06-01'));
const iso = (at: number | undefined) => new Date(at ?? Number.NaN).toISOString();

test('holidays follow Easter and the fourth Thursday of November', () => {
  expect(offices.Berlin.holidays.map(({ date }) => date)).toEqual(
    expect.arrayContaining(['2025-04-18', '2025-04-21', '2026-04-03', '2026-05-25']),
  );
  expect(offices['New York'].holidays.map(({ date }) => date)).toEqual(
    expect.arrayContaining(['2025-11-27', '2026-11-26', '2026-09-07']),
  );
  expect(offices['New York'].holidays.find(({ date }) => date === '2026-11-26')?.name).toBe('Thanksgiving');
});

test('office hours begin at local time on both sides of a clock change', () => {
  const berlin = shiftsBetween(offices.Berlin, Date.parse('2026-03-27'), Date.parse('2026-03-31'));
  expect([iso(berlin[0]?.start), iso(berlin[2]?.start)]).toEqual([
    '2026-03-27T08:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
  ]);
});

test('nobody has hours on a holiday', () => {
  expect(shiftsBetween(offices.Berlin, Date.parse('2026-04-03'), Date.parse('2026-04-07'))).toEqual([]);
});

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
