import fc from 'fast-check';
import { expect, test } from '#jest';
import { timeline, trimVisits, type Visit } from '../../../src/engine/visits/timeline.ts';
import type { Change, Issue } from '../../../src/model/issue.ts';
import { aCutStory, anInstant, anyIssue } from '../../support/arbitrary-issue.ts';
import { anIssue } from '../../support/issue-story.ts';
import { runs } from '../../support/soak.ts';

const lengthOf = (visits: readonly Visit[]) =>
  visits.reduce((sum, visit) => sum + visit.end - visit.start, 0);
const aField = fc.constantFrom('status', 'assignee', 'labels');

test('the durations of all visits add up to asked − created exactly, for any history', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, aField, (issue, asOf, field) => {
      const { visits } = timeline(issue, field, asOf);
      expect(lengthOf(visits)).toBe(Math.max(0, asOf - issue.created));
    }),
  );
});

test('visits tile the time from creation to the asked instant without gap or overlap, the last one open', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, aField, (issue, asOf, field) => {
      const { visits } = timeline(issue, field, asOf);
      if (asOf < issue.created) return expect(visits).toEqual([]);
      expect(visits[0]?.start).toBe(issue.created);
      visits.forEach((visit, i) => {
        expect(visit.end).toBeGreaterThanOrEqual(visit.start);
        expect(visit.end).toBe(visits[i + 1]?.start ?? asOf);
        expect(visit.open).toBe(i === visits.length - 1);
      });
    }),
  );
});

test('the order in which changes arrive does not matter', () => {
  const shuffled = anyIssue.chain((issue) =>
    fc
      .shuffledSubarray([...issue.changes], { minLength: issue.changes.length })
      .map((changes) => ({ issue, other: { ...issue, changes } })),
  );
  fc.assert(
    fc.property(shuffled, anInstant, ({ issue, other }, asOf) => {
      expect(timeline(other, 'status', asOf)).toEqual(timeline(issue, 'status', asOf));
    }),
  );
});

test('changes at one instant, whatever their ids, are in an order without contradiction if there is one', () => {
  const aStep = fc.record({ to: fc.constantFrom('A', 'B', 'C'), isTied: fc.boolean(), id: fc.nat(99) });
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 12 }), fc.constantFrom('A', 'B', 'C'), (steps, first) => {
      let at = Date.parse('2026-03-02T09:00:00Z');
      let [state, tied] = [first, 0];
      const changes = steps.map(({ to, isTied, id }): Change => {
        // More of them are not looked at.
        tied = isTied && tied < 7 ? tied + 1 : 0;
        if (tied === 0) at += 60_000;
        const [from, entry] = [{ id: state, name: state }, String(id)];
        state = to;
        return { entry, item: 0, at, field: 'status', from, to: { id: to, name: to }, by: null };
      });
      const now = { id: state, name: state };
      const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z');
      const walked: Issue = {
        ...{ ...issue, changes, status: now, updated: at },
        fields: { ...issue.fields, status: now },
      };
      const { visits, contradictions } = timeline(walked, 'status', at + 1);
      expect(contradictions).toBe(0);
      expect(visits.at(-1)?.value?.id).toBe(state);
      expect(visits[0]?.value?.id).toBe(first);
    }),
  );
});

test('asking later never takes time away from a value, nor a visit', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, anInstant, (issue, one, other) => {
      const [early, late] = [Math.min(one, other), Math.max(one, other)];
      const complete = { ...issue, history: { complete: true } as const };
      const before = timeline(complete, 'status', early).visits;
      const after = timeline(complete, 'status', late).visits;
      const settled = before.slice(0, -1);
      expect(after.slice(0, settled.length)).toEqual(settled);
    }),
  );
});

test('trimming never adds time: not to the whole, not to any value', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, fc.option(anInstant), fc.option(anInstant), (issue, asOf, from, to) => {
      const { visits } = timeline(issue, 'status', asOf);
      const trimmed = trimVisits(visits, { from, to });
      expect(lengthOf(trimmed)).toBeLessThanOrEqual(lengthOf(visits));
      const totals = (of: readonly Visit[]) =>
        of.reduce(
          (sums, { value, start, end }) =>
            sums.set(value?.id ?? null, (sums.get(value?.id ?? null) ?? 0) + end - start),
          new Map<string | null, number>(),
        );
      const whole = totals(visits);
      for (const [id, ms] of totals(trimmed)) expect(ms).toBeLessThanOrEqual(whole.get(id) ?? -1);
    }),
  );
});

test('a window holds exactly the time it shares with the life of the issue', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, anInstant, anInstant, (issue, asOf, from, to) => {
      const { visits } = timeline(issue, 'status', asOf);
      const shared = Math.max(0, Math.min(asOf, to) - Math.max(issue.created, from));
      expect(lengthOf(trimVisits(visits, { from, to }))).toBe(visits.length === 0 ? 0 : shared);
    }),
  );
});

test('whatever is cut out of a true story, no known millisecond is told otherwise than it was', () => {
  fc.assert(
    fc.property(aCutStory, anInstant, fc.constantFrom('status', 'other'), ({ truth, cut }, asOf, field) => {
      const cutTimeline = timeline(cut, field, asOf);
      const truly = timeline(truth, field, asOf).visits;
      expect(cutTimeline.contradictions).toBe(0);
      for (const visit of cutTimeline.visits.filter(({ known }) => known)) {
        const at = (instant: number) =>
          truly.find(({ start, end }) => start <= instant && instant < end)?.value;
        for (const other of [visit.start, ...truly.map(({ start }) => start)]) {
          if (other < visit.start || other >= visit.end) continue;
          expect(at(other)).toEqual(visit.value);
        }
        if (visit.open) expect(truly.at(-1)?.value).toEqual(visit.value);
      }
    }),
    { numRuns: runs(500) },
  );
});

test('two windows that meet hold together exactly what the whole holds', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, anInstant, (issue, asOf, cut) => {
      const { visits } = timeline(issue, 'status', asOf);
      const before = trimVisits(visits, { from: null, to: cut });
      const after = trimVisits(visits, { from: cut, to: null });
      expect(lengthOf(before) + lengthOf(after)).toBe(lengthOf(visits));
    }),
  );
});

test('a trimmed issue is open only if the window reaches the asked instant', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, anInstant, (issue, asOf, to) => {
      const last = trimVisits(timeline(issue, 'status', asOf).visits, { from: null, to }).at(-1);
      if (last?.open) expect(to).toBeGreaterThanOrEqual(asOf);
    }),
  );
});
