import { describe, expect, test } from '#jest';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { aWorld, change, issueWith } from './a-world.ts';
import { answerOf, found, refusal, undecided } from './ask.ts';

const done = { id: '5', name: 'Done' };

/** To Do, from the 4th on In Progress (by ada), from the 10th on Done (by bob). */
const finished = issueWith(
  'A-1',
  { status: done, assignee: { id: 'bob', name: 'Bob' }, customfield_1: 5 },
  {
    changes: [
      change('status', 'To Do', 'In Progress', '2026-03-04T10:00:00Z', 'ada'),
      change('status', 'In Progress', 'Done', '2026-03-10T10:00:00Z', 'bob'),
      change('assignee', null, 'bob', '2026-03-05T10:00:00Z', 'ada'),
      change('customfield_1', '3', '5', '2026-03-06T10:00:00Z', 'ada'),
    ],
  },
);
const untouched = issueWith('A-2', { assignee: { id: 'ada', name: 'Ada Lovelace' }, customfield_1: 3 });

describe('WAS', () => {
  const world = aWorld({ issues: [finished, untouched] });

  test.each([
    ['status was "In Progress"', ['A-1']],
    ['status was "to do"', ['A-1', 'A-2']],
    ['status was Done', ['A-1']],
    ['status was 3', ['A-1']],
    ['status was not "In Progress"', ['A-2']],
    ['status was in ("In Progress", Done)', ['A-1']],
    ['status was not in ("In Progress", Done)', ['A-2']],
    ['assignee was empty', ['A-1']],
    ['assignee was not empty', ['A-2']],
    ['assignee was in (EMPTY, ada)', ['A-1', 'A-2']],
    ['assignee was currentUser()', ['A-2']],
    ['cf[1] was 3', ['A-1', 'A-2']],
    ['cf[1] was 5', ['A-1']],
    ['status was "To Do" before 2026-03-04', ['A-1', 'A-2']],
    ['status was "In Progress" before 2026-03-04', []],
    ['status was "In Progress" before "2026-03-04 10:00"', []],
    ['status was "In Progress" before "2026-03-04 10:01"', ['A-1']],
    ['status was "In Progress" after 2026-03-10', ['A-1']],
    ['status was "In Progress" after "2026-03-10 10:00"', []],
    ['status was Done after -4w', ['A-1']],
    ['status was Done after now()', []],
    ['status was Done on 2026-03-10', ['A-1']],
    ['status was Done on 2026-03-09', []],
    ['status was "In Progress" on 2026-03-10', ['A-1']],
    ['status was "In Progress" on "2026-03-10 10:00"', []],
    ['status was Done on now()', ['A-1']],
    ['status was "In Progress" during (2026-03-05, 2026-03-06)', ['A-1']],
    ['status was Done during (2026-03-05, 2026-03-10)', []],
    ['status was Done during (2026-03-05, "2026-03-10 10:00")', ['A-1']],
    ['status was "In Progress" by ada', ['A-1']],
    ['status was "In Progress" by bob', []],
    ['status was Done by (ada, bob)', ['A-1']],
    ['status was "To Do" by ada', []],
    ['status was "In Progress" by currentUser() before 2026-03-05', ['A-1']],
    ['status was "In Progress" by ada after 2026-03-11', []],
  ])('%s', (jql, keys) => {
    expect(found(jql, world)).toEqual(keys);
  });

  test('tells the past as it was then', () => {
    expect(found('status was Done', aWorld({ issues: [finished], now: '2026-03-09T00:00:00Z' }))).toEqual([]);
    expect(
      found('status = "In Progress"', aWorld({ issues: [finished], now: '2026-03-09T00:00:00Z' })),
    ).toEqual(['A-1']);
  });

  test('sees a value that was there for 0 ms', () => {
    const passing = issueWith(
      'A-3',
      { status: done },
      {
        changes: [
          { ...change('status', 'To Do', 'In Progress', '2026-03-04T10:00:00Z'), entry: '1' },
          { ...change('status', 'In Progress', 'Done', '2026-03-04T10:00:00Z'), entry: '2' },
        ],
      },
    );
    expect(found('status was "In Progress"', aWorld({ issues: [passing] }))).toEqual(['A-3']);
    expect(found('status was "In Progress" after "2026-03-04 10:00"', aWorld({ issues: [passing] }))).toEqual(
      [],
    );
  });

  test('reads ON in the zone of the principal', () => {
    const query = 'status was Done on 2026-03-09';
    expect(found(query, aWorld({ issues: [finished], timeZone: 'America/Sao_Paulo' }))).toEqual([]);
    const early = issueWith(
      'A-4',
      { status: done },
      { changes: [change('status', 'To Do', 'Done', '2026-03-10T02:00:00Z')] },
    );
    expect(found(query, aWorld({ issues: [early], timeZone: 'America/Sao_Paulo' }))).toEqual(['A-4']);
    expect(found(query, aWorld({ issues: [early] }))).toEqual([]);
  });
});

