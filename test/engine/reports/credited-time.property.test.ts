import fc from 'fast-check';
import { expect, test } from '#jest';
import type { MeasureContext, Measured } from '../../../src/engine/reports/measuring/report-type.ts';
import { assigneeDuration } from '../../../src/engine/reports/time-by-assignee.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { cellOf } from '../../../src/model/table.ts';
import { type Calendar, calendarOf, normalHours } from '../../../src/time/calendar.ts';
import { anInstant, anyIssue } from '../../support/arbitrary-issue.ts';
import { anyStandInTimes } from '../../support/arbitrary-stand-ins.ts';
import { asked, measureOf } from '../../support/measuring.ts';
import { runs } from '../../support/soak.ts';

const office: Calendar = calendarOf({
  id: 1,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY'] as const).flatMap((weekday) => [
    { weekday, start: 32_400_000, end: 45_000_000 },
    { weekday, start: 47_700_000, end: 63_900_000 },
  ]),
  holidays: [],
});

const anyContext: fc.Arbitrary<MeasureContext> = fc
  .record({
    at: anInstant,
    trim: fc.record({ from: fc.option(anInstant), to: fc.option(anInstant) }),
    calendar: fc.constantFrom(normalHours, office),
    without: fc.constantFrom(null, '1', '2'),
  })
  .map(({ at, trim, calendar, without }) =>
    asked(new Date(at).toISOString(), { trim, calendar, countsStatus: (id) => id !== without }),
  );

/** Milliseconds per person an issue was with, whoever stood in for them. */
function byOwner({ columns, lines }: Measured): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { id, standIn } of columns) {
    const owner = standIn?.owner.id ?? id;
    sums[owner] = (sums[owner] ?? 0) + Number(cellOf(lines[0] ?? {}, id)?.value);
  }
  return sums;
}

test('whoever stands in, the time of every assignee is told whole and once', () => {
  fc.assert(
    fc.property(anyIssue, anyContext, anyStandInTimes, (issue, context, delegateTimes) => {
      const plain = measureOf(assigneeDuration, issue, context);
      const credited = measureOf(assigneeDuration, issue, { ...context, delegateTimes });
      expect(byOwner(credited)).toEqual(byOwner(plain));
      expect(credited.unknown).toEqual(plain.unknown);
      expect(credited.contradictions).toBe(plain.contradictions);
      expect(new Set(credited.columns.map(({ id }) => id)).size).toBe(credited.columns.length);
    }),
    { seed: 20260302, numRuns: runs(400) },
  );
});

test('each column has the time its own stretches cut out of that of their owner, and no visit twice', () => {
  fc.assert(
    fc.property(anyIssue, anyContext, anyStandInTimes, (issue, context, delegateTimes) => {
      const plain = measureOf(assigneeDuration, issue, context);
      const credited = measureOf(assigneeDuration, issue, { ...context, delegateTimes });
      for (const { id, standIn } of credited.columns) {
        const cell = cellOf(credited.lines[0] ?? {}, id);
        const owner = standIn?.owner.id ?? id;
        expect(cell?.visits).toBeLessThanOrEqual(cellOf(plain.lines[0] ?? {}, owner)?.visits ?? 0);
        if (standIn === undefined) continue;
        const own = delegateTimes(owner).filter(
          ({ delegate, category }) => delegate === standIn.delegate.id && category.id === standIn.category.id,
        );
        // The same stretches as windows of time, one after the other, in which nobody else is looked at.
        const alone = own.reduce((sum, { start, end }) => {
          const { trim } = context;
          const window = {
            from: Math.max(start, trim.from ?? start),
            to: Math.min(end, trim.to ?? end),
          };
          const { lines } = measureOf(assigneeDuration, issue, { ...context, trim: window });
          return sum + Number(cellOf(lines[0] ?? {}, owner)?.value ?? 0);
        }, 0);
        expect(cell?.value).toBe(alone);
      }
    }),
    { seed: 20260303, numRuns: runs(200) },
  );
});

test('where the issue is now is a column: of the person it is with, and of who stands in for them', () => {
  fc.assert(
    fc.property(anyIssue, anInstant, anyStandInTimes, (any, at, delegateTimes) => {
      // In one status throughout: a time without any has no column, even where it is now.
      const status = { id: '1', name: 'Status 1' };
      const changes = any.changes.filter(({ field }) => field !== 'status');
      const issue: Issue = {
        ...any,
        changes,
        fields: { ...any.fields, status },
        history: { complete: true },
      };
      const context = asked(new Date(at).toISOString());
      const [plain] = measureOf(assigneeDuration, issue, context).current;
      const { current, columns } = measureOf(assigneeDuration, issue, { ...context, delegateTimes });
      const column = columns.find(({ id }) => id === current[0]?.columnId);
      expect(column?.title).toBe(current[0]?.title);
      expect(column?.standIn?.owner.id ?? column?.id).toBe(plain?.columnId);
      const inForce = delegateTimes(plain?.columnId ?? '').find(({ start, end }) => start <= at && at < end);
      expect(column?.standIn?.delegate.id).toBe(inForce?.delegate);
      expect(column?.standIn?.category).toBe(inForce?.category);
    }),
    { seed: 20260304, numRuns: runs(300) },
  );
});
