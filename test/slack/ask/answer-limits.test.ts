import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { weekText } from '../../../src/output/wording.ts';
import type { AnswerPlace } from '../../../src/slack/answers/view/answer-sheet.ts';
import { explanationBlocks } from '../../../src/slack/ask/explain-answer.ts';
import { checkBlocks, checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { limits } from '../../../src/slack/blocks/limits.ts';
import { aView } from '../../support/a-view.ts';
import {
  aCompareAnswer,
  aListAnswer,
  aMineAnswer,
  anAging,
  anAgingAnswer,
  anAgingIssue,
  anExplanation,
  anIssueAnswer,
  aSpread,
  aStage,
  aStatisticAnswer,
  aSummaryAnswer,
  aWeeklyAnswer,
  aWeeklyStatus,
  provenanceOf,
} from '../../support/an-answer.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/soak.ts';

describe('answer limits', () => {
  const counts = [0, 1, 10, 1_000] as const;
  const nasty = [
    'n'.repeat(300),
    '👩‍👩‍👧‍👦'.repeat(40),
    'סטטוס ארוך '.repeat(30),
    '<!channel> & <@U1> <https://evil.example|click>',
    '*bold* _it_ ~no~ `code` > quote',
    '',
    '   ',
    'line\nbreak\ttab',
  ];
  const anyName = fc.oneof(
    fc.constantFrom(...nasty),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
  );
  const anyPlace = fc.constantFrom<AnswerPlace>('private', 'shared', 'digest');

  /** Everything that is wrong with an answer wherever it is read; and a text that says figures is always there. */
  function problemsOf(answer: Answer, place: AnswerPlace, name: string): unknown[] {
    const { message, details } = aView(answer, { place, sharedBy: name });
    const sent = [message, ...details];
    const marks = sent.flatMap(({ text, blocks }) =>
      /<!(channel|here|everyone)|<@U|<https:\/\/evil/.test(`${text} ${markedTexts(blocks)}`)
        ? ['a mark of Slack']
        : [],
    );
    return [
      ...sent.flatMap(({ blocks }) => checkBlocks(blocks, 'message')),
      ...sent.flatMap(({ text }) =>
        text.trim() === '' || text.length > limits.messageText ? [text.length] : [],
      ),
      ...(details.length > 5 ? ['too many details'] : []),
      ...marks,
    ];
  }

  /** All texts in which Slack looks for marks. */
  function markedTexts(value: unknown): string {
    if (Array.isArray(value)) return value.map(markedTexts).join(' ');
    if (typeof value !== 'object' || value === null) return '';
    if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return String(value.text);
    return Object.values(value).map(markedTexts).join(' ');
  }

  const few = <Value>(count: number, make: (index: number) => Value) =>
    Array.from({ length: count }, (_, index) => make(index));

  /** Of so many issues nobody can tell, and of as many statuses. */
  const doubtful = (rows: number, name: string, other: string) => ({
    doneSinceUnknown: few(rows, () => ({ key: name, reason: other })),
    unclear: few(rows, () => ({ key: other, reason: name })),
    statusesWithoutCategory: few(rows, (index) => (index % 2 === 0 ? name : other)),
  });

  /** One answer of every kind, as many rows as told, everything in it called by the names given. */
  const kinds: Readonly<Record<string, (rows: number, name: string, other: string) => Answer>> = {
    issue: (rows, name, other) =>
      anIssueAnswer({
        key: name,
        summary: other,
        assignee: { id: name, name },
        statusesWithoutCategory: few(rows, () => other),
        current: { id: 's', name: other, category: 'In Progress', kind: 'active', since: 0, forMs: 1 },
        stages: few(rows, (index) =>
          aStage(`${name}${index}`, 1000 * index, { visits: index, now: index === 0 }),
        ),
      }),
    list: (rows, name, other) =>
      aListAnswer({
        issues: Math.min(rows, 10),
        total: rows,
        summary: name,
        statuses: few(Math.min(rows, 400), (index) => `${other}${index}`),
        link: 'https://tracker.example/browse/1',
      }),
    'list told whole': (rows, name, other) =>
      aListAnswer({ issues: rows, summary: name, statuses: [other, name] }),
    statistic: (rows, name, other) =>
      aStatisticAnswer({
        issues: rows,
        statuses: few(Math.min(rows, 400), (index) => (index % 2 === 0 ? name : other)),
        provenance: { query: name },
      }),
    'statistic by group': (rows, name, other) =>
      aStatisticAnswer({ issues: rows, groups: few(rows, () => name), statuses: [other, name, 'Review'] }),
    summary: (rows, name, other) =>
      aSummaryAnswer({
        issues: rows,
        statuses: rows === 0 ? [] : few(Math.min(rows, 400), (index) => (index % 2 === 0 ? name : other)),
        ...doubtful(rows, name, other),
      }),
    weekly: (rows, name, other) =>
      aWeeklyAnswer({
        finished: { week: rows, weekBefore: 1_000 - rows, eightWeeks: rows / 8 },
        statuses: few(Math.min(rows, 400), (index) =>
          aWeeklyStatus(index % 2 === 0 ? name : other, index + 1),
        ),
        contributors: few(Math.min(rows, 5), () => ({
          key: name,
          summary: other,
          link: null,
          cycleMs: 1,
          shiftMs: -1,
        })),
        withoutCycleTime: few(rows, () => ({ key: name, reason: other })),
        ...doubtful(rows, name, other),
        only: rows === 1 ? { key: name, summary: other, link: null, cycleMs: null } : null,
        attention: few(Math.min(rows, 3), (index) =>
          anAgingIssue(`${name}${index}`, 40 * (index + 1), {
            status: { id: '1', name: other, category: 'In Progress', kind: 'active' },
            assignee: { id: 'x', name: other },
          }),
        ),
        cycleTime: { week: aSpread(rows, 50), weekBefore: aSpread(0, 0), eightWeeks: aSpread(1, 1) },
      }),
    aging: (rows, name, other) =>
      anAgingAnswer(
        anAging(
          few(rows, (index) =>
            anAgingIssue(`${name}${index}`, index, {
              summary: other,
              status: { id: '1', name, category: 'To Do', kind: 'queue' },
              assignee: { id: 'x', name: other },
            }),
          ),
          { ageUnknown: few(rows, () => name), ...doubtful(rows, other, name) },
        ),
      ),
    mine: (rows, name, other) =>
      aMineAnswer(
        anAging(few(rows, (index) => anAgingIssue(name, index, { summary: other }))),
        few(Math.min(rows, 100), () => ({
          person: { id: name, name },
          category: other,
          aging: anAging([anAgingIssue(other, 30)], {
            ...doubtful(1, other, name),
            provenance: provenanceOf(rows, { cutHistories: rows, complete: false }),
          }),
        })),
      ),
    compare: (rows, name, other) =>
      aCompareAnswer({
        red: {
          ...{ title: name, issues: rows, ...doubtful(rows, name, other) },
          provenance: provenanceOf(rows, { cutHistories: rows, complete: false }),
        },
        blue: {
          ...{ title: other, issues: rows, ...doubtful(rows, other, name) },
          provenance: provenanceOf(1),
        },
        statuses: few(rows, (index) => ({
          id: String(index),
          name: index % 2 === 0 ? name : other,
          category: 'In Progress',
          kind: 'active' as const,
          sides: [aSpread(index % 3, 1), aSpread(1, 2)] as const,
        })),
      }),
  };

  describe.each(Object.entries(kinds))('%s', (_, make) => {
    test.each(counts)('with %i rows stays within Slack’s limits, whatever things are called', (rows) => {
      for (const name of rows > 10 ? nasty.slice(0, 4) : nasty)
        expect(problemsOf(make(rows, name, nasty[0] ?? ''), 'private', name)).toEqual([]);
    });

    test('stays within them for any names and any place', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 130 }),
          anyName,
          anyName,
          anyPlace,
          (rows, name, other, place) => {
            expect(problemsOf(make(rows, name, other), place, name)).toEqual([]);
          },
        ),
        { numRuns: runs(60) },
      );
    });
  });

  describe('an explanation', () => {
    const modal = (blocks: unknown) => ({
      type: 'modal',
      title: { type: 'plain_text', text: 'Why?' },
      close: { type: 'plain_text', text: 'Close' },
      blocks,
    });

    test.each(counts)('of %i parts, and as many figures to choose from, fits into a modal', (rows) => {
      for (const name of nasty) {
        const [first] = anExplanation().parts;
        if (first === undefined) throw new Error('No part');
        const explanation = anExplanation({
          title: name,
          rules: few(Math.min(rows, 40), () => name),
          parts: few(rows, () => ({ ...first, label: name, note: name })),
          excluded: few(rows, () => ({ key: name, reason: name })),
          more: rows,
        });
        const choices = few(rows, (index) => ({ id: `f${index}`, title: name }));
        expect(checkView(modal(explanationBlocks(choices, 'f0', explanation)))).toEqual([]);
        expect(markedTexts(explanationBlocks(choices, 'f0', explanation))).not.toMatch(
          /<!(channel|here)|<@U/,
        );
      }
    });

    test('of any names fits into a modal', () => {
      fc.assert(
        fc.property(anyName, fc.array(anyName, { maxLength: 120 }), (title, names) => {
          const explanation = anExplanation({ title, rules: names });
          const choices = names.map((name, index) => ({ id: String(index), title: name }));
          expect(checkView(modal(explanationBlocks(choices, null, explanation)))).toEqual([]);
        }),
        { numRuns: runs(60) },
      );
    });
  });
});

