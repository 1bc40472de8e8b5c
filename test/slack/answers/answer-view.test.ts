import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import type { AnswerPlace } from '../../../src/slack/answers/view/answer-sheet.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { plainBlocks } from '../../../src/slack/blocks/message.ts';
import { actionsIn, aView, shownIn, textOf } from '../../support/a-view.ts';
import {
  aFinishedAnswer,
  aListAnswer,
  aMineAnswer,
  anAging,
  anAgingIssue,
  anIssueAnswer,
  aSpread,
  aStatisticAnswer,
  aSummaryAnswer,
  aWeeklyAnswer,
} from '../../support/an-answer.ts';

describe('answer view', () => {
  const types = (answer: Answer) => aView(answer).message.blocks.map(({ type }) => type);
  const options = (answer: Answer) =>
    [...shownIn(answer).matchAll(/"value":"((?:run-line|open-builder) [^"]+)"\}/g)].map(([, value]) => value);

  describe('a list', () => {
    test('has a way to its next and its former part, each with the run, where it starts and how many there are', () => {
      const at = (start: number, issues: number) => {
        const answer = aListAnswer({ issues, total: 37 });
        const { table } = answer.value;
        if (table.page === null) throw new Error('No page');
        const page = { ...table.page, start, end: start + issues };
        return { ...answer, value: { ...answer.value, table: { ...table, page } } };
      };
      const turns = (answer: Answer) => actionsIn(answer).filter((action) => action.startsWith('turn-page'));
      expect(turns(at(0, 10))).toEqual(['turn-page k3x9q0w2ab 10 37']);
      expect(turns(at(10, 10))).toEqual(['turn-page k3x9q0w2ab 20 37', 'turn-page k3x9q0w2ab 0 37']);
      expect(turns(at(30, 7))).toEqual(['turn-page k3x9q0w2ab 20 37']);
      expect(textOf(at(30, 7))).toContain('Issues 31–37 of 37.');
      expect(turns(aListAnswer({ issues: 3 }))).toEqual([]);
    });

    test('shows the columns with most time, and says how many more there are', () => {
      const statuses = Array.from({ length: 12 }, (_, index) => `Status ${index + 1}`);
      const shown = textOf(aListAnswer({ statuses }));
      expect(shown).toContain(
        'WEB-1: Basket loses its items, Status 9 10d, Status 10 11d, Status 11 12d, Status 12 13d;',
      );
      expect(shown).toContain('8 more columns in the export.');
    });

    test('is no higher than a screen: summaries in one line, ten lines of visits', () => {
      const answer = aListAnswer({
        issues: 10,
        summary: 'The address is asked for twice when the language is changed',
      });
      expect(textOf(answer)).toContain('WEB-1: The address is asked for twice wh…, ');
      const { table, request } = answer.value;
      const rows = Array.from({ length: 3 }, () => table.rows).flat();
      const visits = aView({ ...answer, value: { table: { ...table, rows }, request } });
      expect(visits.message.text).toContain('20 more lines in Details.');
      expect(visits.details[0]?.text).toMatch(/^All 30 lines\. WEB-1: /);
    });

    test('has keys that lead to the issues', () => {
      expect(shownIn(aListAnswer({ issues: 1, link: 'https://tracker.example/WEB-1' }))).toContain(
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
      expect(textOf(aListAnswer({ issues: 0 }))).toMatch(
        /^WEB · no issues\. Choose a longer time or other issues, and ask again\./,
      );
    });

    test('says that histories are cut, before the figures', () => {
      expect(textOf(aListAnswer({ provenance: { complete: false, cutHistories: 2 } }))).toContain(
        '2 of 3 histories are cut: earlier time is missing.',
      );
      expect(textOf(aListAnswer({ provenance: { complete: false, cutHistories: 1 } }))).toContain(
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
      expect(textOf(aStatisticAnswer({ statistic }))).toContain(
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
      expect(textOf(aSummaryAnswer())).toContain(
        'Before work starts: 12h in To Do (average) · hours 24/7 · as of ',
      );
      expect(textOf(aSummaryAnswer({ statuses: ['To Do'] }))).not.toContain('Not counted');
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
      expect(textOf(aSummaryAnswer(facts))).toMatch(words);
    });
  });

  describe('a week', () => {
    test('that still runs is compared with no whole week', () => {
      const start = Date.parse('2026-11-16T00:00:00Z');
      const week = { id: '2026-W47', start, end: start + 7 * millisecondsInDay, whole: false };
      expect(textOf(aWeeklyAnswer({ week }))).toMatch(
        /^WEB · week 47 so far \(Nov 16–22\)\. 14 finished\. Median cycle time 2d 4h\. p85 4d 8h\. 12 in progress now \(9 at the end of last week\)\. Flow efficiency 38%\. Hours/,
      );
    });

    test('says how many kept within the target, and where that comes from', () => {
      const withinMs = 8 * millisecondsInDay;
      const counts = { finishedWithin: 5, finished: 6, weekBefore: { finishedWithin: 2, finished: 4 } };
      const target = { project: 'WEB', percent: 85, withinMs, source: 'set', ...counts } as const;
      const detailsOf = (answer: Answer) => aView(answer).details.at(-1)?.text;
      const set = aWeeklyAnswer({ target });
      expect(textOf(set)).toContain('12 in progress (9 in week 45). 5 of 6 within the target of 8d. Flow');
      expect(detailsOf(set)).toContain(
        '*Target*: 85% of finished issues within 8d from start to done, as set in the flow of WEB. In week 45, 2 of 4 did.',
      );
      const learned = aWeeklyAnswer({ target: { ...target, source: 'learned', withinMs: withinMs + 1 } });
      expect(textOf(learned)).toContain('5 of 6 within 8d (85% of the last 90 days). Flow');
      expect(detailsOf(learned)).toContain('as the flow of WEB has none.');
      const mixed = { ...target, source: 'mixed', percent: null, withinMs: null } as const;
      expect(textOf(aWeeklyAnswer({ target: mixed }))).toContain('5 of 6 within their targets. Flow');
      const none = { ...target, finishedWithin: 0, finished: 0 };
      expect(textOf(aWeeklyAnswer({ target: none }))).not.toContain('within');
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
      expect(textOf(without)).toMatch(
        /^WEB · week 46 \(Nov 9–15\)\. 2 finished\. No cycle times\. WEB-1: it was never in a started status, and 1 more\. Number in progress unknown \(3 in week 45\)\. /,
      );
      const unknown = aWeeklyAnswer({
        cycleTime: none,
        finished: { week: null, weekBefore: null, eightWeeks: null },
        finishedUnknown: 'WEB-1 may have been finished then: its history is not complete',
      });
      expect(textOf(unknown)).toMatch(
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
      expect(textOf(answer)).toMatch(
        /^WEB · week 46 \(Nov 9–15\)\. Nothing was finished in week 46 \(8-week average 6\)\. Try another week, or \/tis aging for open work\. Hours/,
      );
      expect(types({ ...answer, isEmpty: true })).toEqual(['section', 'context']);
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
      expect(actionsIn(anIssueAnswer())).toEqual(['nudge-assignee k3x9q0w2ab WEB-1', ...privately]);
      expect(options(anIssueAnswer())).toEqual([
        'run-line /tis WEB-1 by assignee',
        'run-line /tis WEB-1 by week',
        'run-line /tis WEB-1 in hours',
      ]);
      expect(actionsIn(anIssueAnswer({ isOwn: true }))).toEqual(privately);
    });

    test.each<AnswerPlace>(['shared', 'digest'])('where others read it (%s): explain', (place) => {
      for (const answer of everything)
        expect(actionsIn(answer, { place })).toEqual(['why-answer k3x9q0w2ab']);
      expect(actionsIn(anIssueAnswer(), { place })).toEqual([
        'nudge-assignee k3x9q0w2ab WEB-1',
        'why-answer k3x9q0w2ab',
      ]);
    });

    test('nothing where there is nothing to say', () => {
      expect(actionsIn(aListAnswer({ issues: 0 }))).toEqual([]);
      expect(actionsIn(aMineAnswer(anAging([])))).toEqual([]);
    });

    test('nothing where it was not kept', () => {
      expect(actionsIn(aListAnswer({ issues: 10, total: 37 }), { run: null })).toEqual([]);
    });

    test('a shared one tells its run and mentions who shared it, no one else', () => {
      const look = { place: 'shared', sharedBy: 'U0ADA<!here>' } as const;
      expect(shownIn(aListAnswer(), look)).toContain('run k3x9q0w2ab · shared by <@U0ADA&lt;!here&gt;>');
      expect(textOf(aListAnswer(), look)).toMatch(/ Run k3x9q0w2ab\. Shared by <@U0ADA&lt;!here&gt;>\.$/);
    });
  });
});
