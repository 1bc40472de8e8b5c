import fc from 'fast-check';
import type { Change, FieldValue, History, Issue } from '../../src/model/issue.ts';

/** Instants within a few days at a coarse grain, so that ties, repeats and changes before the creation come up. */
export const anInstant = fc
  .integer({ min: 0, max: 40 })
  .map((step) => Date.parse('2026-03-02T00:00:00Z') + step * 3_600_007);

const aValue: fc.Arbitrary<FieldValue | null> = fc
  .constantFrom('1', '2', '3', '4', null)
  .map((id) => (id === null ? null : { id, name: `Status ${id}` }));

const aChange: fc.Arbitrary<Change> = fc.record({
  entry: fc.integer({ min: 0, max: 30 }).map(String),
  item: fc.integer({ min: 0, max: 2 }),
  at: anInstant,
  field: fc.constantFrom('status', 'status', 'assignee'),
  from: aValue,
  to: aValue,
  by: fc.constantFrom('ada', 'bob', null),
});

const aHistory: fc.Arbitrary<History> = fc.oneof(
  fc.constant<History>({ complete: true }),
  fc
    .record({ unknownFrom: fc.option(anInstant), unknownUntil: fc.option(anInstant) })
    .map((gap): History => ({ complete: false, reason: 'cut', ...gap })),
);

/** Any issue a tracker could tell, however odd its history. */
export const anyIssue: fc.Arbitrary<Issue> = fc
  .record({
    created: anInstant,
    changes: fc.array(aChange, { maxLength: 12 }),
    history: aHistory,
    current: aValue,
  })
  .map(({ created, changes, history, current }) => ({
    key: 'WEB-1',
    project: { id: 'WEB', name: 'Web' },
    summary: 'Any issue',
    created,
    updated: created,
    resolved: null,
    status: current ?? { id: '1', name: 'Status 1' },
    assignee: null,
    fields: { status: current, assignee: null, summary: 'Any issue' },
    changes,
    history,
  }));
