import fc from 'fast-check';
import { expect, test } from '#jest';
import { nextPlace, tokenOf } from '../../../src/trackers/jira/cloud-search.ts';

/** How many pages are read of a search whose tokens lead from one number to the next as told, before it is noticed. */
function pagesUntilNoticed(first: number, circle: number): number {
  let place: string | null = null;
  for (let page = 0; page < 10_000; page += 1) {
    const token = page < first ? page : first + ((page - first) % circle);
    try {
      place = nextPlace(String(token), place, '/search/jql');
      expect(tokenOf(place)).toBe(String(token));
    } catch (error) {
      expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('in a circle') });
      return page;
    }
  }
  return Number.POSITIVE_INFINITY;
}

test('every circle of tokens is noticed before long, however late it begins', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 200 }), (first, circle) => {
      const pages = pagesUntilNoticed(first, circle);
      expect(pages).toBeGreaterThanOrEqual(first + circle);
      expect(pages).toBeLessThanOrEqual(3 * (first + circle) + 3);
    }),
  );
});

test('tokens that are new every time go on', () => {
  expect(pagesUntilNoticed(10_000, 1)).toBe(Number.POSITIVE_INFINITY);
});

test.each(['nowhere', '["a"]', '["a","b",0,"1"]'])('%s is no place', (text) => {
  expect(() => tokenOf(text)).toThrow(expect.objectContaining({ code: 'bad-request' }));
});
