import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import type { Directory } from '../../../src/model/directory.ts';
import type { Change, FieldContent, FieldValue, History, Issue } from '../../../src/model/issue.ts';
import { splitValue } from '../../../src/model/issues/value-sets.ts';
import { issueWith, statuses } from './a-world.ts';
import type { DateAsked, PredicateAsked, Question } from './question.ts';

const START = Date.parse('2026-03-26T00:00:00Z');

export const directory: Partial<Directory> = { fields: [{ id: 'customfield_10016', name: 'Story Points' }] };

/** Zones whose clocks are put forward, put back and left alone within the days told. */
export const aZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'Pacific/Auckland',
  'America/Sao_Paulo',
  'Asia/Kolkata',
);

/** Some quarter of an hour of twelve days, at times a millisecond or so off it. */
export const aTime = fc
  .record({ quarter: fc.integer({ min: 0, max: 12 * 96 }), off: fc.constantFrom(0, 0, 1, -1, 61_003) })
  .map(({ quarter, off }) => START + quarter * 15 * millisecondsInMinute + off);

/** What changes call them that today are called otherwise; the name of one is another's today. */
const renamed: readonly FieldValue[] = [
  { id: '3', name: 'Doing' },
  { id: '1', name: 'Done' },
];

const valuesOf: Readonly<Record<string, readonly (FieldValue | null)[]>> = {
  status: [...statuses.map(({ id, name }) => ({ id, name })), ...renamed],
  assignee: [{ id: 'ada', name: 'Ada Lovelace' }, { id: 'bob', name: 'Bob' }, null],
  priority: [{ id: '1', name: 'High' }, { id: '2', name: 'Medium' }, { id: '3', name: 'Low' }, null],
  duedate: [...['2026-03-28', '2026-03-29', '2026-04-05'].map((id) => ({ id, name: id })), null],
  customfield_10016: [...['0', '1', '3', '2.5'].map((id) => ({ id, name: id })), null],
  timespent: [...['3600', '7200', '28800'].map((id) => ({ id, name: id })), null],
  fixVersions: [
    { id: '7', name: '1.0' },
    { id: '8', name: '2.0' },
    { id: '7, 8', name: '1.0, 2.0' },
    { id: '8, 9', name: '2.0, 3.0' },
    null,
  ],
};

/** One issue that has met every value, so that no question is refused. */
export const wellTravelled: Issue = issueWith(
  'ALL-1',
  {
    assignee: { id: 'ada', name: 'Ada Lovelace' },
    priority: { id: '2', name: 'Medium' },
    duedate: '2026-03-28',
    customfield_10016: 1,
    timespent: 3600,
    fixVersions: [{ id: '7', name: '1.0' }],
    labels: [{ id: 'ui', name: 'ui' }],
  },
  {
    created: '2026-03-26T00:00:00Z',
    changes: Object.entries(valuesOf).flatMap(([field, values]) =>
      values.map(
        (to, i): Change => ({
          entry: `${field} ${i}`,
          item: 0,
          at: START + (i + 1) * millisecondsInHour,
          field,
          from: values[i - 1] ?? null,
          to,
          by: 'ada',
        }),
      ),
    ),
  },
);

interface Step {
  readonly field: string;
  readonly choice: number;
  readonly at: number;
  readonly by: string | null;
}

const aStep: fc.Arbitrary<Step> = fc.record({
  field: fc.constantFrom('status', 'status', ...Object.keys(valuesOf)),
  choice: fc.nat(5),
  at: aTime,
  by: fc.constantFrom('ada', 'bob', null),
});

