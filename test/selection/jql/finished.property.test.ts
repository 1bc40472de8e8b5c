import fc from 'fast-check';
import { expect, test } from '#jest';
import { ASK } from '../../../src/engine/columns/row-predicates.ts';
import type { Change, FieldValue, Issue } from '../../../src/model/issue.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { aCutStory, anInstant, anyIssue } from '../../support/arbitrary-issue.ts';
import { runs } from '../../support/soak.ts';
import { aWorld, change, issueWith } from './a-world.ts';
import { answerOf, columnTruth, found, loadedFrom, ordered, undecided } from './ask.ts';
import { definedAnswer } from './defined-answer.ts';
import { definedOrder } from './defined-values.ts';

const RUNS = runs(400);

/** To Do, In Progress, two that are Done, one of unknown category. */
const ids: Readonly<Record<string, string>> = { 1: '1', 2: '5', 3: '3', 4: '6' };

/** The same story in statuses that have categories; `strange`: one of them has none. */
function withCategories(issue: Issue, strange: boolean): Issue {
  const renamed = (value: FieldValue | null): FieldValue | null => {
    if (value === null) return null;
    const id = strange && value.id === '3' ? '9' : (ids[value.id] ?? value.id);
    return { id, name: value.name };
  };
  const status = renamed(issue.status) ?? issue.status;
  return {
    ...issue,
    status,
    fields: { ...issue.fields, status: issue.fields.status === null ? null : status },
    changes: issue.changes.map((one) =>
      one.field === 'status' ? { ...one, from: renamed(one.from), to: renamed(one.to) } : one,
    ),
  };
}

const aStory = fc
  .tuple(
    fc.oneof(
      anyIssue.map((issue) => ({
        ...issue,
        updated: issue.changes.reduce((last, { at }) => Math.max(last, at), issue.created),
      })),
      aCutStory.map(({ cut }) => cut),
      aCutStory.map(({ truth }) => truth),
    ),
    fc.boolean(),
  )
  .map(([issue, strange]) => withCategories(issue, strange));

const someStories = fc
  .array(aStory, { minLength: 1, maxLength: 5 })
  .map((some) => some.map((issue, i) => ({ ...issue, key: `WEB-${i}` })));

const aClause = fc.constantFrom(
  ...[
    'finished >= "2026-03-02 12:00"',
    'finished < "2026-03-03 04:00"',
    'finished > -1d',
    'finished <= "2026-03-02 18:00"',
    'finished = "2026-03-02 10:00"',
    'finished != "2026-03-02 10:00"',
    'finished in ("2026-03-02 05:00", "2026-03-02 06:00")',
    'finished is EMPTY',
    'finished is not EMPTY',
    'finished >= "2026-03-02 06:00" AND finished < "2026-03-02 22:00"',
    'NOT finished >= "2026-03-02 09:00"',
  ],
);

test('columns say when an issue was finished as the issue does, and are silent where only it knows', () => {
  let something = 0;
  fc.assert(
    fc.property(aClause, someStories, anInstant, (jql, issues, at) => {
      const world = aWorld({ issues, now: new Date(at).toISOString() });
      const query = compileJql(jql, world);
      for (const issue of issues) {
        expect(answerOf(issue, query, world)).toBe(definedAnswer(jql, issue, world));
        something += columnTruth(issue, query, world) === ASK ? 0 : 1;
      }
      const born = Math.max(at, ...issues.map(({ created }) => created));
      for (const direction of ['asc', 'desc']) {
        const later = aWorld({ issues, now: new Date(born).toISOString() });
        const order = `ORDER BY finished ${direction}`;
        expect(ordered(order, later)).toEqual(definedOrder(order, later));
      }
    }),
    { numRuns: RUNS, seed: 20261128 },
  );
  expect(something).toBeGreaterThan(RUNS / 4);
});

/** The status a true story had at an instant. */
function statusAt({ created, status, changes }: Issue, at: number): string {
  const moves = changes.filter(({ field }) => field === 'status');
  const first = moves[0]?.from?.id ?? status.id;
  return moves.reduce((id, one) => (Math.max(one.at, created) <= at ? (one.to?.id ?? id) : id), first);
}

test('a whole history is finished since the first instant from which on it was always done', () => {
  fc.assert(
    fc.property(aCutStory, anInstant, ({ truth }, at) => {
      const issue = withCategories(truth, false);
      const now = Math.max(at, issue.created);
      const isDone = (when: number) => ['5', '6'].includes(statusAt(issue, when));
      const steps = [issue.created, ...issue.changes.map((one) => one.at)].filter((one) => one <= now);
      const since = steps.find((step) => steps.filter((one) => one >= step).every(isDone));
      const world = aWorld({ issues: [issue], now: new Date(now).toISOString() });
      const expected = since === undefined || since === issue.created ? null : since;
      expect(loadedFrom([issue], world).map((then) => then.finish())).toEqual([{ at: expected }]);
      expect(found('finished is EMPTY', world)).toEqual(expected === null ? [issue.key] : []);
    }),
    { numRuns: RUNS, seed: 20261129 },
  );
});

test('what a cut history leaves open is unknown, never wrong', () => {
  fc.assert(
    fc.property(aCutStory, aClause, anInstant, ({ truth, cut }, jql, at) => {
      const [whole, part] = [withCategories(truth, false), withCategories(cut, false)];
      const now = new Date(Math.max(at, whole.updated)).toISOString();
      const expected = found(jql, aWorld({ issues: [whole], now }));
      const world = aWorld({ issues: [part], now });
      if (undecided(jql, world).length === 0) expect(found(jql, world)).toEqual(expected);
    }),
    { numRuns: RUNS, seed: 20261130 },
  );
});

/** To Do, In Progress, Done on March 5, reopened on March 9, Closed on March 11. */
const reopened = issueWith(
  'WEB-1',
  { status: { id: '6', name: 'Done' } },
  {
    resolved: '2026-03-05T09:00:00Z',
    changes: [
      change('status', 'To Do', 'In Progress', '2026-03-03T09:00:00Z'),
      change('status', 'In Progress', 'Done', '2026-03-05T09:00:00Z'),
      change('status', 'Done', 'In Progress', '2026-03-09T09:00:00Z'),
      movedTo('6', '2026-03-11T09:00:00Z'),
    ],
  },
);

function movedTo(id: string, at: string): Change {
  return { ...change('status', 'In Progress', 'Done', at), to: { id, name: 'Done' } };
}

test('an issue that was reopened is finished as of the instant before, and again later', () => {
  const as = (now: string) => aWorld({ issues: [reopened], now });
  const inMarch = 'finished >= "2026-03-01"';
  expect(found(inMarch, as('2026-03-06T09:00:00Z'))).toEqual(['WEB-1']);
  expect(found(inMarch, as('2026-03-10T09:00:00Z'))).toEqual([]);
  expect(found('resolved >= "2026-03-01"', as('2026-03-10T09:00:00Z'))).toEqual(['WEB-1']);
  expect(found('finished >= "2026-03-11"', as('2026-03-12T09:00:00Z'))).toEqual(['WEB-1']);
});