describe('CHANGED', () => {
  const world = aWorld({ issues: [finished, untouched] });

  test.each([
    ['status changed', ['A-1']],
    ['NOT status changed', ['A-2']],
    ['summary changed', []],
    ['status changed from "To Do"', ['A-1']],
    ['status changed from "To Do" to Done', []],
    ['status changed to (Done, "In Progress") by bob', ['A-1']],
    ['assignee changed from empty to bob', ['A-1']],
    ['cf[1] changed from 3 to 5', ['A-1']],
    ['status changed before "2026-03-04 10:00"', []],
    ['status changed before "2026-03-04 10:01"', ['A-1']],
    ['status changed after "2026-03-10 10:00"', []],
    ['status changed on 2026-03-10', ['A-1']],
    ['status changed on "2026-03-10 10:00"', ['A-1']],
    ['status changed on 2026-03-11', []],
    ['status changed during (2026-03-05, 2026-03-09)', []],
    ['status changed during ("2026-03-10 10:00", now())', ['A-1']],
    ['status changed to Done by ada', []],
    ['status changed by membersOf(team)', ['A-1']],
    ['status changed to Done after 2026-03-04 before 2026-03-11 by bob', ['A-1']],
  ])('%s', (jql, keys) => {
    const directory = { groups: [{ id: 'team', name: 'Team', members: ['bob'] }] };
    expect(found(jql, { ...world, directory: { ...world.directory, ...directory } })).toEqual(keys);
  });

  test('does not see a change that lay ahead then', () => {
    expect(
      found('status changed to Done', aWorld({ issues: [finished], now: '2026-03-10T09:59:59Z' })),
    ).toEqual([]);
    expect(
      found('status changed to Done', aWorld({ issues: [finished], now: '2026-03-10T10:00:00Z' })),
    ).toEqual(['A-1']);
  });
});

describe('of a cut history', () => {
  /** Nothing is known from the 4th to the 10th. */
  const cut = {
    ...finished,
    changes: finished.changes.filter(({ field }) => field === 'status'),
    history: {
      complete: false,
      unknownFrom: Date.parse('2026-03-04T10:00:00Z'),
      unknownUntil: Date.parse('2026-03-10T10:00:00Z'),
      reason: 'cut',
    },
  } as const;
  const world = aWorld({ issues: [cut] });

  test('what is known is answered', () => {
    expect(found('status was "To Do"', world)).toEqual(['A-1']);
    expect(found('status changed', world)).toEqual(['A-1']);
    expect(found('status was "To Do" before 2026-03-04', world)).toEqual(['A-1']);
    expect(undecided('status was Done before 2026-03-04', world)).toEqual([]);
    expect(undecided('status changed from Done after 2026-03-11', world)).toEqual([]);
    expect(undecided('status = Done', world)).toEqual([]);
  });

  test('what a lost change could turn is unknown, and so is its negation', () => {
    expect(undecided('priority is empty', world)).toEqual([]);
    expect(undecided('status was 6', world)).toEqual(['A-1']);
    expect(undecided('status was not 6', world)).toEqual(['A-1']);
    expect(undecided('NOT status was 6', world)).toEqual(['A-1']);
    expect(undecided('assignee changed', world)).toEqual(['A-1']);
    expect(undecided('status changed by ada after 2026-03-05', world)).toEqual(['A-1']);
  });

  test('AND and OR are decided by what is known', () => {
    expect(found('status was 6 OR status = Done', world)).toEqual(['A-1']);
    expect(undecided('status was 6 OR status = "To Do"', world)).toEqual(['A-1']);
    expect(undecided('status was 6 AND status = "To Do"', world)).toEqual([]);
    expect(undecided('status was 6 AND status = Done', world)).toEqual(['A-1']);
  });

  test('the content within the lost time is unknown', () => {
    const then = aWorld({ issues: [cut], now: '2026-03-06T00:00:00Z' });
    expect(undecided('status = Done', then)).toEqual(['A-1']);
    expect(undecided('status != Done', then)).toEqual(['A-1']);
    expect(undecided('statusCategory = Done', then)).toEqual(['A-1']);
    expect(undecided('updated < 2026-03-05', then)).toEqual(['A-1']);
    expect(found('project = A', then)).toEqual(['A-1']);
  });

  test('who gave a value in the lost time is unknown', () => {
    expect(undecided('status was "To Do" by ada', world)).toEqual(['A-1']);
    expect(found('status was Done by bob after 2026-03-10', world)).toEqual(['A-1']);
  });

  test('what the tracker shows last is known, whatever the history lacks', () => {
    const open = { ...cut, changes: [], history: { ...cut.history, unknownFrom: null, unknownUntil: null } };
    const query = compileJql('status was Done', aWorld({ issues: [open] }));
    expect(answerOf(open, query, aWorld({ issues: [open] }))).toBe('yes');
    expect(undecided('status was Done before 2026-03-11', aWorld({ issues: [open] }))).toEqual(['A-1']);
  });
});

