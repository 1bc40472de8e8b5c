import fc from 'fast-check';
import { expect, test } from '#jest';
import { overlaps, timeline } from '../../../src/engine/measure/timeline.ts';
import { anInstant, anyIssue } from '../../support/arbitrary-issue.ts';

test('the overlaps of two fields tile the time both are known', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, (issue, asked) => {
      const first = timeline(issue, 'assignee', asked).visits;
      const second = timeline(issue, 'status', asked).visits;
      const pieces = overlaps(first, second);
      const known = (at: number) =>
        [first, second].every((visits) => visits.find(({ start, end }) => start <= at && at < end)?.known);
      const edges = [...new Set([...first, ...second].flatMap(({ start, end }) => [start, end]))].sort(
        (a, b) => a - b,
      );
      const length = edges
        .slice(1)
        .reduce((sum, end, i) => sum + (known(edges[i] ?? 0) ? end - (edges[i] ?? 0) : 0), 0);
      expect(pieces.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(length);
      for (const [i, piece] of pieces.entries()) {
        expect(piece.start).toBeGreaterThanOrEqual(pieces[i - 1]?.end ?? piece.start);
        expect(piece.first.start).toBeLessThanOrEqual(piece.start);
        expect(piece.second.end).toBeGreaterThanOrEqual(piece.end);
      }
    }),
  );
});

test('every known visit of either field takes part, a momentary one too, where the other is known', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, (issue, asked) => {
      const complete = { ...issue, history: { complete: true } as const };
      const first = timeline(complete, 'assignee', asked).visits;
      const second = timeline(complete, 'status', asked).visits;
      const pieces = overlaps(first, second);
      expect(new Set(pieces.map((piece) => piece.first)).size).toBe(first.length);
      expect(new Set(pieces.map((piece) => piece.second)).size).toBe(second.length);
    }),
  );
});
