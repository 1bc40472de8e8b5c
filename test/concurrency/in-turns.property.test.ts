import fc from 'fast-check';
import { expect, test } from '#jest';
import { inTurns } from '../../src/concurrency/cooperative-yield.ts';
import { runs } from '../support/soak.ts';

const items = fc.array(fc.record({ by: fc.nat(40), id: fc.nat() }), { maxLength: 4_000, size: 'max' });

test('what is sorted in turns is what is sorted at one go, stably, with pauses in between', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      let pauses = 0;
      const pace = () => {
        pauses += 1;
        return pauses % 100 === 0 ? Promise.resolve() : null;
      };
      const compare = (a: { readonly by: number }, b: { readonly by: number }) => a.by - b.by;
      expect(await inTurns(pace).sort(given, compare)).toEqual(given.toSorted(compare));
      // Whoever paces is asked all the time, however many there are.
      if (given.length > 512) expect(pauses).toBeGreaterThanOrEqual(given.length);
      expect(await inTurns(pace).map(given, ({ id }) => id)).toEqual(given.map(({ id }) => id));
    }),
    { numRuns: runs(30) },
  );
});