/** An issue with a true history: every change starts where the one before ended, each at an instant of its own. */
export const aTrueIssue: fc.Arbitrary<Issue> = fc
  .record({
    number: fc.integer({ min: 1, max: 99 }),
    created: aTime,
    steps: fc.uniqueArray(aStep, { maxLength: 10, selector: ({ at }) => at }),
    first: fc.array(fc.nat(5), { minLength: 7, maxLength: 7 }),
    labels: fc.subarray(['ui', 'api', 'ops']),
    summary: fc.subarray(['Login', 'fails', 'slowly', 'since', 'log']),
  })
  .map(({ number, created, steps, first, labels, summary }) => {
    const now = new Map<string, FieldValue | null>();
    for (const [i, [field, values]] of Object.entries(valuesOf).entries())
      now.set(field, pick(values, first[i] ?? 0));
    const changes = steps
      .toSorted((a, b) => a.at - b.at)
      .filter(({ at }) => at > created)
      .map(({ field, choice, at, by }, i): Change => {
        const from = now.get(field) ?? null;
        const to = pick(valuesOf[field] ?? [], choice);
        now.set(field, to);
        return { entry: String(i), item: 0, at, field, from: calledAgain(from, choice, field), to, by };
      });
    return issueWith(
      `WEB-${number}`,
      {
        ...Object.fromEntries([...now].map(([field, value]) => [field, contentOf(field, value)])),
        labels: labels.map((id) => ({ id, name: id })),
        summary: summary.join(' '),
      },
      { created: new Date(created).toISOString(), changes },
    );
  });

function pick(values: readonly (FieldValue | null)[], choice: number): FieldValue | null {
  return values[choice % values.length] ?? null;
}

/** The same value by any of its names: it may have been renamed since the change before. */
function calledAgain(value: FieldValue | null, choice: number, field: string): FieldValue | null {
  const names = valuesOf[field]?.filter((one) => one !== null && one.id === value?.id) ?? [];
  return names.length === 0 ? value : pick(names, choice);
}

/** Contents are called as they are today. */
function contentOf(field: string, value: FieldValue | null): FieldContent {
  if (field === 'fixVersions') return value === null ? [] : splitValue(value);
  if (value === null) return null;
  if (field === 'timespent') return Number(value.id);
  if (field === 'status') return statuses.find(({ id }) => id === value.id) ?? value;
  if (field === 'customfield_10016') return Number(value.id);
  return field === 'duedate' ? value.id : value;
}

/** What a tracker may keep of a true issue: the changes up to one of them and from another one on. */
export const aCutIssue = aTrueIssue.chain((truth) =>
  fc
    .record({ one: fc.nat(truth.changes.length), other: fc.nat(truth.changes.length) })
    .map(({ one, other }) => {
      const before = truth.changes.slice(0, Math.min(one, other));
      const after = truth.changes.slice(Math.max(one, other));
      const history: History = {
        complete: false,
        unknownFrom: before.at(-1)?.at ?? null,
        unknownUntil: after[0]?.at ?? null,
        reason: 'cut',
      };
      return { truth, cut: { ...truth, changes: [...before, ...after], history } };
    }),
);

const aDate: fc.Arbitrary<DateAsked> = fc.oneof(
  fc
    .record({
      day: fc.constantFrom(
        '2026-03-27',
        '2026-03-28',
        '2026-03-29',
        '2026-03-30',
        '2026-04-05',
        '2026-04-06',
      ),
      time: fc.constantFrom('', '', ' 02:30', ' 03:00', ' 14:45'),
    })
    .map(({ day, time }): DateAsked => ({ date: 'text', text: `${day}${time}` })),
  fc.integer({ min: -200, max: 30 }).map((hours): DateAsked => ({ date: 'hours', hours })),
  fc.constant<DateAsked>({ date: 'now' }),
  fc.record({
    date: fc.constant('edge' as const),
    edge: fc.constantFrom('start' as const, 'end' as const),
    period: fc.constantFrom('Day' as const, 'Week' as const),
    offset: fc.integer({ min: -4, max: 1 }),
  }),
);

/** Dates in this order in every zone and at every hour, as DURING needs them. */
const aSpan = fc.constantFrom<readonly [DateAsked, DateAsked]>(
  [
    { date: 'text', text: '2026-03-27' },
    { date: 'text', text: '2026-03-29 02:30' },
  ],
  [
    { date: 'hours', hours: -30 },
    { date: 'hours', hours: -2 },
  ],
  [{ date: 'hours', hours: -100 }, { date: 'now' }],
);

/** By name, by id, in another case; a name stands for every id that shares it. */
const words: Readonly<Record<string, readonly (string | null)[]>> = {
  status: ['to do', 'In Progress', 'Done', 'doing', '5', '1'],
  assignee: ['ada', 'bob', 'Ada Lovelace', null],
  priority: ['High', 'medium', '3', null],
  '"Story Points"': ['0', '1', '2.5', null],
  labels: ['ui', 'API', 'never-used', null],
  fixVersion: ['1.0', '2.0', '3.0', '8', null],
  timeSpent: ['1h', '120m', '1d', null],
};