test('a field that is empty everywhere is known by its past', () => {
  const emptied = issueWith(
    'A-5',
    { customfield_2: null, customfield_3: null },
    {
      changes: [
        change('customfield_2', '3', null, '2026-03-04T10:00:00Z'),
        change('customfield_3', 'Red', null, '2026-03-04T10:00:00Z'),
      ],
    },
  );
  const world = aWorld({ issues: [emptied, untouched] });
  expect(found('cf[2] was 3', world)).toEqual(['A-5']);
  expect(found('cf[2] was 4', world)).toEqual([]);
  expect(found('cf[2] changed from 3', world)).toEqual(['A-5']);
  expect(found('cf[3] was red', world)).toEqual(['A-5']);
  expect(refusal('cf[3] was blue', world)).toContain("'blue' at position 10 is not a value of cf[3]");
});

test('the past of a list is found, though it is told as one value', () => {
  const relabelled = issueWith(
    'A-6',
    { labels: [{ id: 'new', name: 'new' }], components: [{ id: '9', name: 'Old' }] },
    {
      changes: [
        { ...change('labels', 'api ui', 'new', '2026-03-04T10:00:00Z') },
        {
          ...change('components', null, null, '2026-03-04T10:00:00Z'),
          from: { id: '7, 8', name: 'Basket, Shop' },
          to: { id: '9', name: 'Old' },
        },
      ],
    },
  );
  const twoColors = issueWith(
    'A-9',
    { customfield_4: [{ id: '1', name: 'Red' }] },
    {
      changes: [
        {
          ...change('customfield_4', null, null, '2026-03-04T10:00:00Z'),
          from: { id: '1, 2', name: 'Red, Blue' },
          to: { id: '1', name: 'Red' },
        },
      ],
    },
  );
  const blue = issueWith('A-10', { customfield_4: [{ id: '2', name: 'Blue' }] });
  expect(found('cf[4] = Blue', aWorld({ issues: [twoColors, blue], now: '2026-03-03T00:00:00Z' }))).toEqual([
    'A-9',
    'A-10',
  ]);
  expect(found('cf[4] = Blue', aWorld({ issues: [twoColors, blue] }))).toEqual(['A-10']);

  const other = issueWith('A-7', { components: [{ id: '8', name: 'Shop' }] });
  const world = aWorld({ issues: [relabelled, other], now: '2026-03-03T00:00:00Z' });
  expect(found('labels = ui', world)).toEqual(['A-6']);
  expect(found('labels = new', world)).toEqual([]);
  expect(found('component = Shop', world)).toEqual(['A-6', 'A-7']);
  expect(found('component = Old', world)).toEqual([]);
});

test('the creator of an issue is known whatever the history lacks', () => {
  const creator = { id: 'bob', name: 'Bob' };
  const cut = issueWith(
    'A-8',
    { creator },
    {
      changes: [change('status', 'To Do', 'Done', '2026-03-09T10:00:00Z')],
      history: {
        complete: false,
        unknownFrom: null,
        unknownUntil: Date.parse('2026-03-08T00:00Z'),
        reason: 'cut',
      },
    },
  );
  expect(found('creator = bob', aWorld({ issues: [cut], now: '2026-03-05T00:00:00Z' }))).toEqual(['A-8']);
});

test.each([
  ['status was Done during (2026-03-05)', 'has 1 dates. Try: two dates in brackets.'],
  ['status was Done before (2026-03-05, 2026-03-06)', 'has 2 dates. Try: one date.'],
  ['status was Done during (2026-03-06, 2026-03-05)', 'ends before it begins. Try: the earlier date first.'],
  ['status was Done by zoe', "'zoe' at position 19 is not a user"],
  ['status was Done by empty', 'is not a user. Try: users.'],
  ['status changed from Dnoe', "'Dnoe' at position 20 is not a value of status"],
  ['status changed after never', "'never' at position 21 is not a date, as after needs"],
  ['status changed after empty', 'is not a date, as after needs'],
  ['summary was x', "'was' at position 8 is not an operator that summary takes"],
  ['summary changed to x', 'cannot be compared with summary, which is a text'],
  ['project changed', "'changed' at position 8 is not an operator that project takes"],
  ['sprint changed', "'changed' at position 7 is not an operator that sprint takes"],
])('%s is refused', (jql, why) => {
  expect(refusal(jql, aWorld({ issues: [finished] }))).toContain(why);
});
