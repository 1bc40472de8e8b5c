import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import type { MovingRange } from '../../../src/model/question.ts';
import { nativeChart } from '../../../src/output/charts/chart.ts';
import type { AnswerPlace } from '../../../src/slack/answers/view/answer-sheet.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { plainBlocks } from '../../../src/slack/blocks/message.ts';
import { aView, type Look } from '../../support/a-view.ts';
import {
  aCompareAnswer,
  aFinishedAnswer,
  aListAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  anIssueAnswer,
  aSpread,
  aStage,
  aStatisticAnswer,
  aSummaryAnswer,
  aWeeklyAnswer,
  officeHours,
  provenanceOf,
} from '../../support/an-answer.ts';

describe('answer view', () => {
  const text = (answer: Answer, look: Look = {}) => aView(answer, look).message.text;
  const shown = (answer: Answer, look: Look = {}) => JSON.stringify(aView(answer, look).message.blocks);
  const types = (answer: Answer) => aView(answer).message.blocks.map(({ type }) => type);
  const actions = (answer: Answer, look: Look = {}) =>
    [...shown(answer, look).matchAll(/"action_id":"([^"]+)","value":"([^"]+)"/g)].map(
      ([, id, value]) => `${id} ${value}`,
    );

  const options = (answer: Answer) =>
    [...shown(answer).matchAll(/"value":"((?:run-line|open-builder) [^"]+)"\}/g)].map(([, value]) => value);

  describe('a list', () => {
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

    test('is no higher than a screen: summaries in one line, ten lines of visits', () => {
      const answer = aListAnswer({
        issues: 10,
        summary: 'The address is asked for twice when the language is changed',
      });
      expect(text(answer)).toContain('WEB-1: The address is asked for twice wh…, ');
      const { table, request } = answer.value;
      const rows = Array.from({ length: 3 }, () => table.rows).flat();
      const visits = aView({ ...answer, value: { table: { ...table, rows }, request } });
      expect(visits.message.text).toContain('20 more lines in Details.');
      expect(visits.details[0]?.text).toMatch(/^All 30 lines\. WEB-1: /);
    });

    test('has keys that lead to the issues', () => {
      expect(shown(aListAnswer({ issues: 1, link: 'https://tracker.example/WEB-1' }))).toContain(
        '{"type":"link","url":"https://tracker.example/WEB-1","text":"WEB-1"}',
      );
    });

    test('keeps its keys where Slack takes no table', () => {
      const { message } = aView(aListAnswer({ issues: 1, link: 'https://tracker.example/WEB-1' }));
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
        '2 of 3 histories are cut: earlier time is missing.',
      );
      expect(text(aListAnswer({ provenance: { complete: false, cutHistories: 1 } }))).toContain(
        '1 of 3 histories is cut: earlier time is missing.',
      );
    });
  });

  describe('a statistic', () => {
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

    test('tells of many groups the first, and how many more there are', () => {
      const groups = Array.from({ length: 40 }, (_, index) => `Person ${index + 1}`);
      const { message, chart, details } = aView(aStatisticAnswer({ groups }));
      expect(message.text).toContain('@Person 10: ');
      expect(message.text).not.toContain('@Person 11: ');
      expect(message.text).toContain('30 more groups in Details.');
      // The picture would leave no room for the table.
      expect(chart).toBeNull();
      expect(details.map((one) => one.blocks.map(({ type }) => type))).toEqual([
        ['data_visualization'],
        ['data_table'],
      ]);
      // Ten rows at a time keep the message low; figures are sorted as such.
      const [table] = details[1]?.blocks ?? [];
      expect(table).toMatchObject({ caption: 'All 40 groups', page_size: 10 });
      expect(JSON.stringify(table)).toContain('{"type":"raw_number","value":172800000,"text":"2d"}');
      expect(checkBlocks(details[1]?.blocks ?? [], 'message')).toEqual([]);
    });

    test('groups with long names take one line each, and are whole in the details', () => {
      const groups = Array.from(
        { length: 12 },
        (_, i) => `Everything about the checkout of stores in region ${i}`,
      );
      const { message, details } = aView(aStatisticAnswer({ groups }));
      const [table] = message.blocks.filter(({ type }) => type === 'table');
      expect(JSON.stringify(table)).not.toContain('"is_wrapped":true');
      expect(JSON.stringify(table)).toContain('Everything about the checkout');
      expect(JSON.stringify(table)).not.toContain('in region');
      expect(JSON.stringify(details)).toContain('of stores in region 11');
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
      { id: '5', name: 'Blocked', category: 'In Progress', deleted: false },
    ] as const;

    /** In month `i` Doing took `i` days on average, Review one; the first month had by far the longest Review, and alone Blocked. */
    function byMonth(first: 'status' | 'period'): Answer {
      const answer = aStatisticAnswer({ issues: 20 });
      const pairs = months.flatMap((month, i) =>
        statuses.filter(({ id }) => id !== '5' || i === 0).map((status) => ({ month, status, i })),
      );
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
          const days =
            status.id === '1' ? 99 : status.id === '3' ? i + 1 : status.id === '4' && i === 0 ? 50 : 1;
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
      const { message, chart, details } = aView(byMonth(first));
      expect(message.text).toMatch(
        /^WEB · 20 issues\. Longest: Doing in 2026-02, 14d on average\. 2026-02: Doing 14d · Review 1d\. Hours/,
      );
      expect(chart?.categories).toEqual(months.slice(2));
      expect(chart?.series.map(({ name }) => name)).toEqual(['Doing', 'Review']);
      expect(details.map((one) => one.text)).toEqual([
        expect.stringMatching(
          /^All 14 periods\. 2026-02: Doing 14d, Review 1d, Blocked –; 2026-01: .*; 2025-01: Doing 1d, Review 50d, Blocked 1d\.$/,
        ),
      ]);
    });
  });

  describe('a summary', () => {
    test('leaves waiting out, and says so in the last line', () => {
      expect(text(aSummaryAnswer())).toContain(
        'Before work starts: 12h in To Do (average) · hours 24/7 · as of ',
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
  });

  describe('a week', () => {
    test('that still runs is compared with no whole week', () => {
      const start = Date.parse('2026-11-16T00:00:00Z');
      const week = { id: '2026-W47', start, end: start + 7 * millisecondsInDay, whole: false };
      expect(text(aWeeklyAnswer({ week }))).toMatch(
        /^WEB · week 47 so far \(Nov 16–22\)\. 14 finished\. Median cycle time 2d 4h\. p85 4d 8h\. 12 in progress now \(9 at the end of last week\)\. Flow efficiency 38%\. Hours/,
      );
    });

    test('says how many kept within the target, and where that comes from', () => {
      const withinMs = 8 * millisecondsInDay;
      const counts = { finishedWithin: 5, finished: 6, weekBefore: { finishedWithin: 2, finished: 4 } };
      const target = { project: 'WEB', percent: 85, withinMs, source: 'set', ...counts } as const;
      const detailsOf = (answer: Answer) => aView(answer).details.at(-1)?.text;
      const set = aWeeklyAnswer({ target });
      expect(text(set)).toContain('12 in progress (9 in week 45). 5 of 6 within the target of 8d. Flow');
      expect(detailsOf(set)).toContain(
        '*Target*: 85% of finished issues within 8d from start to done, as set in the flow of WEB. In week 45, 2 of 4 did.',
      );
      const learned = aWeeklyAnswer({ target: { ...target, source: 'learned', withinMs: withinMs + 1 } });
      expect(text(learned)).toContain('5 of 6 within 8d (85% of the last 90 days). Flow');
      expect(detailsOf(learned)).toContain('as the flow of WEB has none.');
      const mixed = { ...target, source: 'mixed', percent: null, withinMs: null } as const;
      expect(text(aWeeklyAnswer({ target: mixed }))).toContain('5 of 6 within their targets. Flow');
      const none = { ...target, finishedWithin: 0, finished: 0 };
      expect(text(aWeeklyAnswer({ target: none }))).not.toContain('within');
    });

    test('of which figures are unknown says so', () => {
      const none = { week: aSpread(0, 0), weekBefore: aSpread(0, 0), eightWeeks: aSpread(0, 0) };
      const reason = 'it was never in a started status';
      const without = aWeeklyAnswer({
        cycleTime: none,
        finished: { week: 2, weekBefore: null, eightWeeks: null },
        withoutCycleTime: ['WEB-1', 'WEB-2'].map((key) => ({ key, reason })),
        inProgress: { week: null, weekBefore: 3 },
        flowEfficiency: { week: null, weekBefore: null },
      });
      expect(text(without)).toMatch(
        /^WEB · week 46 \(Nov 9–15\)\. 2 finished\. No cycle times\. WEB-1: it was never in a started status, and 1 more\. Number in progress unknown \(3 in week 45\)\. /,
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
      const { message } = aView(aWeeklyAnswer({ attention }));
      expect(message.text).toContain(
        'Needs attention. 🟠 WEB-7 Review 3d 2h, 2.6× usual · @Ada. 🟡 WEB-8 Review 1d 6h, 1× usual · unassigned. 🟡 WEB-9 Review 1d 5h, 1× usual · @Bob.',
      );
      // Only of someone whose id is known.
      expect(JSON.stringify(message.blocks).match(/nudge-assignee/g)?.length).toBe(1);
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

  describe('aging', () => {
    /** What is behind *Details*. */
    const detailsOf = (answer: Answer) => aView(answer).details.map((one) => one.text);
    const someIssues = [anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 20)];

    test('says how many issues are longer in their status than usual, then each with its share', () => {
      expect(text(anAgingAnswer(anAging(someIssues)))).toMatch(
        /^1 of 2 started issues in WEB has been in its status longer than usual\. WEB-7: × usual 🟠 2\.6×, For 3d 2h, Review, Ada, Basket loses its items; WEB-8: × usual 0\.7×, For 20h, Review, Ada, /,
      );
      const both = [anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 29)];
      expect(text(anAgingAnswer(anAging(both)))).toMatch(
        /^All 2 started issues in WEB have been in their status longer than usual\. .* 🟡 1×, .*, Ada, Basket loses its items\. Hours/,
      );
      expect(text(anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)])))).toMatch(
        /^The one started issue in WEB has been in its status longer than usual\./,
      );
    });

    test('says when targets are missed: those that are, and those that will within two working days', () => {
      const asOf = provenanceOf(1).asOf;
      const withinMs = 100 * millisecondsInHour;
      const issue = (key: string, hours: number, dueIn: number | null) => {
        const dueAt = dueIn === null ? null : asOf + dueIn * millisecondsInHour;
        const isMissed = hours > 100;
        const target = { percent: 85, withinMs, source: 'set', dueAt, isMissed } as const;
        return anAgingIssue(key, hours, { workMs: hours * millisecondsInHour, target });
      };
      const issues = [
        issue('WEB-1', 300, -200),
        issue('WEB-2', 101, -1),
        issue('WEB-3', 99, 1),
        issue('WEB-4', 60, 40),
        issue('WEB-5', 51, 49),
        issue('WEB-6', 200, null),
        anAgingIssue('WEB-7', 74),
      ];
      const common = { percent: 85, withinMs, source: 'set', missed: 3, dueToday: 2 } as const;
      const shownText = text(anAgingAnswer(anAging(issues, { target: common })));
      const cells = [...shownText.matchAll(/(WEB-\d): [^;]*?Review, (.*?), Ada/g)].map(([, ...one]) => one);
      expect(cells).toEqual([
        ['WEB-1', 'missed Nov 10'],
        ['WEB-2', 'missed today'],
        ['WEB-3', 'due today'],
        ['WEB-4', 'due Fri'],
        ['WEB-5', '–'],
        ['WEB-6', 'missed'],
        ['WEB-7', '–'],
      ]);
      const lineOf = (more: object) =>
        text(anAgingAnswer(anAging(issues, { target: { ...common, ...more } }))).split('. ')[1];
      expect(lineOf({})).toBe('3 issues have missed their target of 4d 4h, 2 will today');
      expect(lineOf({ missed: 1, dueToday: 0 })).toBe('1 issue has missed its target of 4d 4h');
      expect(lineOf({ missed: 0, dueToday: 1, source: 'learned' })).toBe(
        '1 issue will miss its target of 4d 4h (85% of the last 90 days) today',
      );
      expect(lineOf({ percent: null, withinMs: null, source: 'mixed' })).toBe(
        '3 issues have missed their targets, 2 will today',
      );
      expect(lineOf({ missed: 0, dueToday: 0 })).toMatch(/^WEB-1/);
    });

    test('has a row an issue: key and summary with a link, and an assignee where there is one', () => {
      const issue = anAgingIssue('WEB-7', 74, { link: 'https://tracker.example/WEB-7', assignee: null });
      const told = shown(anAgingAnswer(anAging([issue])));
      expect(told).toContain('{"type":"link","url":"https://tracker.example/WEB-7","text":"WEB-7"}');
      expect(told).toContain('{"type":"raw_text","text":"Review"},{"type":"raw_text","text":"–"}');
    });

    test('without enough to compare with says so', () => {
      const lonely = anAgingIssue('WEB-8', 20, { usual: null, pace: null });
      expect(text(anAgingAnswer(anAging([lonely])))).toMatch(
        /^1 started issue in WEB · not enough history yet to say what is usual\. WEB-8: × usual –, .*, Ada, /,
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
      expect(aView(answer).message.blocks.at(-2)).toMatchObject({
        type: 'context',
        elements: [{ text: expect.stringContaining(line) }],
      });
      expect(text(answer)).toContain(`${line}. Hours 24/7 · as of`);
      expect(shown(answer)).toContain(
        '"text":"With backlog"},"value":"run-line /tis aging WEB with backlog in 24/7"',
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
      const nudges = (answer: Answer, look: Look = {}) =>
        actions(answer, look).filter((action) => action.startsWith('nudge'));
      expect(nudges(anAgingAnswer(anAging(someIssues)))).toEqual(['nudge-assignee k3x9q0w2ab WEB-7']);
      expect(nudges(anAgingAnswer(anAging(someIssues)), { place: 'shared' })).toEqual([]);
      expect(nudges(anAgingAnswer(anAging(someIssues)), { part: { start: 1, size: 1 } })).toEqual([]);
      expect(nudges(anAgingAnswer(anAging([anAgingIssue('WEB-8', 20)])))).toEqual([]);
      const noOne = { assignee: { id: null, name: 'Ada' } };
      expect(nudges(anAgingAnswer(anAging([anAgingIssue('WEB-7', 74, noOne)])))).toEqual([]);
    });

    test('names the issues that are left out as their history is cut', () => {
      const ageUnknown = ['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4', 'WEB-5', 'WEB-6', 'WEB-7'];
      const provenance = provenanceOf(8, { cutHistories: 7, complete: false });
      expect(text(anAgingAnswer(anAging([anAgingIssue('WEB-8', 20)], { ageUnknown, provenance })))).toContain(
        '7 issues left out: their histories are cut (WEB-1, WEB-2, WEB-3, WEB-4, WEB-5 and 2 more).',
      );
    });

    test('is shown part by part', () => {
      const issues = Array.from({ length: 25 }, (_, index) => anAgingIssue(`WEB-${index + 1}`, 50 - index));
      const answer = anAgingAnswer(anAging(issues));
      expect(text(answer, { part: { start: 20, size: 10 } })).toMatch(
        /WEB-21: .*WEB-25: .*Issues 21–25 of 25\./,
      );
      expect(actions(answer, { part: { start: 20, size: 10 } })[0]).toBe('turn-page k3x9q0w2ab 10 25');
    });

    test('in working days says how long such a day is, also where days differ', () => {
      const provenance = provenanceOf(1, { calendar: officeHours });
      const answer = anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)], { provenance }));
      expect(text(answer)).toContain('For 9d 2h, Review');
      expect(text(answer)).toContain('Working hours Office hours (1d = 8h)');
      const calendar = { ...officeHours, dailyMs: 6.4 * millisecondsInHour, equalDays: false };
      const uneven = anAging([anAgingIssue('WEB-7', 104)], { provenance: { ...provenance, calendar } });
      expect(text(anAgingAnswer(uneven))).toContain('For 16d 1h, Review');
      expect(text(anAgingAnswer(uneven))).toContain('(1d = 6h 24m)');
    });

    test('has bars that compare in its details: one an issue, in the order of the table', () => {
      const lonely = anAgingIssue('WEB-3', 20, { usual: null, pace: null });
      const answer = anAgingAnswer(anAging([...someIssues, lonely]));
      expect(aView(answer).details[0]?.blocks[0]).toMatchObject({
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
        /^Time in status against usual: WEB-7 2\.6×, WEB-8 0\.7×\. "Usual" is the 85th percentile of the last 90 days /,
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
        /^1 open issue assigned to you · 1 longer than usual\. Covering for Ben: 1 issue\. WEB-7: /,
      );
      expect(told).toMatch(/WEB-7: .*For 3d 2h, Review, you, .*; APP-1: .*For 5h, Review, @Ben, /);
      expect(shown(aMineAnswer(anAging([]), [ofBen]))).toContain('"text":"Assigned to"');
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
  });

  describe('a comparison', () => {
    test('says which side is faster in one sentence, and what changed in each figure', () => {
      expect(text(aCompareAnswer())).toMatch(
        /^Blue is slower than Red: median cycle time 3d vs\. 2d \(50% slower\)\. Cycle time, median: Red 2d, Blue 3d, Change ▲ 1d \(50% slower\); Cycle time, p85: /,
      );
      expect(text(aCompareAnswer())).toContain(
        'Issues finished: Red 5 of 12, Blue 9 of 20, Change ▲ 4 (80% more); Doing, average: Red 12h, Blue 14h, Change ▲ 2h (17% slower); Review, average: Red 22h, Blue 1d 18h, Change ▲ 20h (91% slower).',
      );
      const [fast, slow] = [aSpread(9, 72), aSpread(5, 48)];
      expect(text(aCompareAnswer({ red: { cycleTime: fast }, blue: { cycleTime: slow } }))).toMatch(
        /^Blue is faster than Red: median cycle time 2d vs\. 3d \(33% faster\)\. .*Change ▼ 1d \(33% faster\)/,
      );
      expect(text(aCompareAnswer({ red: { cycleTime: fast }, blue: { cycleTime: fast } }))).toMatch(
        /^Red and Blue are equally fast: median cycle time 3d\. .*Change no change/,
      );
    });

    test('says a time that both sides have once', () => {
      const range = { field: 'resolved', when: { by: 'days', days: 30 } } as const;
      const answer = aCompareAnswer({
        red: { title: 'Red, resolved last 30 days' },
        blue: { title: 'Blue, resolved last 30 days' },
      });
      const month = { field: 'resolved', when: { by: 'period', period: 'month', back: 1 } } as const;
      const over = (other: MovingRange) => {
        const sides = answer.value.sides.map(({ title }, side) => ({
          ...{ title, selection: { by: 'project', project: title } },
          range: side === 0 ? range : other,
        }));
        const question = { ...answer.question, sides };
        return text({ ...answer, question });
      };
      expect(over(range)).toMatch(
        /^Blue is slower than Red: .* \(50% slower\) · resolved last 30 days\. .*: Red 2d, Blue 3d/,
      );
      expect(over(month)).toMatch(/^Blue, resolved last 30 days is slower than Red, resolved last 30 days: /);
    });

    test('has statuses of started work first, and those that leave no room in its details', () => {
      const sides = [aSpread(12, 10), aSpread(20, 12)] as const;
      const status = (name: string, category: 'To Do' | 'In Progress') => ({
        ...({ id: name, name, category, kind: category === 'To Do' ? 'queue' : 'active', sides } as const),
      });
      const statuses = [
        ...['Backlog', 'Ready'].map((title) => status(title, 'To Do')),
        ...['Doing', 'Review', 'QA', 'Blocked', 'Waiting'].map((title) => status(title, 'In Progress')),
      ];
      const answer = aCompareAnswer({ statuses });
      const ordered = (told: string) =>
        [...told.matchAll(/(\w+), average: Red 12h/g)].map(([, title]) => title);
      expect(ordered(text(answer))).toEqual(['Doing', 'Review', 'QA', 'Blocked', 'Waiting', 'Backlog']);
      expect(text(answer)).toContain('1 more status in Details.');
      const [detail] = aView(answer).details;
      expect(ordered(detail?.text ?? '').at(-1)).toBe('Ready');
      expect(detail?.blocks[0]).toMatchObject({
        chart: { axis_config: { categories: ['Doing', 'Review', 'QA', 'Blocked', 'Waiting'] } },
      });
    });

    test('of few issues says that chance decides', () => {
      const few = (counts: string) =>
        `Only ${counts}: one more issue could change the median a lot. Try a longer time.`;
      expect(text(aCompareAnswer())).not.toContain('Only');
      const blue = { finished: 4, cycleTime: aSpread(4, 72) };
      const ofOne = { red: { finished: 5, cycleTime: aSpread(5, 48) }, blue };
      expect(text(aCompareAnswer(ofOne))).toContain(few('4 cycle times in Blue'));
      const ofBoth = { red: { finished: 1, cycleTime: aSpread(1, 48) }, blue };
      expect(text(aCompareAnswer(ofBoth))).toContain(few('1 cycle time in Red and 4 cycle times in Blue'));
    });

    test('with a side on which nothing was finished says so', () => {
      expect(text(aCompareAnswer({ red: { finished: 0, cycleTime: aSpread(0, 0) } }))).toMatch(
        /^Red and Blue cannot be compared yet: no finished issue with a cycle time in Red\. .*Red –, Blue 3d, Change –/,
      );
    });

    test('of nothing with nothing says what to do', () => {
      const none = { issues: 0, finished: 0, cycleTime: aSpread(0, 0) };
      const told = text(aCompareAnswer({ red: none, blue: none, statuses: [] }));
      expect(told).toMatch(
        /^No issues on either side: Red and Blue\. Try a longer time or other issues\. Hours 24\/7/,
      );
    });

    test('has two bars a status in its details, or its cycle times where it has no two statuses', () => {
      const drawn = (answer: Answer) => aView(answer).details[0];
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
        {
          id: '3',
          name: 'Doing',
          category: 'In Progress',
          kind: 'active',
          sides: [aSpread(12, 10), aSpread(20, 12)],
        },
        {
          id: '5',
          name: 'Review',
          category: 'In Progress',
          kind: 'active',
          sides: [aSpread(12, 20), aSpread(0, 0)],
        },
      ] as const;
      const [detail] = aView(aCompareAnswer({ statuses })).details;
      expect(detail?.text).toContain('Review 22h and none.');
      expect(detail?.blocks[0]).toMatchObject({
        chart: { series: [{}, { data: [{ label: 'Doing' }, { label: 'Review', value: 0 }] }] },
      });
    });
  });

  describe('what can be done with an answer', () => {
    const ofTheBuilder: readonly Answer[] = [aListAnswer(), aStatisticAnswer(), aWeeklyAnswer()];
    const everything: readonly Answer[] = [aFinishedAnswer(), ...ofTheBuilder];
    const privately = ['share-answer k3x9q0w2ab', 'why-answer k3x9q0w2ab', 'export-answer k3x9q0w2ab'];

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

    test('nothing where there is nothing to say', () => {
      expect(actions(aListAnswer({ issues: 0 }))).toEqual([]);
      expect(actions(aMineAnswer(anAging([])))).toEqual([]);
    });

    test('nothing where it was not kept', () => {
      expect(actions(aListAnswer({ issues: 10, total: 37 }), { run: null })).toEqual([]);
    });

    test('a shared one tells its run and mentions who shared it, no one else', () => {
      const look = { place: 'shared', sharedBy: 'U0ADA<!here>' } as const;
      expect(shown(aListAnswer(), look)).toContain('run k3x9q0w2ab · shared by <@U0ADA&lt;!here&gt;>');
      expect(text(aListAnswer(), look)).toMatch(/ Run k3x9q0w2ab\. Shared by <@U0ADA&lt;!here&gt;>\.$/);
    });
  });
});

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
