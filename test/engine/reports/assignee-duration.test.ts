import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { MeasureContext } from '../../../src/engine/reports/measuring/report-type.ts';
import { assigneeDuration } from '../../../src/engine/reports/time-by-assignee.ts';
import type { DelegateTime } from '../../../src/model/delegation.ts';
import { calendarOf } from '../../../src/time/calendar.ts';
import { anIssue } from '../../support/issue-story.ts';
import { asked, lineOf, measureOf, visitsIn } from '../../support/measuring.ts';

const at = (date: string, time = '00:00') => Date.parse(`2026-03-${date}T${time}Z`);
const expense = { id: 7, name: 'Expense' };
const general = { id: null, name: 'general' };
const stretch = (
  delegate: string,
  start: number,
  end: number,
  category: DelegateTime['category'] = general,
): DelegateTime => ({ start, end, delegate, category });

const names = new Map([
  ['ada', 'Ada'],
  ['bob', 'Bob'],
  ['carl', 'Carl'],
]);
const times: Readonly<Record<string, readonly DelegateTime[]>> = {
  ada: [
    stretch('bob', at('02', '12:00'), at('03', '12:00'), expense),
    stretch('bob', at('03', '12:00'), at('03', '18:00')),
    stretch('carl', at('05'), at('06'), expense),
  ],
};
const crediting = (time: string, choices: Partial<MeasureContext> = {}) =>
  asked(time, {
    delegateTimes: (owner) => times[owner] ?? [],
    userName: (id) => names.get(id) ?? null,
    ...choices,
  });

// Ada: Mon 2 March 06:00 – Wed 4 March 06:00, Bob until Thu 5 March 18:00, Ada again, asked Sat 7 March 00:00.
const { issue } = anIssue('WEB-1', '2026-03-02T00:00:00Z')
  .changes('assignee', null, 'ada', '2026-03-02T06:00:00Z')
  .moves('Doing', '2026-03-02T18:00:00Z')
  .changes('assignee', 'ada', 'bob', '2026-03-04T06:00:00Z')
  .moves('Done', '2026-03-05T00:00:00Z')
  .changes('assignee', 'bob', 'ada', '2026-03-05T18:00:00Z');
const then = '2026-03-07T00:00:00Z';

describe('time of an assignee somebody stood in for', () => {
  test('is told apart by who stood in and for what, and the rest stays the assignee’s', () => {
    // Ada's own: Mon 06–12, Tue 18:00 – Wed 06:00, and from Fri 00:00 on: 6 + 12 + 24 h.
    // Bob for Ada: expenses from Mon to Tue noon, then 6 h of everything. Carl: Thu 18–24, the rest of Thursday is Bob's.
    expect(lineOf(assigneeDuration, issue, crediting(then))).toEqual({
      Unassigned: 6 * millisecondsInHour,
      Ada: 42 * millisecondsInHour,
      'Bob for Ada (Expense)': 24 * millisecondsInHour,
      'Bob for Ada': 6 * millisecondsInHour,
      Bob: 36 * millisecondsInHour,
      'Carl for Ada (Expense)': 6 * millisecondsInHour,
    });
  });

  test('counts a visit once in each column it has a part in, however many statuses it goes through', () => {
    expect(visitsIn(assigneeDuration, issue, crediting(then))).toEqual({
      Unassigned: 1,
      Ada: 2,
      'Bob for Ada (Expense)': 1,
      'Bob for Ada': 1,
      Bob: 1,
      'Carl for Ada (Expense)': 1,
    });
  });

  test('tells who, for whom and for what in the column', () => {
    const { columns } = measureOf(assigneeDuration, issue, crediting(then));
    expect(columns.find(({ title }) => title === 'Bob for Ada (Expense)')).toEqual({
      id: ':standIn:7:ada:bob',
      title: 'Bob for Ada (Expense)',
      kind: 'duration',
      part: 'value',
      standIn: {
        owner: { id: 'ada', title: 'Ada' },
        delegate: { id: 'bob', title: 'Bob' },
        category: { id: 7, name: 'Expense' },
      },
      ids: ['ada'],
      statuses: [],
    });
    expect(columns.map(({ id }) => id)).toContain(':standIn:general:ada:bob');
  });

  test('has columns of its own for every pair of people, whatever their ids are made of', () => {
    const owners = ['a', 'a:b', 'a%3Ab'];
    const ids = owners.flatMap((owner) => {
      const story = anIssue('WEB-2', '2026-03-02T00:00:00Z').changes(
        'assignee',
        null,
        owner,
        '2026-03-02T01:00:00Z',
      );
      const delegateTimes = () =>
        ['b:c', 'c', '%3Ac'].map((who, i) => stretch(who, at(`0${i + 3}`), at(`0${i + 4}`)));
      const context = asked(then, { delegateTimes });
      const { columns } = measureOf(assigneeDuration, story.issue, context);
      return columns.filter(({ standIn }) => standIn !== undefined).map(({ id }) => id);
    });
    expect(ids[0]).toBe(':standIn:general:a:b%3Ac');
    expect(new Set(ids).size).toBe(9);
  });

  test('is working time under a calendar', () => {
    const calendar = calendarOf({
      id: 1,
      name: 'Office',
      timeZone: 'UTC',
      workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).map((weekday) => ({
        weekday,
        start: 9 * millisecondsInHour,
        end: 17 * millisecondsInHour,
      })),
      holidays: [],
    });
    // Ada: Mon 9–12, Fri 9–17. Bob for Ada: Mon 12–17 and Tue 9–12, then Tue 12–17. Bob: Wed and Thu 9–17.
    expect(lineOf(assigneeDuration, issue, crediting(then, { calendar }))).toEqual({
      Unassigned: 0,
      Ada: 11 * millisecondsInHour,
      'Bob for Ada (Expense)': 8 * millisecondsInHour,
      'Bob for Ada': 5 * millisecondsInHour,
      Bob: 16 * millisecondsInHour,
      'Carl for Ada (Expense)': 0,
    });
  });

  test('is cut by a window of history, by the instant asked about, and by the statuses that count', () => {
    const trim = { from: at('03'), to: at('03', '20:00') };
    expect(lineOf(assigneeDuration, issue, crediting(then, { trim }))).toEqual({
      'Bob for Ada (Expense)': 12 * millisecondsInHour,
      'Bob for Ada': 6 * millisecondsInHour,
      Ada: 2 * millisecondsInHour,
    });
    expect(lineOf(assigneeDuration, issue, crediting('2026-03-02T13:00:00Z'))).toEqual({
      Unassigned: 6 * millisecondsInHour,
      Ada: 6 * millisecondsInHour,
      'Bob for Ada (Expense)': millisecondsInHour,
    });
    const countsStatus = (id: string) => id === 'Doing';
    expect(lineOf(assigneeDuration, issue, crediting(then, { countsStatus }))).toEqual({
      'Bob for Ada (Expense)': 18 * millisecondsInHour,
      'Bob for Ada': 6 * millisecondsInHour,
      Ada: 12 * millisecondsInHour,
      Bob: 18 * millisecondsInHour,
    });
  });

  test('begins with the first millisecond of a stretch and not with its last', () => {
    const brief = crediting(then, {
      delegateTimes: (owner) => (owner === 'ada' ? [stretch('bob', 1, 2)] : []),
    });
    const { issue: short } = anIssue('WEB-3', new Date(0).toISOString())
      .changes('assignee', 'ada', 'carl', new Date(3).toISOString())
      .changes('assignee', 'carl', 'carl', new Date(4).toISOString());
    expect(lineOf(assigneeDuration, short, brief)).toMatchObject({ Ada: 2, 'Bob for Ada': 1 });
  });

  test('of no length is that of whoever stood in just then', () => {
    const momentary = (time: string) =>
      anIssue('WEB-4', '2026-03-01T00:00:00Z')
        .changes('assignee', null, 'ada', time)
        .changes('assignee', 'ada', null, time).issue;
    const first = lineOf(assigneeDuration, momentary('2026-03-05T00:00:00Z'), crediting(then));
    expect(first).toMatchObject({ 'Carl for Ada (Expense)': 0 });
    const after = lineOf(assigneeDuration, momentary('2026-03-06T00:00:00Z'), crediting(then));
    expect(after).toMatchObject({ Ada: 0 });
  });
});