const someValues = (field: string) =>
  fc.uniqueArray(fc.constantFrom(...(words[field] ?? [])), { minLength: 1, maxLength: 3 });

const aTimePredicate: fc.Arbitrary<PredicateAsked> = fc.oneof(
  fc.record({ predicate: fc.constantFrom('before' as const, 'after' as const, 'on' as const), date: aDate }),
  fc.record({ predicate: fc.constant('during' as const), dates: aSpan }),
);

const byPredicate: fc.Arbitrary<PredicateAsked> = fc.record({
  predicate: fc.constant('by' as const),
  users: fc.subarray(['ada', 'bob'], { minLength: 1 }),
});

const historical = [
  'status',
  'assignee',
  'priority',
  '"Story Points"',
  'fixVersion',
  'fixVersion',
  'timeSpent',
];
const aSign = fc.constantFrom('=', '!=', '<', '<=', '>', '>=');

const aWas: fc.Arbitrary<Question> = fc.constantFrom(...historical).chain((field) =>
  fc.record({
    kind: fc.constant('was' as const),
    field: fc.constant(field),
    negated: fc.boolean(),
    values: someValues(field),
    predicates: fc.array(fc.oneof(aTimePredicate, aTimePredicate, byPredicate), { maxLength: 2 }),
  }),
);

const aChanged: fc.Arbitrary<Question> = fc.constantFrom(...historical).chain((field) =>
  fc.record({
    kind: fc.constant('changed' as const),
    field: fc.constant(field),
    predicates: fc.array(
      fc.oneof(
        aTimePredicate,
        aTimePredicate,
        byPredicate,
        fc.record({ predicate: fc.constantFrom('from' as const, 'to' as const), values: someValues(field) }),
      ),
      { maxLength: 3 },
    ),
  }),
);

const aLeaf: fc.Arbitrary<Question> = fc.oneof(
  { weight: 4, arbitrary: aWas },
  { weight: 3, arbitrary: aChanged },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...Object.keys(words)).chain((field) =>
      fc.record({
        kind: fc.constant('equal' as const),
        field: fc.constant(field),
        negated: fc.boolean(),
        values: someValues(field),
      }),
    ),
  },
  fc.record({
    kind: fc.constant('empty' as const),
    field: fc.constantFrom(
      'assignee',
      'priority',
      'due',
      'labels',
      '"Story Points"',
      'fixVersion',
      'timeSpent',
    ),
    negated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('number' as const), sign: aSign, bound: fc.constantFrom(0, 1, 2, 3) }),
  fc.record({
    kind: fc.constant('priority' as const),
    sign: fc.constantFrom('<', '<=', '>', '>='),
    name: fc.constantFrom('High', 'Medium', 'Low'),
  }),
  fc.record({
    kind: fc.constant('instant' as const),
    field: fc.constantFrom('created' as const, 'updated' as const),
    sign: aSign,
    date: aDate,
  }),
  fc.record({ kind: fc.constant('due' as const), sign: aSign, date: aDate }),
  fc.record({
    kind: fc.constant('duration' as const),
    sign: aSign,
    text: fc.constantFrom('1h', '90m', '"1d 1h"', '0.05w', '30'),
  }),
  fc.record({
    kind: fc.constant('updatedBy' as const),
    negated: fc.boolean(),
    user: fc.constantFrom('ada', 'bob'),
    span: fc.option(
      fc.tuple(fc.constantFrom('2026-03-27', '2026-03-30'), fc.constantFrom('2026-03-30', '2026-04-05')),
    ),
  }),
  fc.record({
    kind: fc.constant('search' as const),
    words: fc.subarray(['login', 'FAILS', 'log*', 'since', 'absent'], { minLength: 1, maxLength: 2 }),
    negated: fc.boolean(),
  }),
);

/** Any question of the kinds there are, joined and negated at will. */
export const aQuestion: fc.Arbitrary<Question> = fc.letrec<{ question: Question }>((tie) => ({
  question: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: aLeaf },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        questions: fc.array(tie('question'), { minLength: 2, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('not' as const), question: tie('question') }) },
  ),
})).question;
