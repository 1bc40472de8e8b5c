import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import type { Directory } from '../../../src/model/directory.ts';
import type { Change, FieldContent, FieldValue, History, Issue } from '../../../src/model/issue.ts';
import { splitValue } from '../../../src/model/issues/value-sets.ts';
import { issueWith, statuses } from './a-world.ts';

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

/** A value as a query writes it; null is EMPTY. */
function written(value: string | null): string {
  return value === null ? 'EMPTY' : `"${value}"`;
}

function joined(...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((texts) => texts.filter((text) => text !== '').join(' '));
}

const aDate: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-04-05', '2026-04-06'),
      fc.constantFrom('', '', ' 02:30', ' 03:00', ' 14:45'),
    )
    .map((parts) => `"${parts.join('')}"`),
  fc.integer({ min: -200, max: 30 }).map((hours) => `${hours}h`),
  fc.constant('now()'),
  fc
    .tuple(fc.constantFrom('start', 'end'), fc.constantFrom('Day', 'Week'), fc.integer({ min: -4, max: 1 }))
    .map(([edge, period, offset]) => `${edge}Of${period}("${offset}")`),
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
  fc
    .uniqueArray(fc.constantFrom(...(words[field] ?? [])), { minLength: 1, maxLength: 3 })
    .map((values) => `(${values.map(written).join(', ')})`);

/** Dates of DURING are in this order in every zone and at every hour. */
const aTimePredicate = fc.oneof(
  joined(fc.constantFrom('before', 'after', 'on'), aDate),
  fc.constantFrom('during ("2026-03-27", "2026-03-29 02:30")', 'during (-30h, -2h)', 'during (-100h, now())'),
);

const byPredicate = fc.constantFrom('by (ada)', 'by (bob)', 'by (ada, bob)');

const somePredicates = (one: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(one, { maxLength }).map((some) => some.join(' '));

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

const aWas = fc
  .constantFrom(...historical)
  .chain((field) =>
    joined(
      fc.constant(field),
      fc.constantFrom('was in', 'was not in'),
      someValues(field),
      somePredicates(fc.oneof(aTimePredicate, aTimePredicate, byPredicate), 2),
    ),
  );

const aChanged = fc.constantFrom(...historical).chain((field) => {
  const aValue = joined(fc.constantFrom('from', 'to'), someValues(field));
  const predicates = somePredicates(fc.oneof(aTimePredicate, aTimePredicate, byPredicate, aValue), 3);
  return joined(fc.constant(field), fc.constant('changed'), predicates);
});

const aComparison = fc
  .constantFrom(...Object.keys(words))
  .chain((field) => joined(fc.constant(field), fc.constantFrom('in', 'not in'), someValues(field)));

const aLeaf = fc.oneof(
  { weight: 4, arbitrary: aWas },
  { weight: 3, arbitrary: aChanged },
  { weight: 3, arbitrary: aComparison },
  joined(
    fc.constantFrom('assignee', 'priority', 'due', 'labels', '"Story Points"', 'fixVersion', 'timeSpent'),
    fc.constantFrom('is empty', 'is not empty'),
  ),
  joined(fc.constant('"Story Points"'), aSign, fc.constantFrom('0', '1', '2', '3')),
  joined(
    fc.constant('priority'),
    fc.constantFrom('<', '<=', '>', '>='),
    fc.constantFrom('High', 'Medium', 'Low'),
  ),
  joined(fc.constantFrom('created', 'updated', 'due'), aSign, aDate),
  joined(fc.constant('timeSpent'), aSign, fc.constantFrom('1h', '90m', '"1d 1h"', '0.05w', '30')),
  joined(
    fc.constantFrom('key in', 'key not in'),
    fc
      .tuple(
        fc.constantFrom('ada', 'bob'),
        fc.constantFrom('', ', "2026-03-27"', ', "2026-03-30"'),
        fc.constantFrom(', "2026-03-30"', ', "2026-04-05"'),
      )
      .map(([user, from, until]) => `updatedBy(${user}${from}${from && until})`),
  ),
  joined(
    fc.constantFrom('summary ~', 'summary !~'),
    fc
      .subarray(['login', 'FAILS', 'log*', 'since', 'absent'], { minLength: 1, maxLength: 2 })
      .map((some) => `"${some.join(' ')}"`),
  ),
);

/** Any JQL of the kinds of clauses there are, joined and negated at will. */
export const aQuestion = fc.letrec<{ question: string }>((tie) => ({
  question: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: aLeaf },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(' and ', ' or '), fc.array(tie('question'), { minLength: 2, maxLength: 3 }))
        .map(([join, questions]) => `(${questions.join(join)})`),
    },
    { weight: 1, arbitrary: tie('question').map((question) => `NOT ${question}`) },
  ),
})).question;
