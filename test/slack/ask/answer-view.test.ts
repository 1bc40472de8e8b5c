import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { nativeChart } from '../../../src/output/charts/chart.ts';
import { reportKind } from '../../../src/questions/report/report-kind.ts';
import type { ReportFigures } from '../../../src/questions/report/report-view.ts';
import type { AnswerPlace } from '../../../src/questions/view/answer-sheet.ts';
import { plainBlocks } from '../../../src/slack/app/pictures.ts';
import { answerView, type Look } from '../../../src/slack/ask/answer-view.ts';
import {
  aCompareAnswer,
  aListAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  anIssueAnswer,
  aRun,
  aSpread,
  aStatisticAnswer,
  aSummaryAnswer,
  aWeeklyAnswer,
  officeHours,
  provenanceOf,
} from '../../support/an-answer.ts';
import type { AnyAnswer } from '../../support/any-question.ts';

describe('answer view', () => {
  const view = (answer: Answer, look: Partial<Look> = {}) =>
    answerView(answer, {
      place: 'private',
      run: aRun(answer.question),
      part: { start: 0, size: 10 },
      sharedBy: null,
      timeZone: 'UTC',
      ...look,
    });
  const text = (answer: Answer, look: Partial<Look> = {}) => view(answer, look).message.text;
  const shown = (answer: Answer, look: Partial<Look> = {}) =>
    JSON.stringify(view(answer, look).message.blocks);
  const types = (answer: Answer) => view(answer).message.blocks.map(({ type }) => type);
  const actions = (answer: Answer, look: Partial<Look> = {}) =>
    [...shown(answer, look).matchAll(/"action_id":"([^"]+)","value":"([^"]+)"/g)].map(
      ([, id, value]) => `${id} ${value}`,
    );

  /** The same, whose third status is one of category Done. */
  function withDone(answer: AnyAnswer<ReportFigures>): Answer {
    const done = { id: 's2', name: 'Done', category: 'Done', deleted: false } as const;
    const table = { ...answer.value.table, statuses: { included: [done], excluded: [], deleted: [] } };
    return { ...answer, value: { ...answer.value, table } };
  }

  describe('a list', () => {
    test('tells how many issues there are, and where the time of those shown went', () => {
      expect(text(aListAnswer({ issues: 10, total: 37 }))).toMatch(
        /^WEB · 37 issues\. Review is where most time of those shown goes \(60%\)\. WEB-1: Basket loses its items, To Do 2d, Review 3d; WEB-2:/,
      );
    });

    test('has a way to its next and its former part, each with the run, where it starts and how many there are', () => {
      const at = (start: number, issues: number) => {
        const answer = aListAnswer({ issues, total: 37 });
        const { table } = answer.value;
        if (table.page === null) throw new Error('No page');
        const page = { ...table.page, start, end: start + issues };
        return { ...answer, value: { ...answer.value, table: { ...table, page } } };
      };
      const turns = (answer: Answer) => actions(answer).filter((action) => action.startsWith('turn-page'));
      expect(turns(at(0, 10))).toEqual(['turn-page k3x9q0w2ab 10 37']);
      expect(turns(at(10, 10))).toEqual(['turn-page k3x9q0w2ab 20 37', 'turn-page k3x9q0w2ab 0 37']);
      expect(turns(at(30, 7))).toEqual(['turn-page k3x9q0w2ab 20 37']);
      expect(text(at(30, 7))).toContain('Issues 31–37 of 37.');
      expect(turns(aListAnswer({ issues: 3 }))).toEqual([]);
    });

    test('shows the columns with most time, and says how many more there are', () => {
      const statuses = Array.from({ length: 12 }, (_, index) => `Status ${index + 1}`);
      const told = text(aListAnswer({ statuses }));
      expect(told).toContain(
        'WEB-1: Basket loses its items, Status 9 10d, Status 10 11d, Status 11 12d, Status 12 13d;',
      );
      expect(told).toContain('8 more columns in the export.');
    });

    test('never shows time in a status that is done', () => {
      const told = text(withDone(aListAnswer({ statuses: ['Doing', 'Review', 'Done'] })));
      expect(told).toContain(
        'Review is where most time goes (60%). WEB-1: Basket loses its items, Doing 2d, Review 3d;',
      );
      expect(told).not.toContain('more column');
    });

    test('is no higher than a screen: summaries in one line, ten lines of visits', () => {
      const answer = aListAnswer({
        issues: 10,
        summary: 'The address is asked for twice when the language is changed',
      });
      expect(text(answer)).toContain('WEB-1: The address is asked for twice wh…, ');
      const { table, request } = answer.value;
      const rows = Array.from({ length: 3 }, () => table.rows).flat();
      const visits = view({ ...answer, value: { table: { ...table, rows }, request } });
      expect(visits.message.text).toContain('20 more lines in Details.');
      expect(visits.details[0]?.text).toMatch(/^All 30 lines\. WEB-1: /);
    });

    test('has keys that lead to the issues', () => {
      expect(shown(aListAnswer({ issues: 1, link: 'https://tracker.example/WEB-1' }))).toContain(
        '{"type":"link","url":"https://tracker.example/WEB-1","text":"WEB-1"}',
      );
    });

    test('keeps its keys where Slack takes no table', () => {
      const { message } = view(aListAnswer({ issues: 1, link: 'https://tracker.example/WEB-1' }));
      expect(JSON.stringify(plainBlocks(message.blocks))).toContain(
        'WEB-1  Basket loses its items     2d      3d',
      );
    });

    test('without any issue says what to do', () => {
      expect(text(aListAnswer({ issues: 0 }))).toMatch(
        /^WEB · no issues\. Choose a longer time or other issues, and ask again\./,
      );
    });

    test('says that histories are cut, before the figures', () => {
      expect(text(aListAnswer({ provenance: { complete: false, cutHistories: 2 } }))).toContain(
        'Not complete: 2 of 3 histories cut.',
      );
    });
  });

  describe('a statistic', () => {
    test('answers the question first: where the time goes', () => {
      expect(text(aStatisticAnswer())).toMatch(
        /^WEB · 3 issues\. Longest: Review, 3d on average\. To Do: Average 2d; Review: Average 3d\./,
      );
    });

    test.each([
      ['sum', 'Longest: Review, 3d in total. To Do: Total 2d;'],
      ['median', 'Longest: Review, 3d (median). To Do: Median 2d;'],
      ['percentile', 'Longest: Review, 3d (p85). To Do: p85 2d;'],
      ['standardDeviation', 'Most: Review, 3d (standard deviation). To Do: Standard deviation 2d;'],
    ] as const)('says what a %s is', (type, words) => {
      const statistic = { type, denominator: 'nonNull', deviation: 'population', percentile: 85 } as const;
      expect(text(aStatisticAnswer({ statistic }))).toContain(words);
    });

    test('never calls a status that is done the longest, and shows it in the details', () => {
      const { message, chart, details } = view(
        withDone(aStatisticAnswer({ statuses: ['Doing', 'Review', 'Done'] })),
      );
      expect(message.text).toMatch(
        /^WEB · 3 issues\. Longest: Review, 3d on average\. Doing 2d · Review 3d\. /,
      );
      expect(chart?.categories).toEqual(['Doing', 'Review']);
      expect(details.map((one) => one.text)).toEqual([
        'All 3 lines. Doing: Average 2d; Review: Average 3d; Done: Average 4d.',
      ]);
    });

    test('over all issues says so, for those that never were there count as nothing', () => {
      const statistic = {
        type: 'average',
        denominator: 'all',
        deviation: 'population',
        percentile: 85,
      } as const;
      expect(text(aStatisticAnswer({ statistic }))).toContain(
        'Longest: Review, 3d on average over all issues.',
      );
    });

    test('of groups tells the longest one, and one line a group', () => {
      expect(text(aStatisticAnswer({ groups: ['Ada', 'Ben'] }))).toMatch(
        /^WEB · 3 issues\. Longest: Review for @Ada, 3d on average\. @Ada: Issues 3, To Do 2d, Review 3d; @Ben: /,
      );
    });

    test('tells of many groups the first, and how many more there are', () => {
      const groups = Array.from({ length: 40 }, (_, index) => `Person ${index + 1}`);
      const { message, chart, details } = view(aStatisticAnswer({ groups }));
      expect(message.text).toContain('@Person 10: ');
      expect(message.text).not.toContain('@Person 11: ');
      expect(message.text).toContain('30 more groups in Details.');
      // The picture would leave no room for the table.
      expect(chart).toBeNull();
      expect(details.map((one) => one.blocks.map(({ type }) => type))).toEqual([
        ['data_visualization'],
        ['section', 'table'],
      ]);
    });
  });

  describe('a report by period', () => {
    const months = Array.from({ length: 14 }, (_, i) =>
      i < 12 ? `2025-${String(i + 1).padStart(2, '0')}` : `2026-0${i - 11}`,
    );
    const statuses = [
      { id: '1', name: 'To Do', category: 'To Do', deleted: false },
      { id: '3', name: 'Doing', category: 'In Progress', deleted: false },
      { id: '4', name: 'Review', category: 'In Progress', deleted: false },
    ] as const;

    /** In month `i` Doing took `i` days on average, Review one; the first month had by far the longest Review. */
    function byMonth(first: 'status' | 'period'): Answer {
      const answer = aStatisticAnswer({ issues: 20 });
      const pairs = months.flatMap((month, i) => statuses.map((status) => ({ month, status, i })));
      const columns = pairs.map(({ month, status }) => {
        const [parent, child] =
          first === 'status'
            ? [
                { id: status.id, title: status.name },
                { id: month, title: month },
              ]
            : [
                { id: month, title: month },
                { id: status.id, title: status.name },
              ];
        const both = {
          parent,
          child,
          id: `${parent.id}|${child.id}`,
          title: `${parent.title}: ${child.title}`,
        };
        return { ...both, kind: 'duration', part: 'value' } as const;
      });
      const cells = Object.fromEntries(
        pairs.map(({ status, i }, at) => {
          const days = status.id === '1' ? 99 : status.id === '3' ? i + 1 : i === 0 ? 50 : 1;
          return [columns[at]?.id ?? '', { value: days * millisecondsInDay, visits: 1 }];
        }),
      );
      const reportType = first === 'status' ? 'statusDurationByTimePeriod' : 'timePeriodDurationByStatus';
      const table = {
        ...answer.value.table,
        ...{ columns, rows: [{ issueKey: null, own: {}, cells, issueCount: 20 }] },
        statuses: { included: statuses, excluded: [], deleted: [] },
        provenance: { ...answer.value.table.provenance, reportType },
      };
      return { ...answer, value: { ...answer.value, table } };
    }

    test.each(['status', 'period'] as const)('has time along x and statuses as series, %s first', (first) => {
      const { message, chart, details } = view(byMonth(first));
      expect(message.text).toMatch(
        /^WEB · 20 issues\. Longest: Doing in 2026-02, 14d on average\. 2026-02: Doing 14d · Review 1d\. Hours/,
      );
      expect(chart?.categories).toEqual(months.slice(2));
      expect(chart?.series.map(({ name }) => name)).toEqual(['Doing', 'Review']);
      expect(details.map((one) => one.text)).toEqual([
        expect.stringMatching(
          /^All 14 periods\. 2026-02: Doing 14d, Review 1d; 2026-01: .*; 2025-01: Doing 1d, Review 50d\.$/,
        ),
      ]);
    });
  });

  describe('a summary', () => {
    const lastMonth = { field: 'resolved', when: { by: 'days', days: 30 } } as const;

    test('says how many were finished and how long they took, then where the time goes', () => {
      expect(text(aSummaryAnswer({}, lastMonth))).toMatch(
        /^WEB · 14 issues finished in the last 30 days · half within 2d 2h, 85% within 4d 4h from start to done\. Review is where most of it goes \(63%\)\. Doing 1d 12h · Review 2d 12h\. /,
      );
    });

    test('has the picture of started work, and the table of all statuses behind Details', () => {
      const { message, chart, details } = view(aSummaryAnswer());
      expect(chart).toMatchObject({ title: 'Average time per status', categories: ['Doing', 'Review'] });
      expect(message.blocks.map(({ type }) => type)).not.toContain('table');
      expect(details.map((one) => one.text)).toEqual([
        'All 3 statuses. To Do: Average 12h, Median 10h, p85 20h, Issues 14; Doing: Average 1d 12h, Median 1d 10h, p85 2d 20h, Issues 14; Review: Average 2d 12h, Median 2d 10h, p85 4d 20h, Issues 14.',
      ]);
    });

    test('leaves waiting out, and says so in the last line', () => {
      expect(text(aSummaryAnswer())).toContain(
        'Not counted: 12h on average before work starts (To Do) · hours 24/7 · as of ',
      );
      expect(text(aSummaryAnswer({ statuses: ['To Do'] }))).not.toContain('Not counted');
    });

    test.each([
      [{ finished: 4 }, /^WEB · 14 issues · 4 finished: half within /],
      [{ finished: 1 }, /^WEB · 14 issues · 1 finished: took 2d 2h from start to done\. /],
      [{ finished: 4, cycleTime: aSpread(0, 0) }, /^WEB · 14 issues · 4 finished\. /],
      [{ finished: 0 }, /^WEB · 14 issues\. Review is /],
      [
        { issues: 0, statuses: [] },
        /^WEB · no issues\. Choose a longer time or other issues, and ask again\. /,
      ],
    ])('of %j', (facts, words) => {
      expect(text(aSummaryAnswer(facts))).toMatch(words);
    });

    test('explains its cycle times and its averages', () => {
      const { value } = aSummaryAnswer();
      expect(reportKind.figures(value).map(({ title }) => title)).toEqual([
        'Cycle time, average',
        'Cycle time, median',
        'Cycle time, 85th percentile',
        'Average time in To Do',
        'Average time in Doing',
        'Average time in Review',
      ]);
    });
  });

  describe('a week', () => {
    test('says what was finished, how long it took, and how that differs from the week before', () => {
      expect(text(aWeeklyAnswer())).toMatch(
        /^14 issues finished in WEB in week 46 \(9–15 Nov\), 3 more than the week before\. Median cycle time: 2d 4h, 5h less than the week before\./,
      );
    });

    test('has each figure beside that of the week before and of eight weeks', () => {
      expect(text(aWeeklyAnswer())).toContain(
        'Cycle time, average: 2d 6h. 5h less than the week before (2d 11h). 2h more than in eight weeks (2d 4h).',
      );
      expect(text(aWeeklyAnswer())).toContain('1.5 more than the eight weeks’ mean of 12.5.');
    });

    test('tells each status with its change, and the issues that moved the average', () => {
      expect(text(aWeeklyAnswer())).toContain(
        'Review: Average (change) 1d 8h (−5h), Median 1d 6h, 85 % 2d 12h, Spread 15h, In the week (change) 12d 12h (+1d 6h); In progress: ',
      );
      expect(text(aWeeklyAnswer())).toContain('WEB-4 Pay by invoice: took 9d (+12h).');
    });

    test('shows where most time went first, and says how many statuses are left out', () => {
      const [sample] = aWeeklyAnswer().value.statuses;
      if (sample === undefined) throw new Error('No status');
      const spent = (title: string, week: number) => ({
        ...sample,
        ...{ id: title, title, within: { ...sample.within, week } },
        finished: { ...sample.finished, week: aSpread(week, week) },
      });
      const many = Array.from({ length: 12 }, (_, index) => spent(`Stage ${index + 1}`, index));
      const shown = text(aWeeklyAnswer({ statuses: many }));
      expect(shown.match(/Stage \d+/g)?.slice(0, 10)).toEqual(
        [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Stage ${number}`),
      );
      expect(shown).toContain(
        'Shown: 10 of 12 statuses, left out: 1 with less time in the week and 1 without any.',
      );
      expect(text(aWeeklyAnswer({ statuses: many.slice(5, 7) }))).not.toContain('left out');
    });

    test('that still runs is not compared as if it were over', () => {
      const start = Date.parse('2026-11-16T00:00:00Z');
      const week = { id: '2026-W47', start, end: start + 7 * millisecondsInDay, whole: false };
      expect(text(aWeeklyAnswer({ week }))).toMatch(
        /^14 issues finished in WEB so far in week 47 \(16–22 Nov\), which still runs\. Median cycle time: 2d 4h\./,
      );
    });

    test('over the end of a month names both', () => {
      const start = Date.parse('2026-11-30T00:00:00Z');
      expect(
        text(
          aWeeklyAnswer({ week: { id: '2026-W49', start, end: start + 7 * millisecondsInDay, whole: true } }),
        ),
      ).toContain('week 49 (30 Nov–6 Dec)');
    });

    test('tells in the thread what the words mean and which issues do not count', () => {
      const { details } = view(
        aWeeklyAnswer({ withoutCycleTime: [{ key: 'WEB-3', reason: 'never in progress' }] }),
      );
      expect(details.map(({ text: told }) => told)).toEqual([
        '*Finished, but without a cycle time*\nWEB-3: never in progress',
        expect.stringContaining('Median: half took less.'),
      ]);
    });

    test('in which nothing happened says so, and what to do', () => {
      const none = { week: aSpread(0, 0), weekBefore: aSpread(0, 0), eightWeeks: aSpread(0, 0) };
      const finished = { week: 0, weekBefore: 0, eightWeeks: 0 };
      const answer = aWeeklyAnswer({ finished, cycleTime: none, statuses: [], weeks: [], movers: [] });
      expect(text(answer)).toMatch(
        /^Nothing was finished in week 46 \(9–15 Nov\) in WEB, and no time was spent/,
      );
      expect(types({ ...answer, isEmpty: true })).toEqual(['section', 'context']);
    });
  });

  describe('ages', () => {
    test('tell what is beyond the usual first, and by how much', () => {
      const answer = anAgingAnswer(anAging([anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 20)]));
      expect(text(answer)).toMatch(
        /^1 of 2 open issues in WEB stays longer than usual\. Furthest beyond: WEB-7, in Review for 3d 2h, usual is ≤ 1d 4h\./,
      );
      expect(text(answer)).toContain('For 3d 2h, Usual (85 %) ≤ 1d 4h, Over by 1d 22h');
    });

    test('without enough to compare with say so', () => {
      const lonely = anAgingIssue('WEB-8', 20, { baseline: null, pace: null });
      expect(text(anAgingAnswer(anAging([lonely])))).toMatch(
        /^1 open issue in WEB, and too few visits to tell what is usual\. Longest: WEB-8, in Review for 20h\..* Usual \(85 %\) too few to tell/,
      );
      const within = anAgingIssue('WEB-7', 5);
      expect(text(anAgingAnswer(anAging([within, lonely])))).toMatch(
        /^Nothing stays longer than usual, of the one that can be compared with what is usual: 2 open issues in WEB\./,
      );
      const two = [within, anAgingIssue('WEB-6', 4)];
      expect(text(anAgingAnswer(anAging([...two, lonely])))).toMatch(
        /^Nothing stays longer than usual, of the 2 that can be compared with what is usual: 3 open issues in WEB\./,
      );
      expect(text(anAgingAnswer(anAging(two)))).toMatch(
        /^Nothing stays longer than usual: 2 open issues in WEB\./,
      );
    });

    test('name the issues of which nobody knows since when', () => {
      const unknown = ['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4', 'WEB-5', 'WEB-6', 'WEB-7'];
      expect(text(anAgingAnswer(anAging([anAgingIssue('WEB-8', 20)], { unknown })))).toContain(
        'Left out: 7 open issues whose cut history does not tell since when (WEB-1, WEB-2, WEB-3, WEB-4, WEB-5 and 2 more).',
      );
    });

    test('are told part by part', () => {
      const issues = Array.from({ length: 25 }, (_, index) => anAgingIssue(`WEB-${index + 1}`, 50 - index));
      const answer = anAgingAnswer(anAging(issues));
      expect(text(answer, { part: { start: 20, size: 10 } })).toMatch(
        /WEB-21:.*WEB-25:.*Issues 21–25 of 25\./,
      );
      expect(actions(answer, { part: { start: 20, size: 10 } })[0]).toBe('turn-page k3x9q0w2ab 10 25');
    });

    test('in working days say how long such a day is', () => {
      const provenance = provenanceOf(1, { calendar: officeHours });
      const answer = anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)], { provenance }));
      expect(text(answer)).toContain('for 9d 2h, usual is ≤ 3d 4h');
      expect(text(answer)).toContain('Working hours Office hours (1d = 8h)');
    });
  });

  describe('times of a calendar with days of different lengths', () => {
    const calendar = { ...officeHours, dailyMs: 6.4 * millisecondsInHour, equalDays: false };

    test('are in working days of the mean length, which the last line says', () => {
      const shown = text(aStatisticAnswer({ provenance: { calendar } }));
      expect(shown).toContain('Longest: Review, 11d 1h on average.');
      expect(shown).toContain('Working hours Office hours (1d = 6h 24m)');
    });

    test('have an axis of working days', () => {
      const answer = aStatisticAnswer({ provenance: { calendar } });
      expect(view(answer).chart?.unit).toBe('working days');
    });
  });

  describe('what waits on me', () => {
    test('is mine first, then that of whom I stand in for', () => {
      const covered = [
        {
          person: { id: 'ben', name: 'Ben' },
          category: 'general',
          aging: anAging([anAgingIssue('APP-1', 5)]),
        },
      ];
      const told = text(aMineAnswer(anAging([anAgingIssue('WEB-7', 74)]), covered));
      expect(told).toMatch(
        /^1 open issue waits on you, 1 of them longer than usual\. As a stand-in: 1 issue of Ben\./,
      );
      expect(told).toMatch(/WEB-7: .*For 3d 2h, .*Review, you; APP-1: .*For 5h, .*Review, Ben\./);
    });

    test('is nobody else’s business: it cannot be shared', () => {
      expect(actions(aMineAnswer(anAging([anAgingIssue('WEB-7', 74)])))).toEqual(['why-answer k3x9q0w2ab']);
    });

    test('when nothing waits, says what would stand there', () => {
      expect(text(aMineAnswer(anAging([])))).toMatch(/^No open issue waits on you\. What is assigned to you/);
    });
  });

  describe('a comparison', () => {
    test('says which side takes longer, and by how much in each status', () => {
      expect(text(aCompareAnswer())).toMatch(
        /^Median cycle time in Blue, of 9 finished: 3d, 1d more than in Red \(2d, of 5 finished\)\./,
      );
      expect(text(aCompareAnswer())).toContain(
        'Review: Red 22h (≤ 1d 16h), Blue 1d 18h (≤ 3d 8h), Difference +20h',
      );
    });

    test('says of how many of the finished ones a cycle time is known', () => {
      const cycleTime = [aSpread(5, 48), aSpread(7, 72)] as const;
      expect(text(aCompareAnswer({ finished: [5, 9], cycleTime }))).toContain(
        'Median cycle time in Blue, of 7 of 9 finished: ',
      );
    });

    test('of few issues says that chance decides', () => {
      const few = 'Few to compare: cycle times of fewer than 5 issues of ';
      expect(text(aCompareAnswer())).not.toContain('Few to compare');
      const ofOne = [aSpread(5, 48), aSpread(4, 72)] as const;
      expect(text(aCompareAnswer({ finished: [5, 4], cycleTime: ofOne }))).toContain(`${few}Blue. `);
      const ofBoth = [aSpread(1, 48), aSpread(4, 72)] as const;
      expect(text(aCompareAnswer({ finished: [1, 4], cycleTime: ofBoth }))).toContain(
        `${few}Red and of Blue. `,
      );
    });

    test('with a side on which nothing was finished says so', () => {
      expect(text(aCompareAnswer({ finished: [0, 9], cycleTime: [aSpread(0, 0), aSpread(9, 72)] }))).toMatch(
        /^Red and Blue: nothing was finished in Red of which a cycle time is known\./,
      );
    });

    test('of nothing with nothing says what to do', () => {
      const none = [aSpread(0, 0), aSpread(0, 0)] as const;
      expect(
        text(aCompareAnswer({ issues: [0, 0], finished: [0, 0], cycleTime: none, statuses: [] })),
      ).toMatch(/^No issue on either side: Red and Blue\./);
    });
  });

  describe('what can be done with an answer', () => {
    const ofTheBuilder: readonly Answer[] = [aListAnswer(), aStatisticAnswer(), aWeeklyAnswer()];
    const everything: readonly Answer[] = [anIssueAnswer(), ...ofTheBuilder];
    const privately = ['share-answer k3x9q0w2ab', 'why-answer k3x9q0w2ab', 'export-answer k3x9q0w2ab'];

    test('privately: share, explain, export', () => {
      expect(actions(anIssueAnswer())).toEqual(privately);
    });

    test.each(ofTheBuilder)('and ask otherwise, where the builder can', (answer) => {
      expect(actions(answer)).toEqual([...privately, 'open-builder run k3x9q0w2ab']);
    });

    test.each<AnswerPlace>(['shared', 'digest'])('where others read it (%s): explain', (place) => {
      for (const answer of everything) expect(actions(answer, { place })).toEqual(['why-answer k3x9q0w2ab']);
    });

    test('a comparison has no file', () => {
      expect(actions(aCompareAnswer())).toEqual(['share-answer k3x9q0w2ab', 'why-answer k3x9q0w2ab']);
    });

    test('nothing where there is nothing to say', () => {
      expect(actions(aListAnswer({ issues: 0 }))).toEqual([]);
      expect(actions(aMineAnswer(anAging([])))).toEqual([]);
    });

    test('nothing where it was not kept', () => {
      expect(actions(aListAnswer({ issues: 10, total: 37 }), { run: null })).toEqual([]);
    });

    test('a shared one tells its run and who shared it, and wakes nobody', () => {
      const look = { place: 'shared', sharedBy: '<!here> Ada' } as const;
      expect(shown(aListAnswer(), look)).toContain('run k3x9q0w2ab · shared by &lt;!here&gt; Ada');
      expect(text(aListAnswer(), look)).toMatch(/ Run k3x9q0w2ab\. Shared by &lt;!here&gt; Ada\.$/);
    });
  });
});

describe('answer charts', () => {
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
      expect(chart?.categories).toEqual([
        ...Array.from({ length: 11 }, (_, i) => `Status ${i + 20}`),
        'Other',
      ]);
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
});
