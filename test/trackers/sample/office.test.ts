import { expect, test } from '#jest';
import { shiftsBetween } from '../../../src/time/working-time.ts';
import { createOffices } from '../../../src/trackers/sample/sample-world.ts';

const offices = createOffices(2025, 2026);
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
