import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { nativeChart } from '../../../src/output/charts/chart.ts';
import { answerView } from '../../../src/slack/answers/answer-view.ts';
import {
  aCompareAnswer,
  aListAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  anIssueAnswer,
  aSpread,
  aStatisticAnswer,
  aWeeklyAnswer,
  officeHours,
  provenanceOf,
} from '../../support/an-answer.ts';

const chartOf = (answer: Answer) =>
  answerView(answer, {
    place: 'private',
    run: null,
    part: { start: 0, size: 10 },
    sharedBy: null,
    timeZone: 'UTC',
  }).chart;
const anIssueWith = (statuses: number) =>
  anIssueAnswer({
    statuses: Array.from({ length: statuses }, (_, index) => ({
      status: `Status ${index + 1}`,
      category: 'In Progress' as const,
      visits: 1,
      ms: (index + 1) * millisecondsInHour,
      share: 1 / statuses,
      now: false,
    })),
  });

describe('an issue', () => {
  describe('leaves out what counts as done', () => {
    const doing = {
      status: 'Doing',
      category: 'In Progress',
      visits: 1,
      ms: 3 * millisecondsInHour,
      share: 0.5,
    } as const;
    const ready = {
      status: 'Ready for Release',
      category: 'Done',
      visits: 1,
      ms: millisecondsInHour,
      share: 0.2,
    } as const;
    const open = {
      status: 'To Do',
      category: 'To Do',
      visits: 1,
      ms: 2 * millisecondsInHour,
      share: 0.3,
    } as const;
    const answerOf = (now: string) =>
      anIssueAnswer({
        statuses: [open, doing, ready].map((one) => ({ ...one, now: one.status === now })),
      });
    const textOf = (answer: Answer) =>
      answerView(answer, {
        place: 'private',
        run: null,
        part: { start: 0, size: 10 },
        sharedBy: null,
        timeZone: 'UTC',
      }).message.text;

    test('and says which status that is', () => {
      expect(chartOf(answerOf('Ready for Release'))?.title).toBe('Time of WEB-1 until it was done');
      expect(textOf(answerOf('Ready for Release'))).toContain(
        'Left out of the chart: Ready for Release, which counts as done.',
      );
      expect(textOf(anIssueWith(3))).not.toContain('Left out of the chart');
    });

    test('and does not call one done that was reopened', () => {
      expect(chartOf(answerOf('Doing'))?.title).toBe('Where the time of WEB-1 went');
      expect(textOf(answerOf('Doing'))).toContain('Left out of the chart: Ready for Release');
    });
  });

  test('of few statuses is a pie, of many it is bars', () => {
    expect(chartOf(anIssueWith(6))?.kind).toBe('pie');
    expect(chartOf(anIssueWith(7))?.kind).toBe('bar');
  });

  test('shows the longest stays where there are too many for a glance', () => {
    const chart = chartOf(anIssueWith(30));
    expect(chart?.categories).toEqual([...Array.from({ length: 11 }, (_, i) => `Status ${i + 20}`), 'Other']);
    // 19 statuses of 1 to 19 hours, in days.
    expect(chart?.series[0]?.values.at(-1)).toBe(7.92);
  });

  test('holds all the time until it was done, however long ago that is', () => {
    const time = { visits: 1, share: 0.001, now: false, category: 'In Progress' } as const;
    const statuses = [
      { ...time, status: 'Waiting', ms: millisecondsInHour },
      { ...time, status: 'Doing', ms: 10 * millisecondsInHour },
      { ...time, status: 'Review', ms: 4 * millisecondsInHour },
      { ...time, status: 'Triage', ms: 60_000 },
      { ...time, status: 'Handover', ms: 120_000 },
      {
        ...time,
        status: 'Done',
        category: 'Done' as const,
        ms: 30_000 * millisecondsInHour,
        share: 0.999,
        now: true,
      },
    ];
    const answer = anIssueAnswer({ statuses });
    const chart = chartOf(answer);
    expect(chart?.kind).toBe('pie');
    expect(chart?.categories).toEqual(['Waiting', 'Doing', 'Review', 'Other']);
    expect(chart?.series[0]?.values).toEqual([1, 10, 4, 0.05]);
    expect(chart === null ? null : nativeChart(chart)?.chart).toMatchObject({ segments: { length: 4 } });
    const open = anIssueAnswer({ statuses: statuses.slice(0, 5) });
    expect(chartOf(open)?.categories).toEqual(['Waiting', 'Doing', 'Review', 'Other']);
    const { message } = answerView(open, {
      ...{ place: 'private' as const, run: null, sharedBy: null, timeZone: 'UTC' },
      part: { start: 0, size: 10 },
    });
    expect(message.text).toContain('Other in the chart: Triage, Handover.');
  });

  test('leaves out the time since it was done', () => {
    const time = { visits: 1, ms: millisecondsInHour, share: 0.25, now: false };
    const answer = anIssueAnswer({
      statuses: [
        { ...time, status: 'Doing', category: 'In Progress' },
        { ...time, status: 'Review', category: 'In Progress' },
        { ...time, status: 'Done', category: 'Done', ms: 2 * millisecondsInHour, share: 0.5 },
      ],
    });
    expect(chartOf(answer)?.categories).toEqual(['Doing', 'Review']);
  });

  test('of a single status needs no picture', () => {
    expect(chartOf(anIssueWith(1))).toBeNull();
  });
});

