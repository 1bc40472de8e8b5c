import fc from 'fast-check';
import { expect, test } from '#jest';
import {
  begunAnew,
  type DataCenterPlace,
  dataCenterPlaceText,
  nearEnough,
  readDataCenterPlace,
} from '../../../src/trackers/jira/data-center-search.ts';

const noon = Date.parse('2026-03-10T12:00:00Z');
const place: DataCenterPlace = { from: null, startAt: 8990, id: '10007', at: noon + 31_000 };

test('a place is read as it was written', () => {
  const instant = fc.option(fc.integer());
  const id = fc.option(fc.nat().map(String));
  fc.assert(
    fc.property(fc.record({ from: instant, startAt: fc.nat(), id, at: instant }), (any) => {
      expect(readDataCenterPlace(dataCenterPlaceText(any))).toEqual(any);
    }),
  );
});

test('a search begins anew at the minute of its last issue once 9,000 issues lie before it', () => {
  expect(nearEnough(place)).toBe(place);
  expect(nearEnough({ ...place, startAt: 9001 })).toEqual({ from: noon, startAt: 0, id: null, at: null });
});

test('it goes on where beginning anew would lead nowhere', () => {
  const within = { ...place, startAt: 9001, from: noon };
  expect(nearEnough(within)).toBe(within);
  expect(begunAnew(within)).toBeNull();
  expect(begunAnew({ ...within, at: null })).toBeNull();
  expect(begunAnew({ ...within, at: noon + 60_000 })?.from).toBe(noon + 60_000);
});
