import fc from 'fast-check';
import { expect, test } from '#jest';
import type { DelegateSlot } from '../../../src/engine/reports/measuring/report-type.ts';
import { delegateAt, splitByDelegates } from '../../../src/engine/reports/time-by-assignee.ts';
import type { DelegateTime } from '../../../src/model/delegation.ts';
import { anInstant } from '../../support/arbitrary-issue.ts';
import { someStretches } from '../../support/arbitrary-stand-ins.ts';
import { runs } from '../../support/soak.ts';

/** The same person and category have the same slot. */
const slotsOf = (stretches: readonly DelegateTime[]): readonly DelegateSlot[] => {
  const names = stretches.map(({ delegate, category }) => `${category.id} ${delegate}`);
  return stretches.map(({ start, end }, i) => ({ start, end, slot: names.indexOf(names[i] ?? '') }));
};

const seeded = { seed: 20260302, numRuns: runs(300) };

test('the pieces of a span tile it, and each has who stands in at its start', () => {
  fc.assert(
    fc.property(someStretches, anInstant, anInstant, fc.boolean(), (stretches, a, b, open) => {
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      const times = slotsOf(stretches);
      const pieces = splitByDelegates({ start, end, open }, times);
      expect(pieces[0]?.start).toBe(start);
      expect(pieces.at(-1)?.end).toBe(end);
      for (const [i, piece] of pieces.entries()) {
        const inForce = times.find((one) => one.start <= piece.start && piece.start < one.end) ?? null;
        expect(piece.slot).toBe(inForce?.slot ?? null);
        if (i > 0) expect(piece.start).toBe(pieces[i - 1]?.end);
        // Only an open span has a piece of 0 ms, its last one, unless it is of 0 ms itself.
        const momentary = open && i > 0 && piece.start === end;
        if (start < end) expect(piece.end > piece.start).toBe(!momentary);
      }
      const last = times.find((one) => one.start <= end && end < one.end);
      if (open) expect(pieces.at(-1)?.slot).toBe(last?.slot ?? null);
    }),
    seeded,
  );
});

test('who stands in at an instant has done so at every instant since', () => {
  fc.assert(
    fc.property(someStretches, anInstant, anInstant, (stretches, instant, earlier) => {
      const times = slotsOf(stretches);
      const slotAt = (at: number) => times.find(({ start, end }) => start <= at && at < end)?.slot ?? null;
      const { slot, since } = delegateAt(instant, times);
      expect(slot).toBe(slotAt(instant));
      if (since !== null) expect(since).toBeLessThanOrEqual(instant);
      if (earlier <= instant && (since === null || since <= earlier)) {
        expect(slotAt(earlier)).toBe(slotAt(instant));
      }
      if (since !== null) expect(slotAt(since - 1)).not.toBe(slotAt(instant));
    }),
    seeded,
  );
});