describe('a week', () => {
  test('shows the cycle time of nine weeks', () => {
    expect(chartOf(aWeeklyAnswer())).toMatchObject({
      title: 'Cycle time by week',
      unit: 'days',
      categories: ['W38', 'W39', 'W40', 'W41', 'W42', 'W43', 'W44', 'W45', 'W46'],
      series: [
        { name: 'Median', values: [2.5, 2.46, 2.42, 2.38, 2.33, 2.29, 2.25, 2.21, 2.17] },
        { name: '85 % within' },
      ],
    });
  });

  test('shows how many issues were finished where one of the weeks has no cycle time', () => {
    const answer = aWeeklyAnswer();
    const weeks = answer.value.weeks.map((point, index) =>
      index === 4 ? { ...point, finished: 0, cycleTime: aSpread(0, 0) } : point,
    );
    expect(chartOf(aWeeklyAnswer({ weeks }))).toMatchObject({
      unit: 'issues',
      series: [{ name: 'Finished', values: [6, 7, 8, 9, 0, 11, 12, 13, 14] }],
    });
  });
});

test('ages stand beside what is usual; issues without are left out', () => {
  const issues = [
    anAgingIssue('WEB-1', 74),
    anAgingIssue('WEB-2', 30),
    anAgingIssue('WEB-3', 20, { baseline: null, pace: null }),
  ];
  expect(chartOf(anAgingAnswer(anAging(issues)))).toMatchObject({
    categories: ['WEB-1', 'WEB-2'],
    unit: 'days',
    series: [
      { name: 'So far', values: [3.08, 1.25] },
      { name: 'Usual (85 %)', values: [1.17, 1.17] },
    ],
  });
});

test('a comparison of teams without statuses in common shows their cycle times', () => {
  expect(chartOf(aCompareAnswer({ statuses: [] }))).toMatchObject({
    title: 'Cycle time',
    categories: ['Average', 'Median', '85 % within'],
  });
});

test('a comparison is two bars a status', () => {
  expect(chartOf(aCompareAnswer())?.series.map(({ name }) => name)).toEqual(['Red', 'Blue']);
});

test('a statistic is a bar a status, in the unit that can be read', () => {
  const provenance = provenanceOf(3, { calendar: officeHours });
  expect(chartOf(aStatisticAnswer({ provenance }))).toMatchObject({
    unit: 'working days',
    categories: ['To Do', 'Review'],
    series: [{ name: 'Average', values: [6, 9] }],
  });
});

test('a list has no picture', () => {
  expect(chartOf(aListAnswer())).toBeNull();
});

test('names that are long, empty or the same still fit into Slack’s own chart', () => {
  const long = 'A status of a very long name';
  const chart = chartOf(aStatisticAnswer({ statuses: [`${long} one`, `${long} two`, '', ' ', 'Review'] }));
  expect(chart?.categories).toEqual([
    'A status of a very …',
    'A status of a v… (2)',
    '(no name)',
    '(no name) (2)',
    'Review',
  ]);
  expect(chart === null ? null : nativeChart(chart)).not.toBeNull();
});

test('the picture’s words say the same', () => {
  expect(chartOf(aCompareAnswer())?.alt).toBe(
    'Average time in status (Red and Blue): Doing 12h and 14h, Review 22h and 1d 18h.',
  );
});
