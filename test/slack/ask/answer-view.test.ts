import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { nativeChart } from '../../../src/output/charts/chart.ts';
import type { ReportFigures } from '../../../src/questions/report/report-view.ts';
import type { AnswerPlace } from '../../../src/questions/view/answer-sheet.ts';
import { plainBlocks } from '../../../src/slack/app/pictures.ts';
import { answerView, type Look } from '../../../src/slack/ask/answer-view.ts';
import {
  aCompareAnswer,
  aFinishedAnswer,
  aListAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  anIssueAnswer,
  aRun,
  aSpread,
  aStage,
  aStatisticAnswer,
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

  const options = (answer: Answer) =>
    [...shown(answer).matchAll(/"value":"((?:run-line|open-builder) [^"]+)"\}/g)].map(([, value]) => value);

  /** The same, whose third status is one of category Done. */
  function withDone(answer: AnyAnswer<ReportFigures>): Answer {
    const done = { id: 's2', name: 'Done', category: 'Done', deleted: false } as const;
    const table = { ...answer.value.table, statuses: { included: [done], excluded: [], deleted: [] } };
    return { ...answer, value: { ...answer.value, table } };
  }

  describe('a list', () => {
    test('tells how many issues there are, and where the time of those shown went', () => {
      expect(text(aListAnswer({ issues: 10, total: 37 }))).toMatch(
        /^37 issues in WEB\. Of the 10 shown, most time went into Review: 60%\. WEB-1: Basket loses its items, To Do 2d, Review 3d; WEB-2:/,
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
      expect(told).toContain('Status 8 9d, Status 9 10d, Status 10 11d, Status 11 12d, Status 12 13d;');
      expect(told).not.toContain('Status 7 8d');
      expect(told).toContain('7 more columns with less in them; the export has them all.');
    });

    test('never says that time went into a status that is done', () => {
      expect(text(withDone(aListAnswer({ statuses: ['Doing', 'Review', 'Done'] })))).toContain(
        'Most time went into Review: 60% of the time before they were done.',
      );
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
        /^No issue in WEB\. Choose a longer time or other issues, and ask again\./,
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
        /^Review is where WEB’s time goes: 3d on average\. 3 issues in WEB\. To Do: Average 2d; Review: Average 3d\./,
      );
    });

    test.each([
      ['sum', 'goes: 3d in all'],
      ['median', 'goes: 3d at the median (half took less)'],
      ['percentile', 'goes: 3d or less in 85 % of the issues'],
      ['standardDeviation', 'Most: Review, 3d standard deviation'],
    ] as const)('says what a %s is', (type, words) => {
      const statistic = { type, denominator: 'nonNull', deviation: 'population', percentile: 85 } as const;
      expect(text(aStatisticAnswer({ statistic }))).toContain(words);
    });

    test('never calls a status that is done the longest, and says why', () => {
      const told = text(withDone(aStatisticAnswer({ statuses: ['Doing', 'Review', 'Done'] })));
      expect(told).toMatch(/^Review is where WEB’s time goes: 3d on average\./);
      expect(told).toContain('Done: Average 4d. Time in Done only tells how long ago work ended.');
    });

    test('over all issues says so, for those that never were there count as nothing', () => {
      const statistic = {
        type: 'average',
        denominator: 'all',
        deviation: 'population',
        percentile: 85,
      } as const;
      expect(text(aStatisticAnswer({ statistic }))).toContain('goes: 3d on average over all issues.');
    });

    test('of groups tells the longest one, and one line a group', () => {
      expect(text(aStatisticAnswer({ groups: ['Ada', 'Ben'] }))).toMatch(
        /^Longest: Review for Ada, 3d on average\. 3 issues in WEB\. Ada: Issues 3, To Do 2d, Review 3d; Ben: /,
      );
    });

    test('tells of many groups the first, and how many more there are', () => {
      const groups = Array.from({ length: 40 }, (_, index) => `Person ${index + 1}`);
      expect(text(aStatisticAnswer({ groups }))).toContain('25 more groups; the export has them all.');
    });
  });

  describe('a week', () => {
    test('shows its figures beside those of last week and the 8-week average', () => {
      expect(text(aWeeklyAnswer())).toMatch(
        /^WEB · week 46 \(Nov 9–15\) · changes vs last week\. 14 finished ▲ 3 \(27% more\)\. 8-week average 12\.5: ▲ 1\.5 \(12% more\)\. Median cycle time 2d 4h ▼ 5h \(9% faster\)\. 8-week average 2d 2h: ▲ 2h \(4% slower\)\. p85 4d 8h ▼ 10h \(9% faster\)\. .* 12 in progress \(9 last week\)\. Flow efficiency 38% \(▼ 4 points\)\. /,
      );
    });

    test('has its statuses in workflow order and its contributors in the details', () => {
      const [sample] = aWeeklyAnswer().value.statuses;
      if (sample === undefined) throw new Error('No status');
      const backlog = { ...sample, id: 'b', title: 'Backlog', category: 'To Do' as const };
      const { details } = view(aWeeklyAnswer({ statuses: [backlog, ...aWeeklyAnswer().value.statuses] }));
      expect(details.map((one) => one.text.split('\n')[0])).toEqual([
        expect.stringMatching(
          /^Time in status in week 46\. In progress: .*; Review: In the week \(vs last week\) 12d 12h \(▲ 1d 6h\), Average \(vs last week\) 1d 8h \(▼ 5h\), Median 1d 6h, p85 2d 12h\. Not started, in the week: Backlog 8d 8h$/,
        ),
        '*Biggest contributors to the change* in average cycle time (2d 6h vs last week 2d 11h)',
        expect.stringContaining('*Cycle time*: from the first status'),
      ]);
      expect(details[1]?.text).toContain('WEB-4 Pay by invoice: took 9d (▲ 12h)');
    });

    test('that still runs is compared with no whole week', () => {
      const start = Date.parse('2026-11-16T00:00:00Z');
      const week = { id: '2026-W47', start, end: start + 7 * millisecondsInDay, whole: false };
      expect(text(aWeeklyAnswer({ week }))).toMatch(
        /^WEB · week 47 so far \(Nov 16–22\)\. 14 finished\. Median cycle time 2d 4h\. p85 4d 8h\. 12 in progress now \(9 at the end of last week\)\. Flow efficiency 38%\. Hours/,
      );
    });

    test('of which figures are unknown says so', () => {
      const none = { week: aSpread(0, 0), weekBefore: aSpread(0, 0), eightWeeks: aSpread(0, 0) };
      const reason = 'it was never in a status of category In Progress';
      const without = aWeeklyAnswer({
        cycleTime: none,
        finished: { week: 2, weekBefore: null, eightWeeks: null },
        withoutCycleTime: ['WEB-1', 'WEB-2'].map((key) => ({ key, reason })),
        inProgress: { week: null, weekBefore: 3 },
        flowEfficiency: { week: null, weekBefore: null },
      });
      expect(text(without)).toMatch(
        /^WEB · week 46 \(Nov 9–15\)\. 2 finished\. No cycle times\. WEB-1: it was never in a status of category In Progress, and 1 more\. Number in progress unknown \(3 last week\)\. /,
      );
      const unknown = aWeeklyAnswer({
        cycleTime: none,
        finished: { week: null, weekBefore: null, eightWeeks: null },
        finishedUnknown: 'WEB-1 may have been finished then: its history is not complete',
      });
      expect(text(unknown)).toMatch(
        /^WEB · week 46 \(Nov 9–15\)\. Nothing is known to have been finished in week 46: WEB-1 may have been finished then: its history is not complete\. /,
      );
    });

    test('needs attention where a started issue is beyond what is usual', () => {
      const attention = [
        anAgingIssue('WEB-7', 74),
        anAgingIssue('WEB-8', 30, { assignee: null }),
        anAgingIssue('WEB-9', 29, { assignee: { id: null, name: 'Bob' } }),
      ];
      const { message } = view(aWeeklyAnswer({ attention }));
      expect(message.text).toContain(
        'Needs attention. 🟠 WEB-7 Review 3d 2h, 2.6× usual · @Ada. 🟡 WEB-8 Review 1d 6h, 1× usual · unassigned. 🟡 WEB-9 Review 1d 5h, 1× usual · @Bob.',
      );
      // Only of someone whose id is known.
      expect(JSON.stringify(message.blocks).match(/nudge-assignee/g)?.length).toBe(1);
    });

    test('names in the details which issues do not count, and why', () => {
      const { details } = view(
        aWeeklyAnswer({
          statuses: [],
          contributors: [],
          withoutCycleTime: [{ key: 'WEB-3', reason: 'never in progress' }],
        }),
      );
      expect(details.map((one) => one.text)).toEqual([
        '*Finished without a cycle time*\nWEB-3: never in progress',
        expect.stringContaining('*Flow efficiency*'),
      ]);
    });

    test('in which nothing happened says so, and what to do', () => {
      const none = { week: aSpread(0, 0), weekBefore: aSpread(0, 0), eightWeeks: aSpread(0, 0) };
      const finished = { week: 0, weekBefore: 0, eightWeeks: 6 };
      const answer = aWeeklyAnswer({ finished, cycleTime: none, statuses: [], weeks: [], contributors: [] });
      expect(text(answer)).toMatch(
        /^WEB · week 46 \(Nov 9–15\)\. Nothing was finished in week 46 \(8-week average 6\)\. Try another week, or \/tis aging for open work\. Hours/,
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
      expect(text(answer)).toContain('(1d = 8h)');
    });
  });

  describe('times of a calendar with days of different lengths', () => {
    const calendar = { ...officeHours, dailyMs: 6.4 * millisecondsInHour, equalDays: false };
    const provenance = provenanceOf(1, { calendar });

    test('are in days of their mean length, which the answer names', () => {
      const shown = text(anAgingAnswer(anAging([anAgingIssue('WEB-7', 104)], { provenance })));
      expect(shown).toContain('For 16d 1h');
      expect(shown).toContain('(1d = 6h 24m)');
    });

    test('have an axis of working days', () => {
      const issues = [anAgingIssue('WEB-7', 104), anAgingIssue('WEB-8', 20)];
      expect(view(anAgingAnswer(anAging(issues, { provenance }))).chart?.unit).toBe('working days');
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
    const everything: readonly Answer[] = [aFinishedAnswer(), ...ofTheBuilder];
    const privately = ['share-answer k3x9q0w2ab', 'why-answer k3x9q0w2ab', 'export-answer k3x9q0w2ab'];

    test('privately: share, explain, export', () => {
      expect(actions(aFinishedAnswer())).toEqual(privately);
    });

    test.each(ofTheBuilder)('and change the question, where the builder can ask it', (answer) => {
      expect(options(answer)).toContain('open-builder run k3x9q0w2ab');
    });

    test('an issue of others: nudge its assignee, and ask in other words', () => {
      expect(actions(anIssueAnswer())).toEqual(['nudge-assignee k3x9q0w2ab WEB-1', ...privately]);
      expect(options(anIssueAnswer())).toEqual([
        'run-line /tis WEB-1 by assignee',
        'run-line /tis WEB-1 by week',
        'run-line /tis WEB-1 in hours',
      ]);
      expect(actions(anIssueAnswer({ isOwn: true }))).toEqual(privately);
    });

    test.each<AnswerPlace>(['shared', 'digest'])('where others read it (%s): explain', (place) => {
      for (const answer of everything) expect(actions(answer, { place })).toEqual(['why-answer k3x9q0w2ab']);
      expect(actions(anIssueAnswer(), { place })).toEqual([
        'nudge-assignee k3x9q0w2ab WEB-1',
        'why-answer k3x9q0w2ab',
      ]);
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
    test('shows the median cycle time of nine weeks, with how many issues were finished in each', () => {
      expect(chartOf(aWeeklyAnswer())).toMatchObject({
        title: 'Median cycle time by week',
        unit: 'days',
        categories: [38, 39, 40, 41, 42, 43, 44, 45, 46].map((number, i) => `W${number} (${6 + i})`),
        series: [{ name: 'Median', values: [2.5, 2.46, 2.42, 2.38, 2.33, 2.29, 2.25, 2.21, 2.17] }],
      });
    });

    test('is the same chart where some have no cycle time; none where all have none', () => {
      const answer = aWeeklyAnswer();
      const weeks = answer.value.weeks.map((point, index) =>
        index === 4
          ? { ...point, finished: null, cycleTime: aSpread(0, 0) }
          : index === 8
            ? { ...point, week: { ...point.week, whole: false } }
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
