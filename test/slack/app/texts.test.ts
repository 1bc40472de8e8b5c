import fc from 'fast-check';
import { beforeAll, describe, expect, test } from '#jest';
import { nearWord } from '../../../src/slack/app/message-texts.ts';
import { editDistance } from '../../../src/slack/ask/grammar/names-meant.ts';
import { keysInMessage } from '../../../src/slack/ask/grammar/typed-words.ts';
import { messageTexts } from '../../../src/slack/blocks/mrkdwn.ts';
import { commands } from '../../../src/slack/entries.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { runs } from '../../support/soak.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('text direction', () => {
  const hebrew = 'בדיקה';
  const turned = 'Review\u202E';
  const summary = '\u202Egnitset\u202C \u2066one\u2069 \u2068two \u2067three';
  const person = { id: 'U0ADA', name: 'ada', realName: 'ada', email: 'ada@example.com', tz: 'UTC' };

  const issues = Array.from({ length: 12 }, (_, i) => {
    const issue = jiraIssue(`WEB-${i + 1}`, { created: '2026-03-02T09:00:00.000Z' })
      .at('2026-03-02T10:00:00.000Z', isAssignedTo('ada'))
      .at('2026-03-03T09:00:00.000Z', movesTo(i % 2 === 0 ? hebrew : turned))
      .at(i < 8 ? '2026-03-10T09:00:00.000Z' : '2026-03-11T09:00:00.000Z', movesTo(i < 8 ? 'Done' : hebrew))
      .onCloud();
    return { ...issue, fields: { ...issue.fields, summary } };
  });

  /** Texts that people read in something that was sent, wherever they stand in it. */
  function textsIn(value: unknown, key = ''): string[] {
    if (typeof value === 'string')
      return /^(value|initial_value|private_metadata|url)$/.test(key) ? [] : [value];
    if (Array.isArray(value)) return value.flatMap((one) => textsIn(one));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, one]) => textsIn(one, name));
  }

  /** A text without what its pairs keep apart, from the innermost to the outermost. */
  function withoutPairs(text: string): string {
    const left = text.replaceAll(/\u2068[^\u2068\u2069\n]*\u2069/g, '');
    return left === text ? text : withoutPairs(left);
  }

  /** Texts that turn something around, or leave a pair open. */
  const unsettled = (sent: unknown) =>
    textsIn(sent).filter(
      (text) => /[\u202A-\u202E\u2066\u2067]/.test(text) || /[\u2068\u2069]/.test(withoutPairs(text)),
    );

  describe.each(['http', 'socket'] as const)('over %s', (mode) => {
    const place = startedOnce(() =>
      startDwellInSlack({
        mode,
        people: [person],
        channels: [{ id: 'C0TEAM', name: 'team', members: ['U0ADA'] }],
        at: '2026-03-18T12:00:00Z',
        environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
      }),
    );
    beforeAll(async () => {
      const name = `\u202E${hebrew}`;
      const user = { accountId: 'ada', displayName: name, emailAddress: 'ada@example.com' };
      await place.dwell.types('import', exportFile(issues), exportFile([user]));
    });

    test.each([
      '/tis WEB-1',
      '/tis project WEB',
      '/tis project WEB list',
      '/tis project WEB by assignee',
      '/tis weekly WEB',
      '/tis aging WEB',
      '/tis mine',
      '/tis compare WEB last month with this month',
      '/tis saved \u202Eabc\u2068',
      '/tis weekly \u202Eabc',
      '/tis calendar use \u2067abc',
    ])('no name and nothing that was typed turns around what stands beside it: %s', async (line) => {
      const answer = await place.slack.answerTo(line);
      expect(textsIn(answer.blocks).length).toBeGreaterThan(0);
      expect(unsettled([answer.text, answer.blocks])).toEqual([]);
    });

    test('a name that runs from right to left is kept apart from the figures beside it', async () => {
      const answer = await place.slack.answerTo('/tis project WEB');
      expect(answer.text).toMatch(new RegExp(`\u2068${hebrew}\u2069: Average \\d`));
      expect(answer.text).not.toMatch(new RegExp(`[^\u2068]${hebrew}`));
    });

    test('a modal shows none either', async () => {
      const answer = await place.slack.answerTo('/tis project WEB');
      await place.slack.clicks('why-answer', answer === undefined ? {} : { on: answer });
      const view = await until(
        () => place.slack.openModals().find(({ blocks }) => blocks.length > 1) ?? null,
      );
      expect(textsIn(view.blocks).join()).toContain(hebrew);
      expect(unsettled(view.blocks)).toEqual([]);
      await place.slack.dismisses();
    });

    test('what was copied with our marks is read without them', async () => {
      const answer = await place.slack.answerTo('/tis \u2068WEB-1\u2069');
      expect(answer.text).toMatch(/^WEB-1 /);
    });
  });
});

describe('message texts', () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['its text', { text: 'see WEB-1' }, ['WEB-1']],
    [
      'a section',
      { text: '', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*WEB-2*' } }] },
      ['WEB-2'],
    ],
    [
      'links and words of rich text',
      {
        blocks: [
          {
            type: 'rich_text',
            block_id: 'WEB-99',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'link', url: 'https://jira.example/browse/WEB-3', text: 'the basket' },
                  { type: 'text', text: ' and WEB-4' },
                ],
              },
            ],
          },
        ],
      },
      ['WEB-3', 'WEB-4'],
    ],
    [
      'what an attachment is called and leads to, and what stands for it',
      {
        text: 'Ada moved an issue',
        attachments: [
          {
            title: 'A slow basket',
            title_link: 'https://jira.example/browse/WEB-5',
            fallback: 'WEB-6 moved',
          },
          { text: 'blocks WEB-7', blocks: [{ elements: [{ url: 'https://jira.example/browse/web-8' }] }] },
        ],
      },
      ['WEB-5', 'WEB-8', 'WEB-6', 'WEB-7'],
    ],
    ['nothing', { text: undefined, blocks: null, attachments: 'WEB-1' }, []],
  ])('keys are found in %s', (_what, message, keys) => {
    expect([...keysInMessage(messageTexts(message))].sort()).toEqual([...keys].sort());
  });

  test('what stands in a message twice is one line', () => {
    const text = 'WEB-1 is slow';
    expect(messageTexts({ text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] })).toBe(text);
  });
});

describe('near word', () => {
  describe('a word of /delegates that is misspelt', () => {
    test.each([
      ['weke', 'week'],
      ['weeks', 'week'],
      ['wk', 'week'],
      ['sett', 'set'],
      ['edn', 'end'],
      ['hepl', 'help'],
      ['lnik', 'link'],
    ])('%s', (typed, word) => {
      expect(nearWord(typed, '/delegates', commands)).toBe(word);
    });

    test.each(['ada', 'zed', 'fred', 'carl', '', 'x'.repeat(500)])('is not every name: %s', (typed) => {
      expect(nearWord(typed, '/delegates', commands)).toBeNull();
    });
  });

  test('the distance of words counts letters put in, left out, replaced and swapped', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, fc.nat(6), (one, other, at) => {
        expect(editDistance(one, one)).toBe(0);
        expect(editDistance(one, other)).toBe(editDistance(other, one));
        expect(editDistance(one, '')).toBe(one.length);
        expect(editDistance(one, `${one.slice(0, at)}x${one.slice(at)}`)).toBe(1);
        const swapped = `${one.slice(0, at)}yx${one.slice(at)}`;
        expect(editDistance(`${one.slice(0, at)}xy${one.slice(at)}`, swapped)).toBe(1);
      }),
      { numRuns: runs(100) },
    );
  });
});
