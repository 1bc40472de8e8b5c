import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import type { MovingRange } from '../../../src/model/question.ts';
import { actionsIn, aView, type Look, shownIn, textOf } from '../../support/a-view.ts';
import {
  aCompareAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  aSpread,
  officeHours,
  provenanceOf,
} from '../../support/an-answer.ts';

describe('aging and compare views', () => {
  describe('aging', () => {
    /** What is behind *Details*. */
    const detailsOf = (answer: Answer) => aView(answer).details.map((one) => one.text);
    const someIssues = [anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 20)];

    test('says how many issues are longer in their status than usual, then each with its share', () => {
      expect(textOf(anAgingAnswer(anAging(someIssues)))).toMatch(
        /^1 of 2 started issues in WEB has been in its status longer than usual\. WEB-7: × usual 🟠 2\.6×, For 3d 2h, Review, Ada, Basket loses its items; WEB-8: × usual 0\.7×, For 20h, Review, Ada, /,
      );
      const both = [anAgingIssue('WEB-7', 74), anAgingIssue('WEB-8', 29)];
      expect(textOf(anAgingAnswer(anAging(both)))).toMatch(
        /^All 2 started issues in WEB have been in their status longer than usual\. .* 🟡 1×, .*, Ada, Basket loses its items\. Hours/,
      );
      expect(textOf(anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)])))).toMatch(
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
      const shownText = textOf(anAgingAnswer(anAging(issues, { target: common })));
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
        textOf(anAgingAnswer(anAging(issues, { target: { ...common, ...more } }))).split('. ')[1];
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
      const shown = shownIn(anAgingAnswer(anAging([issue])));
      expect(shown).toContain('{"type":"link","url":"https://tracker.example/WEB-7","text":"WEB-7"}');
      expect(shown).toContain('{"type":"raw_text","text":"Review"},{"type":"raw_text","text":"–"}');
    });

    test('without enough to compare with says so', () => {
      const lonely = anAgingIssue('WEB-8', 20, { usual: null, pace: null });
      expect(textOf(anAgingAnswer(anAging([lonely])))).toMatch(
        /^1 started issue in WEB · not enough history yet to say what is usual\. WEB-8: × usual –, .*, Ada, /,
      );
      const within = [anAgingIssue('WEB-7', 5), anAgingIssue('WEB-6', 4)];
      const none = 'No started issue in WEB has been in its status longer than usual';
      expect(textOf(anAgingAnswer(anAging([...within, lonely])))).toContain(
        `${none} · 3 started, 1 with nothing to compare with.`,
      );
      expect(textOf(anAgingAnswer(anAging(within)))).toContain(`${none} · 2 started.`);
    });

    test('counts what is not started in small print, with the line that shows it', () => {
      const notStarted = { count: 63, oldestMs: 512 * millisecondsInDay };
      const answer = anAgingAnswer(anAging(someIssues, { notStarted }));
      const line = '63 issues are not started (oldest 512d): `/tis aging WEB with backlog`';
      expect(aView(answer).message.blocks.at(-2)).toMatchObject({
        type: 'context',
        elements: [{ text: expect.stringContaining(line) }],
      });
      expect(textOf(answer)).toContain(`${line}. Hours 24/7 · as of`);
      expect(shownIn(answer)).toContain(
        '"text":"With backlog"},"value":"run-line /tis aging WEB with backlog in 24/7"',
      );
      const all = { ...answer, question: { ...answer.question, backlog: true } };
      expect(textOf(all)).toMatch(/^1 of 2 open issues in WEB has been/);
      expect(shownIn(all)).not.toContain('not started');
      expect(textOf(anAgingAnswer(anAging([], { notStarted: { count: 1, oldestMs: null } })))).toMatch(
        /^No started issues in WEB\. 1 issue is not started: `\/tis aging WEB with backlog`\./,
      );
    });

    test('never shows a query to others, not even to have it typed', () => {
      const answer = anAgingAnswer(
        anAging(someIssues, { notStarted: { count: 2, oldestMs: millisecondsInDay } }),
      );
      const selection = { by: 'jql', jql: 'summary ~ secret' } as const;
      const question = { ...answer, question: { ...answer.question, selection } };
      expect(textOf(question)).toContain('`/tis aging jql summary ~ secret with backlog`');
      expect(shownIn(question, { place: 'shared' })).not.toContain('secret');
      expect(textOf(question, { place: 'shared' })).toContain(
        'not started (oldest 1d): add `with backlog` to see them',
      );
    });

    test('offers to nudge the assignee of the first issue, where it is longer there than usual', () => {
      const nudges = (answer: Answer, look: Look = {}) =>
        actionsIn(answer, look).filter((action) => action.startsWith('nudge'));
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
      expect(
        textOf(anAgingAnswer(anAging([anAgingIssue('WEB-8', 20)], { ageUnknown, provenance }))),
      ).toContain(
        '7 issues left out: their histories are cut (WEB-1, WEB-2, WEB-3, WEB-4, WEB-5 and 2 more).',
      );
    });

    test('is shown part by part', () => {
      const issues = Array.from({ length: 25 }, (_, index) => anAgingIssue(`WEB-${index + 1}`, 50 - index));
      const answer = anAgingAnswer(anAging(issues));
      expect(textOf(answer, { part: { start: 20, size: 10 } })).toMatch(
        /WEB-21: .*WEB-25: .*Issues 21–25 of 25\./,
      );
      expect(actionsIn(answer, { part: { start: 20, size: 10 } })[0]).toBe('turn-page k3x9q0w2ab 10 25');
    });

    test('in working days says how long such a day is, also where days differ', () => {
      const provenance = provenanceOf(1, { calendar: officeHours });
      const answer = anAgingAnswer(anAging([anAgingIssue('WEB-7', 74)], { provenance }));
      expect(textOf(answer)).toContain('For 9d 2h, Review');
      expect(textOf(answer)).toContain('Working hours Office hours (1d = 8h)');
      const calendar = { ...officeHours, dailyMs: 6.4 * millisecondsInHour, equalDays: false };
      const uneven = anAging([anAgingIssue('WEB-7', 104)], { provenance: { ...provenance, calendar } });
      expect(textOf(anAgingAnswer(uneven))).toContain('For 16d 1h, Review');
      expect(textOf(anAgingAnswer(uneven))).toContain('(1d = 6h 24m)');
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
      const shown = textOf(aMineAnswer(anAging([anAgingIssue('WEB-7', 74)]), [ofBen]));
      expect(shown).toMatch(
        /^1 open issue assigned to you · 1 longer than usual\. Covering for Ben: 1 issue\. WEB-7: /,
      );
      expect(shown).toMatch(/WEB-7: .*For 3d 2h, Review, you, .*; APP-1: .*For 5h, Review, @Ben, /);
      expect(shownIn(aMineAnswer(anAging([]), [ofBen]))).toContain('"text":"Assigned to"');
    });

    test('of many people are counted together', () => {
      const many = Array.from({ length: 7 }, (_, index) => ({
        ...ofBen,
        person: { id: `p${index}`, name: `Person ${index}` },
      }));
      expect(textOf(aMineAnswer(anAging([]), many))).toContain(
        'Covering for Person 0: 1 issue, Person 1: 1 issue, Person 2: 1 issue, Person 3: 1 issue, Person 4: 1 issue and 2 more people.',
      );
    });
  });

  describe('a comparison', () => {
    test('says which side is faster in one sentence, and what changed in each figure', () => {
      expect(textOf(aCompareAnswer())).toMatch(
        /^Blue is slower than Red: median cycle time 3d vs\. 2d \(50% slower\)\. Cycle time, median: Red 2d, Blue 3d, Change ▲ 1d \(50% slower\); Cycle time, p85: /,
      );
      expect(textOf(aCompareAnswer())).toContain(
        'Issues finished: Red 5 of 12, Blue 9 of 20, Change ▲ 4 (80% more); Doing, average: Red 12h, Blue 14h, Change ▲ 2h (17% slower); Review, average: Red 22h, Blue 1d 18h, Change ▲ 20h (91% slower).',
      );
      const [fast, slow] = [aSpread(9, 72), aSpread(5, 48)];
      expect(textOf(aCompareAnswer({ red: { cycleTime: fast }, blue: { cycleTime: slow } }))).toMatch(
        /^Blue is faster than Red: median cycle time 2d vs\. 3d \(33% faster\)\. .*Change ▼ 1d \(33% faster\)/,
      );
      expect(textOf(aCompareAnswer({ red: { cycleTime: fast }, blue: { cycleTime: fast } }))).toMatch(
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
        return textOf({ ...answer, question });
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
      const ordered = (shown: string) =>
        [...shown.matchAll(/(\w+), average: Red 12h/g)].map(([, title]) => title);
      expect(ordered(textOf(answer))).toEqual(['Doing', 'Review', 'QA', 'Blocked', 'Waiting', 'Backlog']);
      expect(textOf(answer)).toContain('1 more status in Details.');
      const [detail] = aView(answer).details;
      expect(ordered(detail?.text ?? '').at(-1)).toBe('Ready');
      expect(detail?.blocks[0]).toMatchObject({
        chart: { axis_config: { categories: ['Doing', 'Review', 'QA', 'Blocked', 'Waiting'] } },
      });
    });

    test('of few issues says that chance decides', () => {
      const few = (counts: string) =>
        `Only ${counts}: one more issue could change the median a lot. Try a longer time.`;
      expect(textOf(aCompareAnswer())).not.toContain('Only');
      const blue = { finished: 4, cycleTime: aSpread(4, 72) };
      const ofOne = { red: { finished: 5, cycleTime: aSpread(5, 48) }, blue };
      expect(textOf(aCompareAnswer(ofOne))).toContain(few('4 cycle times in Blue'));
      const ofBoth = { red: { finished: 1, cycleTime: aSpread(1, 48) }, blue };
      expect(textOf(aCompareAnswer(ofBoth))).toContain(few('1 cycle time in Red and 4 cycle times in Blue'));
    });

    test('with a side on which nothing was finished says so', () => {
      expect(textOf(aCompareAnswer({ red: { finished: 0, cycleTime: aSpread(0, 0) } }))).toMatch(
        /^Red and Blue cannot be compared yet: no finished issue with a cycle time in Red\. .*Red –, Blue 3d, Change –/,
      );
    });

    test('of nothing with nothing says what to do', () => {
      const none = { issues: 0, finished: 0, cycleTime: aSpread(0, 0) };
      const shown = textOf(aCompareAnswer({ red: none, blue: none, statuses: [] }));
      expect(shown).toMatch(
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
});
