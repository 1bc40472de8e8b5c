import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import type { CreditedDelegates } from '../../src/api/delegations/delegation-api.ts';
import { createMemoryMirror } from '../../src/mirror/create-mirrors.ts';
import type { Directory } from '../../src/model/directory.ts';
import type {
  Change,
  FieldContent,
  FieldValue,
  Instant,
  Issue,
  Status,
  User,
} from '../../src/model/issue.ts';
import { type CalendarDefinition, weekdays } from '../../src/model/settings.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { aCutStory, anInstant, anyIssue } from '../support/arbitrary-issue.ts';
import { localReporting } from '../support/local-reporting.ts';

/** The instant of every question: after all instants of the issues, and after clocks have changed in Berlin and New York. */
export const now = Date.parse('2026-04-02T10:00:00Z');

/** One has a break and rests on a holiday, the other works through the night, on a grid of no minute. */
export const calendars: readonly CalendarDefinition[] = [
  {
    ...{ id: 7, name: 'Office', timeZone: 'Europe/Berlin' },
    workingTimes: weekdays.slice(0, 5).flatMap((weekday) => [
      { weekday, start: 9 * millisecondsInHour, end: 12 * millisecondsInHour },
      { weekday, start: 13 * millisecondsInHour, end: 18 * millisecondsInHour },
    ]),
    holidays: [{ name: 'Off', date: '2026-03-06', recurring: false }],
  },
  {
    ...{ id: 8, name: 'Nights', timeZone: 'America/New_York', holidays: [] },
    workingTimes: [
      { weekday: 'MONDAY', start: 20 * millisecondsInHour, end: 4 * millisecondsInHour + 7_001 },
      { weekday: 'SATURDAY', start: 0, end: 24 * millisecondsInHour },
    ],
  },
];

export const groups = [
  { id: 'g1', name: 'Early', members: ['1', '2'] },
  { id: 'g2', name: 'Both', members: ['2', 'ada'] },
  { id: 'g3', name: 'Empty', members: [] },
];

export const fieldNames = [
  { id: 'points', name: 'Story Points' },
  { id: 'missing', name: 'Missing' },
];

/** Issues of a tracker, and what it says beside them. */
export interface AnyWorld {
  readonly issues: readonly Issue[];
  /** The list of statuses; null: it is unknown. */
  readonly listed: readonly string[] | null;
  readonly users: readonly User[];
  readonly credited: CreditedDelegates;
}

/** The ids of all statuses there are; no issue is ever in the last one. */
export const statusIds = ['1', '2', '3', '4', '5'] as const;

const aStatus = (id: string): Status => ({ id, name: `Status ${id}`, category: 'Done', deleted: false });

/** Content of the fields whose changes no issue has, but for those of `priority` in some. */
const someFields = fc.record({
  priority: fc.constantFrom<FieldContent>(null, { id: 'p1', name: 'High' }, { id: 'p2', name: 'Low' }),
  issuetype: fc.constantFrom<FieldContent>({ id: 't1', name: 'Bug' }, { id: 't1', name: 'Defect' }, 'task'),
  points: fc.constantFrom<FieldContent>(null, 3, 5),
  labels: fc.constantFrom<FieldContent>(
    [],
    [{ id: 'a', name: 'a' }],
    ...[
      ['b', 'a'],
      ['a', 'c'],
    ].map((ids) => ids.map((id) => ({ id, name: id }))),
  ),
});

/** An issue of one of two projects, odd ones and cut ones among them, some with values that are called otherwise. */
const aPart = fc.record({
  issue: fc.oneof(
    anyIssue,
    aCutStory.map(({ cut }) => cut),
    aCutStory.map(({ truth }) => truth),
  ),
  fields: someFields,
  project: fc.constantFrom('WEB', 'OPS'),
  isRenamed: fc.boolean(),
  /** The field that the other one of a true story becomes. */
  other: fc.constantFrom('assignee', 'priority'),
  /** Instants of that grain (hours) make more of them the same. */
  grain: fc.constantFrom(0, 0, 6),
  by: fc.constantFrom(null, 'ada', '2'),
  resolved: fc.option(anInstant, { freq: 2 }),
  /** The changes come the other way round, and so do their entries. */
  isReversed: fc.boolean(),
});

type Part = typeof aPart extends fc.Arbitrary<infer Value> ? Value : never;

function issueOf(
  { issue, fields, project, isRenamed, other, grain, by, resolved, isReversed }: Part,
  i: number,
): Issue {
  const renamed = (value: FieldValue | null) =>
    value !== null && isRenamed ? { ...value, name: `${value.name} (old)` } : value;
  const rounded = (at: Instant) =>
    grain === 0 ? at : Math.floor(at / (grain * millisecondsInHour)) * grain * millisecondsInHour;
  const written = isReversed ? issue.changes.toReversed() : issue.changes;
  const changes = written.map(
    (change, index): Change => ({
      ...change,
      entry: isReversed ? String(index) : change.entry,
      field: change.field === 'other' ? other : change.field,
      at: rounded(change.at),
      from: renamed(change.from),
      to: renamed(change.to),
      by: change.by ?? by,
    }),
  );
  const { other: content, ...own } = issue.fields;
  const { history } = issue;
  const all: Issue['fields'] = {
    ...{ ...own, ...fields, summary: issue.summary },
    ...(content === undefined ? {} : { [other]: content }),
  };
  return {
    ...issue,
    key: `${project}-${i + 1}`,
    project: { id: project, name: `Project ${project}` },
    created: rounded(issue.created),
    resolved,
    updated: changes.reduce((last, { at }) => Math.max(last, at), rounded(issue.created)),
    assignee: (all.assignee as FieldValue | null | undefined) ?? null,
    fields: all,
    changes,
    history: history.complete
      ? history
      : {
          ...history,
          unknownFrom: history.unknownFrom && rounded(history.unknownFrom),
          unknownUntil: history.unknownUntil && rounded(history.unknownUntil),
        },
  };
}

/** A few issues of two projects, whatever a tracker could say of their histories and knows of their statuses and people. */
export const anyWorld = (
  delegateTimes: fc.Arbitrary<CreditedDelegates['times']> = fc.constant(() => []),
): fc.Arbitrary<AnyWorld> =>
  fc
    .record({
      parts: fc.array(aPart, { minLength: 1, maxLength: 6 }),
      listed: fc.option(fc.subarray([...statusIds]), { freq: 3 }),
      users: fc.subarray([
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Bob' },
        { id: 'ada', name: 'Ada L.' },
        { id: 'dora', name: 'Dora' },
      ]),
      times: delegateTimes,
    })
    .map(({ parts, times, ...world }) => ({
      ...world,
      issues: parts.map(issueOf),
      credited: { times, categories: [], revision: () => '' },
    }));

/** The reporting port over a world. */
export function reportingOver({ issues, listed, users, credited }: AnyWorld) {
  const directory: Partial<Directory> = { groups, fields: fieldNames };
  const tracker: Tracker = {
    name: 'sample',
    async *entries() {
      yield { kind: 'statuses', statuses: statusIds.map(aStatus), list: null };
      if (listed !== null) yield { kind: 'statuses', statuses: listed.map(aStatus), list: 'list' };
      yield { kind: 'users', users };
      yield { kind: 'directory', part: directory };
      for (const issue of issues) yield { kind: 'issue', issue };
    },
  };
  return localReporting(
    createMemoryMirror(tracker, () => now),
    () => now,
    { calendars, credited },
  );
}
