import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { nativeChart } from '../../../src/output/charts/chart.ts';
import { aView } from '../../support/a-view.ts';
import {
  aFinishedAnswer,
  anIssueAnswer,
  aSpread,
  aStage,
  aStatisticAnswer,
  aWeeklyAnswer,
} from '../../support/an-answer.ts';

describe('answer charts', () => {
  const chartOf = (answer: Answer) => aView(answer, { run: null }).chart;

  describe('an issue', () => {
    const hour = millisecondsInHour;

    test('is drawn until it was done, in workflow order, whatever came before and after', () => {
      const chart = chartOf(aFinishedAnswer());
      expect(chart).toMatchObject({
        kind: 'pie',
        title: 'Time until done',
        categories: ['Doing', 'Review'],
        series: [{ values: [36, 12] }],
      });
      expect(chartOf(anIssueAnswer({ stages: [aStage('Doing', hour), aStage('Review', hour)] }))?.title).toBe(
        'Time so far',
      );
    });

    test('has its small stages in one slice, and none dropped', () => {
      const stages = [
        aStage('Triage', 0.1 * hour),
        aStage('Doing', 10 * hour),
        aStage('Review', 4 * hour),
        aStage('Handover', 0.2 * hour),
      ];
      const chart = chartOf(aFinishedAnswer({ stages }));
      expect(chart?.categories).toEqual(['Doing', 'Review', 'Other']);
      expect(chart?.series[0]?.values).toEqual([10, 4, 0.3]);
      expect(chart === null ? null : nativeChart(chart)?.chart).toMatchObject({ segments: { length: 3 } });
    });

    test('with many stages shows the longest five and the others together', () => {
      const stages = Array.from({ length: 30 }, (_, i) => aStage(`Status ${i + 1}`, (i + 1) * hour));
      const chart = chartOf(aFinishedAnswer({ stages }));
      expect(chart?.categories).toEqual([26, 27, 28, 29, 30].map((i) => `Status ${i}`).concat('Other'));
      // 25 statuses of 1 to 25 hours, in days.
      expect(chart?.series[0]?.values.at(-1)).toBe(13.54);
    });

    test('of a single stage needs no picture', () => {
      expect(chartOf(anIssueAnswer())).toBeNull();
    });
  });

  describe('a week', () => {
    test('is the same chart where some have no cycle time; none where all have none', () => {
      const answer = aWeeklyAnswer();
      const weeks = answer.value.weeks.map((point, index) =>
        index === 4
          ? { ...point, finished: null, cycleTime: aSpread(0, 0) }
          : index === 8
            ? { ...point, whole: false }
            : point,
      );
      const chart = chartOf(aWeeklyAnswer({ weeks }));
      expect([chart?.categories[4], chart?.categories[8]]).toEqual(['W42 (?)', 'now (14)']);
      expect(chart?.series[0]?.values).toEqual([2.5, 2.46, 2.42, 2.38, 0, 2.29, 2.25, 2.21, 2.17]);
      expect(chart?.alt).toContain('W42 (?) none');
      const none = answer.value.weeks.map((point) => ({ ...point, cycleTime: aSpread(0, 0) }));
      expect(chartOf(aWeeklyAnswer({ weeks: none }))).toBeNull();
    });
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
});