describe('doubtful answers', () => {
  const textOf = (answer: Answer) => aView(answer).message.text;

  const left = (...keys: readonly string[]) => keys.map((key) => ({ key, reason: 'nobody knows' }));

  describe('where nobody can tell', () => {
    test('ages say how many issues are open, and of which it is unclear', () => {
      expect(textOf(anAgingAnswer(anAging([], { ageUnknown: ['WEB-1', 'WEB-2', 'WEB-3'] })))).toMatch(
        /^3 started issues in WEB · when they entered the status is unknown\. 3 issues left out: a step is missing in their history \(WEB-1, WEB-2, WEB-3\)\./,
      );
      const doubts = { unclear: left('WEB-4'), statusesWithoutCategory: ['In Review'] };
      const text = textOf(anAgingAnswer(anAging([], doubts)));
      expect(text).toMatch(/^No started issue found in WEB, but some issues could not be checked\./);
      const unsure = provenanceOf(1, { complete: false });
      expect(textOf(anAgingAnswer(anAging([], { ...doubts, provenance: unsure })))).toContain(
        'history complete',
      );
      expect(text).toContain(
        "No category for status In Review. An admin can set it with `npx dwell statuses`, or import the tracker's list of statuses. 1 issue left out: it is unknown whether it is open or done (WEB-4).",
      );
    });

    test('what waits on somebody counts what waits since nobody knows when', () => {
      expect(textOf(aMineAnswer(anAging([], { ageUnknown: ['WEB-1'] })))).toMatch(
        /^1 open issue assigned to you\. 1 issue left out: a step is missing in its history \(WEB-1\)\./,
      );
      const both = anAging([anAgingIssue('WEB-7', 3)], { ageUnknown: ['WEB-1'] });
      expect(textOf(aMineAnswer(both))).toMatch(
        /^2 open issues assigned to you\. 1 issue left out: a step is missing in its history \(WEB-1\)\./,
      );
      const doubts = { unclear: left('WEB-4'), statusesWithoutCategory: [] };
      expect(textOf(aMineAnswer(anAging([], doubts)))).toContain('1 issue left out: WEB-4 (nobody knows).');
      const undecided = anAging([], { provenance: provenanceOf(0, { undecided: 2, complete: false }) });
      expect(textOf(aMineAnswer(undecided))).toMatch(
        /^No open issue found that is assigned to you, but some issues could not be checked\. 2 issues left out: it is unknown whether they belong here\./,
      );
    });

    test('a week names what is done since nobody knows when, with the reasons below', () => {
      const view = aView(aWeeklyAnswer({ doneSinceUnknown: left('WEB-4', 'WEB-5') }));
      expect(view.message.text).toContain(
        '2 more issues are done, but since when is unknown (WEB-4, WEB-5).',
      );
      expect(view.details.map(({ text }) => text).join('\n')).toContain('WEB-4: nobody knows');
    });

    test('a comparison says of which side', () => {
      const cut = { cutHistories: 3, complete: false };
      const text = textOf(
        aCompareAnswer({
          red: { provenance: provenanceOf(12, cut) },
          blue: { doneSinceUnknown: left('WEB-4'), provenance: provenanceOf(20, cut) },
        }),
      );
      expect(text).toContain('Red: 3 of 12 histories are cut: earlier time is missing.');
      expect(text).toContain('Blue: 3 of 20 histories are cut: earlier time is missing.');
      expect(text).toContain('Blue: 1 issue is done, but since when is unknown (WEB-4).');
    });
  });

  test('a week of another year names its year', () => {
    const week = {
      id: '2025-W46',
      start: Date.parse('2025-11-10T00:00:00Z'),
      end: Date.parse('2025-11-17T00:00:00Z'),
      whole: true,
    };
    expect(weekText(week, 'UTC', Date.parse('2026-11-18T12:00:00Z'))).toBe('week 46 (Nov 10–16, 2025)');
    expect(weekText(week, 'UTC', Date.parse('2025-11-18T12:00:00Z'))).toBe('week 46 (Nov 10–16)');
    const labels = (asOf: string) =>
      aView(aWeeklyAnswer({ provenance: provenanceOf(60, { asOf: Date.parse(asOf) }) })).chart?.categories;
    expect(labels('2026-11-18T12:00:00Z')?.at(-1)).toBe('W46 (14)');
    expect(labels('2027-11-18T12:00:00Z')?.at(-1)).toBe('2026-W46 (14)');
  });
});
