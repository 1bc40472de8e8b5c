import fc from 'fast-check';
import { expect, test } from '#jest';
import { ASK } from '../../../src/engine/columns/row-predicates.ts';
import type { Change, FieldValue, Issue } from '../../../src/model/issue.ts';
import { joinValues, splitValue } from '../../../src/model/issues/value-sets.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { anInstant, anyIssue } from '../../support/arbitrary-issue.ts';
import { runs } from '../../support/soak.ts';
import { aWorld } from './a-world.ts';
import { aCutIssue, aTime, aTrueIssue, directory, wellTravelled } from './arbitrary-question.ts';
import { answerOf, columnTruth, ordered } from './ask.ts';
import { definedAnswer } from './defined-answer.ts';
import { definedOrder } from './defined-values.ts';

const RUNS = runs(250);

const aTravelledIssue = fc.oneof(
  aTrueIssue,
  aCutIssue.map(({ cut }) => cut),
);

/** Asked while the history runs, or after its end. */
const aNow = fc.oneof(aTime, fc.constant(Date.parse('2026-04-10T10:07:00Z')));

/** Histories with ties, repeats, contradictions and changes before the creation, of statuses that were renamed. */
const anOddStory: fc.Arbitrary<Issue> = fc
  .record({
    issue: anyIssue,
    names: fc.array(fc.constantFrom('', ' once'), { minLength: 24, maxLength: 24 }),
    resolved: fc.option(anInstant),
    told: fc.option(anInstant),
    fields: fc.record({
      votes: fc.nat(3),
      timespent: fc.constantFrom(null, 1_800, 3_600, 28_800),
      workratio: fc.constantFrom(-1, 25, 100),
      statuscategorychangedate: fc.option(anInstant.map((at) => new Date(at).toISOString())),
      fixVersions: fc.subarray([
        { id: '7', name: '1.0' },
        { id: '8', name: '2.0' },
      ]),
    }),
  })
  .map(({ issue, names, resolved, told, fields: beside }) => {
    const changes = issue.changes.map((change, i) => ({
      ...change,
      from: change.from && { ...change.from, name: change.from.name + names[2 * i] },
      to: change.to && { ...change.to, name: change.to.name + names[2 * i + 1] },
    }));
    const last = changes.reduce((latest, { at }) => Math.max(latest, at), issue.created);
    const fields = { ...issue.fields, ...beside, ...(told === null ? {} : { updated: told }) };
    return { ...issue, changes, fields, resolved, updated: Math.max(last, told ?? 0) };
  });

const atoms = [
  'status = "Status 1"',
  'status in ("Status 1", "Status 2 once")',
  'status != "Status 3"',
  'status is EMPTY',
  'assignee is not EMPTY',
  'statusCategory = Done',
  'project = WEB',
  'key > WEB-2',
  'key in (WEB-0, WEB-2)',
  'created >= "2026-03-02 04:00"',
  'updated < "2026-03-03"',
  'updated = "2026-03-02 10:00"',
  'resolved is EMPTY',
  'resolved > "2026-03-02 12:00"',
  'resolved != "2026-03-02 12:00"',
  'status was "Status 1"',
  'status was not "Status 2 once"',
  'status was in ("Status 2", EMPTY) during ("2026-03-02 03:00", "2026-03-02 20:00")',
  'status was "Status 3" before "2026-03-02 12:00"',
  'status was "Status 4" on "2026-03-02"',
  'status was "Status 1" by ada',
  'assignee was EMPTY after "2026-03-02 15:00"',
  'status changed',
  'status changed from "Status 1" to "Status 2"',
  'status changed to ("Status 3", EMPTY) after "2026-03-02 08:00"',
  'status changed from EMPTY before "2026-03-02 18:00"',
  'assignee changed during ("2026-03-02", "2026-03-02 22:00")',
  'status changed by bob',
  'summary ~ "issue"',
  'key in linkedIssues(WEB-2)',
  'key not in (linkedIssues(WEB-2, "is blocked by"), WEB-0)',
  'key in updatedBy(ada, "2026-03-02")',
  'key not in (updatedBy(bob), WEB-0)',
  'votes > 1',
  'timeSpent >= 1h',
  'timeSpent was EMPTY',
  'workRatio is EMPTY',
  'workRatio < 50',
  'statusCategoryChangedDate > "2026-03-02 12:00"',
  'statusCategoryChangedDate is EMPTY',
  'fixVersion = 7',
  'fixVersion was EMPTY',
  'fixVersion changed to 7',
];

const anOddQuestion = fc
  .array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom('', 'NOT ')), { minLength: 1, maxLength: 3 })
  .chain((parts) =>
    fc
      .constantFrom(' AND ', ' OR ')
      .map((join) => parts.map(([atom, negation]) => negation + atom).join(join)),
  );

