import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import type { MovingRange } from '../../../src/model/question.ts';
import { nativeChart } from '../../../src/output/charts/chart.ts';
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
        /^37 issues in WEB\. Of the 10 shown, most time went into Review: 60 %\. WEB-1: Basket loses its items, To Do 2d, Review 3d; WEB-2:/,
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
        'Most time went into Review: 60 % of the time before they were done.',
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
        '2 of 3 histories are cut: earlier time is missing.',
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

  describe('aging', () => {
    /** What is behind *Details*. */
    const detailsOf = (answer: Answer) => view(answer).details.map((one) => one.text);
    const someIssues = [anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 20)];

    test('says how many issues are longer in their status than usual, then each with its share', () => {
      expect(text(anAgingAnswer(anAging(someIssues)))).toMatch(
        /^1 of 2 started issues in WEB has been in its status longer than usual\. WEB-7 Basket loses its items: Review, For 3d 2h, × usual 🟠 2\.6×, @Ada; WEB-8 Basket loses its items: Review, For 20h, × usual 0\.7×, @Ada\./,
      );
      const both = [anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 29)];
      expect(text(anAgingAnswer(anAging(both)))).toMatch(
        /^All 2 started issues in WEB have been in their status longer than usual\. .* 🟡 1×, @Ada\. Hours/,
      );
      expect(text(anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)])))).toMatch(
        /^The one started issue in WEB has been in its status longer than usual\./,
      );
    });

    test('has a row an issue: key and summary with a link, and an assignee where there is one', () => {
      const issue = anAgingIssue('WEB-7', 74, { link: 'https://tracker.example/WEB-7', assignee: null });
      const told = shown(anAgingAnswer(anAging([issue])));
      expect(told).toContain(
        '{"type":"link","url":"https://tracker.example/WEB-7","text":"WEB-7"},{"type":"text","text":" Basket loses its items"}',
      );
      expect(told).toContain('{"type":"raw_text","text":"🟠 2.6×"},{"type":"raw_text","text":"–"}');
    });

    test('without enough to compare with says so', () => {
      const lonely = anAgingIssue('WEB-8', 20, { baseline: null, pace: null });
      expect(text(anAgingAnswer(anAging([lonely])))).toMatch(
        /^1 started issue in WEB · not enough history yet to say what is usual\. .*× usual –, @Ada\./,
      );
      const within = [anAgingIssue('WEB-7', 5), anAgingIssue('WEB-6', 4)];
      const none = 'No started issue in WEB has been in its status longer than usual';
      expect(text(anAgingAnswer(anAging([...within, lonely])))).toContain(
        `${none} · 3 started, 1 with nothing to compare with.`,
      );
      expect(text(anAgingAnswer(anAging(within)))).toContain(`${none} · 2 started.`);
    });

    test('counts what is not started in small print, with the line that shows it', () => {
      const notStarted = { count: 63, oldestMs: 512 * millisecondsInDay };
      const answer = anAgingAnswer(anAging(someIssues, { notStarted }));
      const line = '63 issues are not started (oldest 512d): `/tis aging WEB with backlog`';
      expect(view(answer).message.blocks.at(-2)).toMatchObject({
        type: 'context',
        elements: [{ text: expect.stringContaining(line) }],
      });
      expect(text(answer)).toContain(`${line}. Hours 24/7 · as of`);
      expect(shown(answer)).toContain(
        '"text":"With backlog"},"value":"run-line /tis aging WEB with backlog in normalHours"',
      );
      const all = { ...answer, question: { ...answer.question, backlog: true } };
      expect(text(all)).toMatch(/^1 of 2 open issues in WEB has been/);
      expect(shown(all)).not.toContain('not started');
      expect(text(anAgingAnswer(anAging([], { notStarted: { count: 1, oldestMs: null } })))).toMatch(
        /^No started issues in WEB\. 1 issue is not started: `\/tis aging WEB with backlog`\./,
      );
    });

    test('never shows a query to others, not even to have it typed', () => {
      const answer = anAgingAnswer(
        anAging(someIssues, { notStarted: { count: 2, oldestMs: millisecondsInDay } }),
      );
      const selection = { by: 'jql', jql: 'summary ~ secret' } as const;
      const asked = { ...answer, question: { ...answer.question, selection } };
      expect(text(asked)).toContain('`/tis aging jql summary ~ secret with backlog`');
      expect(shown(asked, { place: 'shared' })).not.toContain('secret');
      expect(text(asked, { place: 'shared' })).toContain(
        'not started (oldest 1d): add `with backlog` to see them',
      );
    });

    test('offers to nudge the assignee of the first issue, where it is longer there than usual', () => {
      const nudges = (answer: Answer, look: Partial<Look> = {}) =>
        actions(answer, look).filter((action) => action.startsWith('nudge'));
      expect(nudges(anAgingAnswer(anAging(someIssues)))).toEqual(['nudge-assignee k3x9q0w2ab WEB-7']);
      expect(nudges(anAgingAnswer(anAging(someIssues)), { place: 'shared' })).toEqual([]);
      expect(nudges(anAgingAnswer(anAging(someIssues)), { part: { start: 1, size: 1 } })).toEqual([]);
      expect(nudges(anAgingAnswer(anAging([anAgingIssue('WEB-8', 20)])))).toEqual([]);
      const noOne = { assignee: { id: null, name: 'Ada' } };
      expect(nudges(anAgingAnswer(anAging([anAgingIssue('WEB-7', 74, noOne)])))).toEqual([]);
    });

    test('names the issues that are left out as their history is cut', () => {
      const unknown = ['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4', 'WEB-5', 'WEB-6', 'WEB-7'];
      const provenance = provenanceOf(8, { cutHistories: 7, complete: false });
      expect(text(anAgingAnswer(anAging([anAgingIssue('WEB-8', 20)], { unknown, provenance })))).toContain(
        '7 issues left out: their history is cut (WEB-1, WEB-2, WEB-3, WEB-4, WEB-5 and 2 more).',
      );
    });

    test('is shown part by part', () => {
      const issues = Array.from({ length: 25 }, (_, index) => anAgingIssue(`WEB-${index + 1}`, 50 - index));
      const answer = anAgingAnswer(anAging(issues));
      expect(text(answer, { part: { start: 20, size: 10 } })).toMatch(
        /WEB-21 .*WEB-25 .*Issues 21–25 of 25\./,
      );
      expect(actions(answer, { part: { start: 20, size: 10 } })[0]).toBe('turn-page k3x9q0w2ab 10 25');
    });

    test('in working days says how long such a day is, also where days differ', () => {
      const provenance = provenanceOf(1, { calendar: officeHours });
      const answer = anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)], { provenance }));
      expect(text(answer)).toContain('For 9d 2h, × usual');
      expect(text(answer)).toContain('Working hours Office hours (1d = 8h)');
      const calendar = { ...officeHours, dailyMs: 6.4 * millisecondsInHour, equalDays: false };
      const uneven = anAging([anAgingIssue('WEB-7', 104)], { provenance: { ...provenance, calendar } });
      expect(text(anAgingAnswer(uneven))).toContain('For 16d 1h, × usual');
      expect(text(anAgingAnswer(uneven))).toContain('(1d = 6h 24m)');
    });

    test('has bars that compare in its details: one an issue, in the order of the table', () => {
      const lonely = anAgingIssue('WEB-3', 20, { baseline: null, pace: null });
      const answer = anAgingAnswer(anAging([...someIssues, lonely]));
      expect(view(answer).details[0]?.blocks[0]).toMatchObject({
        type: 'data_visualization',
        title: 'Time in status against usual',
        chart: {
          type: 'bar',
          series: [
            {
              name: '× usual',
              data: [
                { label: 'WEB-7', value: 2.6 },
                { label: 'WEB-8', value: 0.7 },
              ],
            },
          ],
          axis_config: { y_label: '× usual' },
        },
      });
      expect(detailsOf(answer)[0]).toMatch(
        /^Time in status against usual: WEB-7 2\.6×, WEB-8 0\.7×\. Usual is p85 of the last 90 days: /,
      );
      expect(detailsOf(anAgingAnswer(anAging([anAgingIssue('WEB-7', 74), lonely])))).toEqual([]);
    });
  });

  describe('issues assigned to me', () => {
    const ofBen = {
      person: { id: 'ben', name: 'Ben' },
      category: 'general',
      aging: anAging([anAgingIssue('APP-1', 5)]),
    };

    test('are mine first, then those of people I cover for', () => {
      const told = text(aMineAnswer(anAging([anAgingIssue('WEB-7', 74)]), [ofBen]));
      expect(told).toMatch(
        /^1 open issue assigned to you · 1 longer than usual\. Covering for Ben: 1 issue\. WEB-7 /,
      );
      expect(told).toMatch(/WEB-7 .*Review, For 3d 2h, .*, you; APP-1 .*Review, For 5h, .*, @Ben\./);
      expect(shown(aMineAnswer(anAging([]), [ofBen]))).toContain('"text":"Assigned to"');
    });

    test('without cover need no column of people', () => {
      expect(shown(aMineAnswer(anAging([anAgingIssue('WEB-7', 74)])))).not.toMatch(/Assign(ee|ed to")/);
    });

    test('of many people are counted together', () => {
      const many = Array.from({ length: 7 }, (_, index) => ({
        ...ofBen,
        person: { id: `p${index}`, name: `Person ${index}` },
      }));
      expect(text(aMineAnswer(anAging([]), many))).toContain(
        'Covering for Person 0: 1 issue, Person 1: 1 issue, Person 2: 1 issue, Person 3: 1 issue, Person 4: 1 issue and 2 more people.',
      );
    });

    test('are for me alone: they cannot be shared', () => {
      expect(actions(aMineAnswer(anAging([anAgingIssue('WEB-7', 74)])))).toEqual(['why-answer k3x9q0w2ab']);
    });

    test('where there are none, say so', () => {
      expect(text(aMineAnswer(anAging([])))).toMatch(/^No open issues assigned to you · they show up here/);
    });
  });

  describe('a comparison', () => {
    test('says which side is faster in one sentence, and what changed in each figure', () => {
      expect(text(aCompareAnswer())).toMatch(
        /^Red is faster than Blue: median cycle time 2d vs\. 3d \(▼ 33%\)\. Cycle time, median: Red 2d, Blue 3d, Change ▲ 1d \(50% slower\); Cycle time, p85: /,
      );
      expect(text(aCompareAnswer())).toContain(
        'Issues finished: Red 5 of 12, Blue 9 of 20, Change ▲ 4 (80% more); Doing, average: Red 12h, Blue 14h, Change ▲ 2h (17% slower); Review, average: Red 22h, Blue 1d 18h, Change ▲ 20h (91% slower).',
      );
      const [fast, slow] = [aSpread(9, 72), aSpread(5, 48)];
      expect(text(aCompareAnswer({ cycleTime: [fast, slow] }))).toMatch(
        /^Blue is faster than Red: median cycle time 2d vs\. 3d \(▼ 33%\)\. .*Change ▼ 1d \(33% faster\)/,
      );
      expect(text(aCompareAnswer({ cycleTime: [fast, fast] }))).toMatch(
        /^Red and Blue are equally fast: median cycle time 3d\. .*Change no change/,
      );
    });

    test('says a time that both sides have once', () => {
      const range = { field: 'resolved', when: { by: 'days', days: 30 } } as const;
      const answer = aCompareAnswer({
        titles: ['Red, resolved last 30 days', 'Blue, resolved last 30 days'],
      });
      const month = { field: 'resolved', when: { by: 'period', period: 'month', back: 1 } } as const;
      const over = (other: MovingRange) => {
        const sides = answer.value.titles.map((title, side) => ({
          ...{ title, selection: { by: 'project', project: title } },
          range: side === 0 ? range : other,
        }));
        const question = { ...answer.question, sides };
        return text({ ...answer, question });
      };
      expect(over(range)).toMatch(
        /^Red is faster than Blue: .* \(▼ 33%\) · resolved last 30 days\. .*: Red 2d, Blue 3d/,
      );
      expect(over(month)).toMatch(/^Red, resolved last 30 days is faster than Blue, resolved last 30 days: /);
    });

    test('has statuses of started work first, and those that leave no room in its details', () => {
      const sides = [aSpread(12, 10), aSpread(20, 12)] as const;
      const status = (title: string, category: 'To Do' | 'In Progress') => ({
        ...{ id: title, title, category, sides },
      });
      const statuses = [
        ...['Backlog', 'Ready'].map((title) => status(title, 'To Do')),
        ...['Doing', 'Review', 'QA', 'Blocked', 'Waiting'].map((title) => status(title, 'In Progress')),
      ];
      const answer = aCompareAnswer({ statuses });
      const ordered = (told: string) =>
        [...told.matchAll(/(\w+), average: Red 12h/g)].map(([, title]) => title);
      expect(ordered(text(answer))).toEqual(['Doing', 'Review', 'QA', 'Blocked', 'Waiting', 'Backlog']);
      expect(text(answer)).toContain('1 more status in the details.');
      const [detail] = view(answer).details;
      expect(ordered(detail?.text ?? '').at(-1)).toBe('Ready');
      expect(detail?.blocks[0]).toMatchObject({
        chart: { axis_config: { categories: ['Doing', 'Review', 'QA', 'Blocked', 'Waiting'] } },
      });
    });

    test('of few issues says that chance decides', () => {
      const few = (counts: string) =>
        `Only ${counts}: one more issue could change the median a lot. Try a longer time.`;
      expect(text(aCompareAnswer())).not.toContain('Only');
      const ofOne = [aSpread(5, 48), aSpread(4, 72)] as const;
      expect(text(aCompareAnswer({ finished: [5, 4], cycleTime: ofOne }))).toContain(
        few('4 cycle times in Blue'),
      );
      const ofBoth = [aSpread(1, 48), aSpread(4, 72)] as const;
      expect(text(aCompareAnswer({ finished: [1, 4], cycleTime: ofBoth }))).toContain(
        few('1 cycle time in Red and 4 cycle times in Blue'),
      );
    });

    test('with a side on which nothing was finished says so', () => {
      expect(text(aCompareAnswer({ finished: [0, 9], cycleTime: [aSpread(0, 0), aSpread(9, 72)] }))).toMatch(
        /^Red and Blue cannot be compared yet: no finished issue with a cycle time in Red\. .*Red –, Blue 3d, Change –/,
      );
    });

    test('of nothing with nothing says what to do', () => {
      const none = [aSpread(0, 0), aSpread(0, 0)] as const;
      const told = text(aCompareAnswer({ issues: [0, 0], finished: [0, 0], cycleTime: none, statuses: [] }));
      expect(told).toMatch(
        /^No issues on either side: Red and Blue\. Try a longer time or other issues\. Hours 24\/7/,
      );
    });

    test('has two bars a status in its details, or its cycle times where it has no two statuses', () => {
      const drawn = (answer: Answer) => view(answer).details[0];
      expect(drawn(aCompareAnswer())?.text).toMatch(
        /^Average time in status \(Red and Blue\): Doing 12h and 14h, Review 22h and 1d 18h\. Cycle time is from/,
      );
      expect(drawn(aCompareAnswer())?.blocks[0]).toMatchObject({
        chart: { series: [{ name: 'Red' }, { name: 'Blue' }] },
      });
      expect(drawn(aCompareAnswer({ statuses: [] }))?.blocks[0]).toMatchObject({
        title: 'Cycle time',
        chart: { axis_config: { categories: ['Median', 'p85', 'Average'] } },
      });
    });

    test('draws no bar for a side that was never in a status', () => {
      const statuses = [
        { id: '3', title: 'Doing', category: 'In Progress', sides: [aSpread(12, 10), aSpread(20, 12)] },
        { id: '5', title: 'Review', category: 'In Progress', sides: [aSpread(12, 20), aSpread(0, 0)] },
      ] as const;
      const [detail] = view(aCompareAnswer({ statuses })).details;
      expect(detail?.text).toContain('Review 22h and none.');
      expect(detail?.blocks[0]).toMatchObject({
        chart: { series: [{}, { data: [{ label: 'Doing' }, { label: 'Review', value: 0 }] }] },
      });
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
      expect(actions(aCompareAnswer())).toEqual([
        'answer-details k3x9q0w2ab',
        'share-answer k3x9q0w2ab',
        'why-answer k3x9q0w2ab',
      ]);
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
});
