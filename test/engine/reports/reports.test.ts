import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { measurerOf } from '../../../src/engine/measure/measure-issue.ts';
import { anyFieldDuration } from '../../../src/engine/reports/any-field-duration.ts';
import {
  assigneeDurationByStatus,
  statusDurationByAssignee,
} from '../../../src/engine/reports/assignee-by-status.ts';
import { currentStateAge } from '../../../src/engine/reports/current-state-age.ts';
import {
  statusDurationByTimePeriod,
  timePeriodDurationByStatus,
} from '../../../src/engine/reports/status-by-period.ts';
import { statusCount, statusDuration } from '../../../src/engine/reports/status-duration.ts';
import { assigneeDuration, groupDuration } from '../../../src/engine/reports/time-by-assignee.ts';
import { transitionCount } from '../../../src/engine/reports/transition-count.ts';
import {
  firstTransitionFromStatusDate,
  firstTransitionToStatusDate,
  lastTransitionFromStatusDate,
  lastTransitionToStatusDate,
} from '../../../src/engine/reports/transition-dates.ts';
import type { Group } from '../../../src/model/directory.ts';
import { periodAt } from '../../../src/time/periods.ts';
import { anIssue } from '../../support/issue-story.ts';
import { asked, lineOf, measureOf, visitsIn } from '../../support/measuring.ts';

const day = (date: string, hour = '00') => `${date}T${hour}:00:00Z`;
const at = (date: string, hour = '00') => Date.parse(day(date, hour));

// To Do 10 h · Doing 14 h · To Do 24 h · Doing 24 h · Done, asked 24 h later.
const { issue } = anIssue('WEB-1', day('2026-01-05'))
  .changes('assignee', null, 'Ada', day('2026-01-05', '06'))
  .moves('Doing', day('2026-01-05', '10'))
  .changes('assignee', 'Ada', 'Bob', day('2026-01-05', '22'))
  .moves('To Do', day('2026-01-06'))
  .moves('Doing', day('2026-01-07'))
  .changes('assignee', 'Bob', 'Ada', day('2026-01-07', '12'))
  .moves('Done', day('2026-01-08'));
const then = day('2026-01-09');

test('status duration adds up all visits', () => {
  expect(lineOf(statusDuration, issue, asked(then))).toEqual({
    'To Do': 34 * millisecondsInHour,
    Doing: 38 * millisecondsInHour,
    Done: 24 * millisecondsInHour,
  });
});

test('assignee duration tells the time with everybody, nobody included', () => {
  const line = {
    Unassigned: 6 * millisecondsInHour,
    Ada: 52 * millisecondsInHour,
    Bob: 38 * millisecondsInHour,
  };
  expect(lineOf(assigneeDuration, issue, asked(then))).toEqual(line);
  expect(visitsIn(assigneeDuration, issue, asked(then))).toEqual({ Unassigned: 1, Ada: 2, Bob: 1 });
});

test('the time an assignee had in statuses that are not selected is left out', () => {
  const doing = asked(then, { countsStatus: (id) => id === 'Doing' });
  expect(lineOf(assigneeDuration, issue, doing)).toEqual({
    Ada: 24 * millisecondsInHour,
    Bob: 14 * millisecondsInHour,
  });
  expect(visitsIn(assigneeDuration, issue, doing)).toEqual({ Ada: 2, Bob: 1 });
});

test('status per assignee and assignee per status are the same figures in two orders', () => {
  const byAssignee = lineOf(statusDurationByAssignee, issue, asked(then));
  expect(byAssignee).toEqual({
    'Unassigned: To Do': 6 * millisecondsInHour,
    'Ada: To Do': 4 * millisecondsInHour,
    'Ada: Doing': 24 * millisecondsInHour,
    'Bob: Doing': 14 * millisecondsInHour,
    'Bob: To Do': 24 * millisecondsInHour,
    'Ada: Done': 24 * millisecondsInHour,
  });
  const swapped = Object.fromEntries(
    Object.entries(byAssignee).map(([title, ms]) => [title.split(': ').reverse().join(': '), ms]),
  );
  expect(lineOf(assigneeDurationByStatus, issue, asked(then))).toEqual(swapped);
});

test('a two-level report tells which pair the issue is in now', () => {
  const { current } = measureOf(statusDurationByAssignee, issue, asked(then));
  expect(current).toEqual([{ columnId: 'Ada|Done', title: 'Ada: Done', since: at('2026-01-08') }]);
});

test('group duration adds up the members of each group, some of them in two', () => {
  const groups: readonly Group[] = [
    { id: 'g1', name: 'Web', members: ['Ada'] },
    { id: 'g2', name: 'Everybody', members: ['Ada', 'Bob'] },
    { id: 'g3', name: 'Nobody', members: [] },
  ];
  expect(
    lineOf(
      groupDuration,
      issue,
      asked(then, { groupsOf: (user) => groups.filter(({ members }) => members.includes(user)) }),
    ),
  ).toEqual({
    Web: 52 * millisecondsInHour,
    Everybody: 90 * millisecondsInHour,
  });
});

test('status count counts entries, the creation among them', () => {
  expect(lineOf(statusCount, issue, asked(then))).toEqual({ 'To Do': 2, Doing: 2, Done: 1 });
});

test('transition count counts each pair of statuses', () => {
  expect(lineOf(transitionCount, issue, asked(then))).toEqual({
    'To Do → Doing': 2,
    'Doing → To Do': 1,
    'Doing → Done': 1,
  });
});