describe('where the issue is now', () => {
  const now = (time: string, choices: Partial<MeasureContext> = {}) =>
    measureOf(assigneeDuration, issue, crediting(time, choices)).current;

  test('is with who stands in, since they do or the assignee has it', () => {
    expect(now('2026-03-02T13:00:00Z')).toEqual([
      { columnId: ':standIn:7:ada:bob', title: 'Bob for Ada (Expense)', since: at('02', '12:00') },
    ]);
    expect(now('2026-03-05T20:00:00Z')).toEqual([
      { columnId: ':standIn:7:ada:carl', title: 'Carl for Ada (Expense)', since: at('05', '18:00') },
    ]);
  });

  test('is with the assignee again since nobody stands in any more', () => {
    expect(now('2026-03-06T12:00:00Z')).toEqual([{ columnId: 'ada', title: 'Ada', since: at('06') }]);
  });

  test('changes with the instant at which somebody begins or ends to stand in, and has a column of 0 ms then', () => {
    expect(now('2026-03-02T12:00:00Z')).toMatchObject([
      { columnId: ':standIn:7:ada:bob', since: at('02', '12:00') },
    ]);
    expect(lineOf(assigneeDuration, issue, crediting('2026-03-02T12:00:00Z'))).toMatchObject({
      'Bob for Ada (Expense)': 0,
    });
    expect(now('2026-03-03T18:00:00Z')).toMatchObject([{ columnId: 'ada', since: at('03', '18:00') }]);
  });

  test('is with one and the same person over delegations that follow each other', () => {
    const delegateTimes = () => [
      stretch('bob', at('05', '20:00'), at('06')),
      stretch('bob', at('06'), at('06', '12:00')),
      stretch('bob', at('06', '12:00'), at('08')),
    ];
    expect(now(then, { delegateTimes })).toEqual([
      { columnId: ':standIn:general:ada:bob', title: 'Bob for Ada', since: at('05', '20:00') },
    ]);
  });

  test('has no beginning where a cut history does not tell it, unless somebody began to stand in later', () => {
    const cut = {
      ...issue,
      history: {
        complete: false,
        reason: 'cut',
        unknownFrom: null,
        unknownUntil: at('02', '10:00'),
      },
    } as const;
    const since = (time: string) =>
      measureOf(assigneeDuration, cut, crediting(time)).current.map(({ columnId, since: began }) => [
        columnId,
        began,
      ]);
    expect(since('2026-03-02T11:00:00Z')).toEqual([['ada', null]]);
    expect(since('2026-03-02T13:00:00Z')).toEqual([[':standIn:7:ada:bob', at('02', '12:00')]]);
  });
});