/** It has met every value, so that no question is refused. */
const met: Issue = {
  ...wellTravelled,
  key: 'WEB-2',
  fields: {
    ...wellTravelled.fields,
    ...{ votes: 1, workratio: 0, statuscategorychangedate: null },
    issuelinks: ['blocks WEB-0', 'is blocked by WEB-3', 'blocks WEB-99'].map((id) => ({ id, name: id })),
  },
  changes: [1, 2, 3, 4].map((id) => ({
    ...{ entry: `${id}`, item: 0, at: wellTravelled.created, field: 'status', by: id < 3 ? 'ada' : 'bob' },
    from: { id: `${id}`, name: `Status ${id}` },
    to: { id: `${id}`, name: `Status ${id} once` },
  })),
};

const someOddStories = fc
  .array(anOddStory, { minLength: 1, maxLength: 5 })
  .map((some) => [met, ...some.map((issue, i) => ({ ...issue, key: `WEB-${i * 3}` }))]);

test('odd histories are answered as it is defined', () => {
  let something = 0;
  fc.assert(
    fc.property(anOddQuestion, someOddStories, anInstant, (jql, issues, now) => {
      const world = aWorld({ issues, now: new Date(now).toISOString() });
      const query = compileJql(jql, world);
      for (const issue of issues) {
        expect(answerOf(issue, query, world)).toBe(definedAnswer(jql, issue, world));
        something += columnTruth(issue, query, world) === ASK ? 0 : 1;
      }
    }),
    { numRuns: RUNS, seed: 20261124 },
  );
  expect(something).toBeGreaterThan(RUNS);
});

const priorityNames = ['High', 'Low', 'Low once'];
const aPriority: fc.Arbitrary<FieldValue | null> = fc.option(
  fc.constantFrom({ id: '1', name: 'High' }, { id: '2', name: 'Low' }, { id: '2', name: 'Low once' }),
);
const versions = [
  { id: '7', name: '1.0' },
  { id: '8', name: '2.0' },
  { id: '9', name: '3.0' },
];
const someVersions = fc.subarray(versions);

/** Changes of two fields, one of them of sets, that need not fit together; what the fields hold need not fit them either. */
const anyHistory: fc.Arbitrary<Issue> = fc
  .record({
    issue: fc.oneof(
      anyIssue,
      aCutIssue.map(({ cut }) => cut),
    ),
    steps: fc.array(
      fc.record({
        at: anInstant,
        by: fc.constantFrom('ada', 'bob', null),
        isSet: fc.boolean(),
        priority: aPriority,
        set: someVersions,
        fits: fc.boolean(),
      }),
      { maxLength: 6 },
    ),
    priority: aPriority,
    set: someVersions,
    isLast: fc.boolean(),
  })
  .map(({ issue, steps, priority: shown, set: shownSet, isLast }) => {
    let [priority, set] = [shown, joinValues(shownSet)];
    const changes = steps.map((step, i): Change => {
      const [field, from, to] = step.isSet
        ? ['fixVersions', set, joinValues(step.set)]
        : ['priority', priority, step.priority];
      if (step.isSet) set = to;
      else priority = to;
      const { at, by, fits } = step;
      return { entry: `${i}`, item: 0, at, by, field, from: fits ? from : to, to };
    });
    const last = changes.reduce((latest, { at }) => Math.max(latest, at), issue.updated);
    const fixVersions = set === null ? [] : splitValue(set);
    const fields = isLast ? { priority, fixVersions } : { priority: shown, fixVersions: shownSet };
    return { ...issue, updated: last, changes, fields: { ...issue.fields, ...fields } };
  });

const pastAtoms = [
  ...priorityNames.flatMap((name) => [`priority was "${name}"`, `priority changed to "${name}"`]),
  'priority was EMPTY',
  'priority was not in (Low, EMPTY) during ("2026-03-02 03:00", "2026-03-02 20:00")',
  'priority was "Low once" by ada',
  'priority was in (High, Low) by bob before "2026-03-02 12:00"',
  'priority changed',
  'priority changed from Low to High',
  'priority changed from "Low once" by bob after "2026-03-02 08:00"',
  'priority changed by ada on "2026-03-02"',
  'fixVersion was 7',
  'fixVersion was not EMPTY',
  'fixVersion was in (8, EMPTY) after "2026-03-02 15:00"',
  'fixVersion was 9 by ada',
  'fixVersion changed by bob',
  'fixVersion changed to 7',
  'fixVersion changed from (8, 9) to EMPTY',
  'fixVersion changed from EMPTY by ada before "2026-03-02 18:00"',
];