describe('dates of transitions', () => {
  test('to a status: the first and the last entry', () => {
    expect(lineOf(firstTransitionToStatusDate, issue, asked(then))).toEqual({
      'To Do': at('2026-01-05'),
      Doing: at('2026-01-05', '10'),
      Done: at('2026-01-08'),
    });
    expect(lineOf(lastTransitionToStatusDate, issue, asked(then))).toEqual({
      'To Do': at('2026-01-06'),
      Doing: at('2026-01-07'),
      Done: at('2026-01-08'),
    });
  });

  test('from a status: the first and the last exit, none from where the issue still is', () => {
    expect(lineOf(firstTransitionFromStatusDate, issue, asked(then))).toEqual({
      'To Do': at('2026-01-05', '10'),
      Doing: at('2026-01-06'),
    });
    expect(lineOf(lastTransitionFromStatusDate, issue, asked(then))).toEqual({
      'To Do': at('2026-01-07'),
      Doing: at('2026-01-08'),
    });
  });

  test('the end of a trim window is no exit', () => {
    const trim = { from: null, to: at('2026-01-07', '12') };
    expect(lineOf(lastTransitionFromStatusDate, issue, asked(then, { trim }))).toEqual({
      'To Do': at('2026-01-07'),
      Doing: at('2026-01-06'),
    });
  });

  test('a date that unknown time could change is not told, though the status was met', () => {
    const cut = anIssue('WEB-2', day('2026-01-01'), 'To Do')
      .moves('Doing', day('2026-01-05'), { from: 'To Do' })
      .historyIs({
        complete: false,
        unknownFrom: null,
        unknownUntil: at('2026-01-03'),
        reason: 'the export holds the newest changes only',
      }).issue;
    expect(lineOf(firstTransitionToStatusDate, cut, asked(then))).toEqual({
      'To Do': undefined,
      Doing: undefined,
    });
    expect(lineOf(lastTransitionToStatusDate, cut, asked(then))).toMatchObject({ Doing: at('2026-01-05') });
  });
});

describe('time periods', () => {
  const context = (period: 'Day' | 'Month') => {
    const periods = [];
    for (let start = at('2026-01-05'); start <= Date.parse(then); ) {
      const next = periodAt(start, period, 'UTC');
      periods.push(next);
      start = next.end;
    }
    return asked(then, { periods });
  };

  test('a visit is cut where a period begins', () => {
    expect(lineOf(statusDurationByTimePeriod, issue, context('Day'))).toEqual({
      'To Do: 2026-01-05': 10 * millisecondsInHour,
      'Doing: 2026-01-05': 14 * millisecondsInHour,
      'To Do: 2026-01-06': 24 * millisecondsInHour,
      'Doing: 2026-01-07': 24 * millisecondsInHour,
      'Done: 2026-01-08': 24 * millisecondsInHour,
    });
  });

  test('the same figures stand under the period first when asked so', () => {
    expect(lineOf(timePeriodDurationByStatus, issue, context('Month'))).toEqual({
      '2026-01: To Do': 34 * millisecondsInHour,
      '2026-01: Doing': 38 * millisecondsInHour,
      '2026-01: Done': 24 * millisecondsInHour,
    });
  });
});

test('any field tells the time per value, and the time without one', () => {
  const { issue: sprinting } = anIssue('WEB-3', day('2026-01-05'))
    .changes('sprint', null, 'Sprint 1', day('2026-01-06'))
    .changes('sprint', 'Sprint 1', 'Sprint 2', day('2026-01-08'));
  const historyFields = [{ id: 'sprint', title: 'Sprint', kind: 'duration', part: 'value' }] as const;
  expect(lineOf(anyFieldDuration, sprinting, asked(then, { historyFields }))).toEqual({
    Empty: 24 * millisecondsInHour,
    'Sprint 1': 48 * millisecondsInHour,
    'Sprint 2': 24 * millisecondsInHour,
  });
});

test('the age of the current state is that of the current visit alone', () => {
  const { issue: reopened } = anIssue('WEB-4', day('2026-01-05'))
    .moves('Doing', day('2026-01-06'))
    .moves('To Do', day('2026-01-08'));
  expect(lineOf(currentStateAge, reopened, asked(then))).toEqual({ Age: 24 * millisecondsInHour });
});

test('a consolidated status is the sum of its members, beside which they still can stand', () => {
  const consolidated = [{ name: 'Open', statuses: ['To Do', 'Doing'] }];
  expect(lineOf(statusDuration, issue, asked(then, { consolidated }))).toEqual({
    'To Do': 34 * millisecondsInHour,
    Open: 72 * millisecondsInHour,
    Doing: 38 * millisecondsInHour,
    Done: 24 * millisecondsInHour,
  });
  expect(visitsIn(statusCount, issue, asked(then, { consolidated }))).toMatchObject({ Open: 4 });
});

test('issues of which each has a value of its own are measured by themselves, however many', () => {
  const historyFields = [{ id: 'summary', title: 'Summary', kind: 'duration', part: 'value' }] as const;
  const measure = measurerOf(anyFieldDuration, asked(then, { historyFields }), new Map());
  for (let i = 0; i < 2_000; i += 1) {
    const { issue: renamed } = anIssue(`WEB-${i}`, day('2026-01-05')).changes(
      'summary',
      `Old ${i}`,
      `New ${i}`,
      day('2026-01-06'),
    );
    const { columns, lines } = measure(renamed);
    expect(columns.map(({ id }) => [id, lines[0]?.[id]?.value])).toEqual([
      [`Old ${i}`, 24 * millisecondsInHour],
      [`New ${i}`, 72 * millisecondsInHour],
    ]);
  }
});
