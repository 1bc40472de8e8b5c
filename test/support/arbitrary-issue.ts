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
  entry: fc.oneof(fc.integer({ min: 0, max: 30 }).map(String), fc.constantFrom('', '1a', '9x', 'a')),
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

/** A true story: changes at distinct instants after the creation, each starting where the one before ended. */
const aTrueStory: fc.Arbitrary<Issue> = fc
  .record({
    first: fc.constantFrom('1', '2', '3'),
    steps: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }),
    values: fc.array(fc.constantFrom('1', '2', '3', '4'), { minLength: 10, maxLength: 10 }),
    fields: fc.array(fc.constantFrom('status', 'status', 'other'), { minLength: 10, maxLength: 10 }),
  })
  .map(({ first, steps, values, fields }) => {
    const created = Date.parse('2026-03-02T00:00:00Z');
    const now: Record<string, FieldValue | null> = { status: { id: first, name: first }, other: null };
    const changes = steps
      .toSorted((a, b) => a - b)
      .map((step, i): Change => {
        const field = fields[i] ?? 'status';
        const to = { id: values[i] ?? '1', name: values[i] ?? '1' };
        const change = {
          entry: String(i),
          item: 0,
          at: created + step * 3_600_007,
          field,
          from: now[field] ?? null,
          to,
          by: null,
        };
        now[field] = to;
        return change;
      });
    const status = now.status ?? { id: first, name: first };
    return {
      key: 'WEB-1',
      project: { id: 'WEB', name: 'Web' },
      summary: 'A true story',
      created,
      updated: changes.at(-1)?.at ?? created,
      resolved: null,
      status,
      assignee: null,
      fields: { ...now, status },
      changes,
      history: { complete: true },
    };
  });

/** What a tracker may keep of a true story: the changes up to one of them and from another one on. */
export const aCutStory = aTrueStory.chain((truth) =>
  fc
    .record({ lost: fc.nat(truth.changes.length), kept: fc.nat(truth.changes.length) })
    .map(({ lost, kept }) => {
      const [from, to] = [Math.min(lost, kept), Math.max(lost, kept)];
      const before = truth.changes.slice(0, from);
      const after = truth.changes.slice(to);
      const cut: Issue = {
        ...truth,
        changes: [...before, ...after],
        history: {
          complete: false,
          unknownFrom: before.at(-1)?.at ?? null,
          unknownUntil: after[0]?.at ?? null,
          reason: 'cut',
        },
      };
      return { truth, cut };
    }),
);