test('so are the histories of any field', () => {
  let something = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pastAtoms), { minLength: 1, maxLength: 2 }),
      fc.array(anyHistory, { minLength: 1, maxLength: 5 }),
      anInstant,
      (parts, some, now) => {
        const everything: Issue = {
          ...wellTravelled,
          fields: { ...wellTravelled.fields, priority: null, fixVersions: versions },
          changes: [
            ...wellTravelled.changes,
            ...priorityNames.map(
              (name, i): Change => ({
                ...{ entry: `p${i}`, item: 0, at: wellTravelled.created, field: 'priority', by: 'ada' },
                ...{ from: null, to: { id: name === 'High' ? '1' : '2', name } },
              }),
            ),
          ],
        };
        const issues = [everything, ...some.map((issue, i) => ({ ...issue, key: `WEB-${i}` }))];
        const world = aWorld({ issues, now: new Date(now).toISOString(), directory });
        const jql = parts.join(' AND ');
        const query = compileJql(jql, world);
        for (const issue of issues) {
          expect(answerOf(issue, query, world)).toBe(definedAnswer(jql, issue, world));
          something += columnTruth(issue, query, world) === ASK ? 0 : 1;
        }
      },
    ),
    { numRuns: RUNS, seed: 20261129 },
  );
  expect(something).toBeGreaterThan(RUNS);
});

const texts = [
  'Login fails',
  'login',
  'LOGINS',
  'the ſun',
  'sun and moon',
  'Kelvin',
  '\u212Aelvin',
  'ΣΊΣΥΦΟΣ',
];
const aText = fc
  .array(fc.constantFrom(...texts, ' ', '-', 'é', 'x'), { maxLength: 4 })
  .map((some) => some.join(''));
const aSearch = fc.constantFrom(
  ...[
    'login',
    '"log*"',
    'SUN',
    'ſun',
    'kelvin',
    '"sun moon"',
    '"\\"sun and\\""',
    'σίσυφος',
    '"é*"',
    'absent',
  ],
);
const aTextQuestion = fc.oneof(
  fc.tuple(fc.constantFrom('summary ~', 'summary !~', 'text ~'), aSearch).map((parts) => parts.join(' ')),
  fc.constantFrom('summary is empty', 'description is not empty', 'environment is empty'),
);

test('texts are searched without their issues, which say the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(aText, fc.option(aText)), { minLength: 1, maxLength: 6 }),
      fc.array(aTextQuestion, { minLength: 1, maxLength: 3 }),
      (some, questions) => {
        const issues = some.map(([summary, description], i) => ({
          ...wellTravelled,
          key: `WEB-${i + 1}`,
          summary,
          fields: { ...wellTravelled.fields, summary, description },
        }));
        const world = aWorld({ issues, now: '2027-01-01T00:00:00Z' });
        const jql = questions.join(' AND ');
        const query = compileJql(jql, world);
        for (const issue of issues) {
          expect(answerOf(issue, query, world)).toBe(definedAnswer(jql, issue, world));
          expect(columnTruth(issue, query, world)).not.toBe(ASK);
        }
        const order = 'order by summary desc, description';
        expect(ordered(order, world)).toEqual(definedOrder(order, world));
      },
    ),
    { numRuns: RUNS, seed: 20261126 },
  );
});

const anOrder = fc
  .uniqueArray(
    fc.constantFrom(
      ...['key', 'project', 'status', 'assignee', 'statusCategory', 'priority', 'due', 'labels'],
      ...['cf[10016]', 'created', 'updated', 'resolved', 'summary', 'sprint', 'issuetype', 'creator'],
    ),
    { minLength: 1, maxLength: 3 },
  )
  .chain((fields) =>
    fc
      .array(fc.constantFrom('', ' asc', ' desc'), { minLength: 3, maxLength: 3 })
      .map((directions) => `order by ${fields.map((field, i) => field + (directions[i] ?? '')).join(', ')}`),
  );

test('rows are ordered as their issues are', () => {
  fc.assert(
    fc.property(
      anOrder,
      fc.array(fc.oneof(aTravelledIssue, anOddStory), { minLength: 2, maxLength: 9 }),
      aNow,
      (order, some, now) => {
        const keys = ['WEB-9', 'WEB-10', 'OPS-7', 'web-7', 'WEB-007', 'WEB-07', 'ODD', 'A-B-2', 'OPS-x'];
        const issues = [wellTravelled, ...some.map((issue, i) => ({ ...issue, key: keys[i] ?? '' }))];
        const born = Math.max(now, ...issues.map(({ created }) => created));
        const world = aWorld({ issues, now: new Date(born).toISOString() });
        expect(ordered(order, world)).toEqual(definedOrder(order, world));
      },
    ),
    { numRuns: RUNS, seed: 20261125 },
  );
});
