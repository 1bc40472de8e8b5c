import fc from 'fast-check';
import { expect, test } from '#jest';
import { delegateAt, splitByDelegates } from '../../../src/engine/reports/time-by-assignee.ts';
import { anInstant } from '../../support/arbitrary-issue.ts';
import { someStretches } from '../../support/arbitrary-stand-ins.ts';
import { runs } from '../../support/soak.ts';

const seeded = { seed: 20260302, numRuns: runs(300) };

test('the pieces of a span tile it, and each has who stands in at its start', () => {
  fc.assert(
    fc.property(someStretches, anInstant, anInstant, fc.boolean(), (stretches, a, b, open) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      const pieces = splitByDelegates({ start, end, open }, stretches);
      expect(pieces[0]?.start).toBe(start);
      expect(pieces.at(-1)?.end).toBe(end);
      for (const [i, piece] of pieces.entries()) {
        const inForce = stretches.find((one) => one.start <= piece.start && piece.start < one.end) ?? null;
        expect(piece.standIn).toBe(inForce);
        if (i > 0) expect(piece.start).toBe(pieces[i - 1]?.end);
        // Only an open span has a piece of 0 ms, its last one, unless it is of 0 ms itself.
        const momentary = open && i > 0 && piece.start === end;
        if (start < end) expect(piece.end > piece.start).toBe(!momentary);
      }
      const last = stretches.find((one) => one.start <= end && end < one.end) ?? null;
      if (open) expect(pieces.at(-1)?.standIn).toBe(last);
    }),
    seeded,
  );
});

test('who stands in at an instant has done so at every instant since', () => {
  fc.assert(
    fc.property(someStretches, anInstant, anInstant, (stretches, instant, earlier) => {
      const told = (at: number) => {
        const one = stretches.find(({ start, end }) => start <= at && at < end);
        return one === undefined ? null : { delegate: one.delegate, category: one.category.id };
      };
      const { standIn, since } = delegateAt(instant, stretches);
      expect(standIn && { delegate: standIn.delegate, category: standIn.category.id }).toEqual(told(instant));
      if (since !== null) expect(since).toBeLessThanOrEqual(instant);
      if (earlier <= instant && (since === null || since <= earlier)) {
        expect(told(earlier)).toEqual(told(instant));
      }
      if (since !== null) expect(told(since - 1)).not.toEqual(told(instant));
    }),
    seeded,
  );
});
