import fc from 'fast-check';
import { beforeAll, describe, expect, test } from '#jest';
import { helpTopic } from '../../../src/slack/ask/help.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { commands } from '../../../src/slack/entries.ts';
import { runs } from '../../support/soak.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { transports } from '../../support/transports.ts';

describe('tis words', () => {
  /** Texts in which Slack looks for marks. */
  function markedIn(value: unknown): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const own =
      'type' in value && value.type === 'mrkdwn' && 'text' in value && typeof value.text === 'string'
        ? [value.text]
        : [];
    return [...own, ...Object.values(value).flatMap(markedIn)];
  }

  describe.each(transports)('over %s', (mode) => {
    const place = startedOnce(() => startDwellInSlack({ mode, at: '2026-11-20T14:00:00.000Z' }));

    const answerTo = async (line: string) => (await place.slack.answerTo(line)).text;

    test('hours and days are units, which choose no calendar', async () => {
      await answerTo('/tis calendar use Berlin');
      const berlin = /[Ww]orking hours Berlin/;
      const plain = await answerTo('/tis WEB median');
      expect(plain).toMatch(berlin);
      expect(plain).toMatch(/^WEB · 535 issues\. Longest: Blocked, 4d 6h \(median\)\. .*\(1d = 7h 27m\)/);
      for (const [unit, figure] of [
        ['hours', '36h'],
        ['days', '4d 6h'],
      ]) {
        const answer = await answerTo(`/tis WEB median in ${unit}`);
        expect(answer).toMatch(berlin);
        expect(answer).toContain(`Longest: Blocked, ${figure}`);
      }
      expect(await answerTo('/tis WEB median in 24/7')).toContain('Longest: Blocked, 6d 20h (median)');
      expect(await answerTo('/tis WEB median in hours in 24/7')).toMatch(/Blocked, 164h.* Hours 24\/7/);
      for (const line of [
        'median in hours in New York',
        'in New York median in hours',
        'in New York in hours',
      ]) {
        const answer = await answerTo(`/tis WEB ${line}`);
        expect(answer).toMatch(/[Ww]orking hours New York/);
      }
      for (const line of ['weekly WEB', 'aging WEB', 'compare WEB with APP last 30 days']) {
        expect(await answerTo(`/tis ${line} in hours`)).toMatch(berlin);
      }
      expect(await answerTo('/tis WEB in normal')).toMatch(/^I couldn't find the calendar "normal"\. Try: /);
      expect(await answerTo('/tis WEB in minutes')).toMatch(/^Answers are in hours or days, not in minutes/);
      await answerTo('/tis calendar use default');
    });

    test.each([
      ['/tis Web Shop', /535 issues/],
      ['/tis WEB created last 30 days', /^WEB · \d+ issues created in the last 30 days · \d+ finished: /],
      ['/tis WEB by month', /^WEB · 535 issues\. Longest: Blocked in \d{4}-\d\d, .* on average\./],
      ['/tis saved App lead times', /^APP · 409 issues\. Longest: Lead time, 94d 7h on average\. /],
      ['/tis help sprint', /^A sprint: .*`\/tis help project`.*`\/tis sprint \[NAME/s],
      ['/tis help wekly', /^I couldn't find `wekly`\. You can run `\/tis help weekly` or /],
      [
        '/tis WEB-350 WEB-999999 median',
        /^I can't find WEB-999999, or you don't have access to it\. You can run /,
      ],
      ['/tis assignee @emil median', /^71 issues assigned to emil\. /],
      ['/tis assignee <@U0BEN> median', /^I don't know who that is in Jira. Try: /],
      ['/tis WEB median by lastTransitionToStatusDate', /shows dates, which have no median/],
    ])('%s', async (line, shown) => {
      expect(await answerTo(line)).toMatch(shown);
    });

    test('every answer is for its principal alone', () => {
      for (const message of place.slack.messages()) expect(message.onlyFor).toBe('U0ADA');
    });
  });

  describe('in a channel', () => {
    const place = startedOnce(() => startDwellInSlack({ at: '2026-11-20T14:00:00.000Z' }));
    beforeAll(async () => {
      await place.dwell.types('people', '--link', 'U0ADA', '--to', 'emil');
    });

    test('a calendar and a zone chosen there count for what is asked there', async () => {
      const chosen = await place.slack.answerTo('/tis calendar use "service DESK"');
      expect(chosen.text).toBe('Done. *Service desk*, UTC.');
      const zone = await place.slack.answerTo('/tis calendar zone Tokyo');
      expect(zone.text).toBe('Done. *Service desk*, Tokyo time.');
      const shown = await place.slack.answerTo('/tis WEB');
      expect(shown.text).toContain('working hours Service desk');
      const back = await place.slack.answerTo('/tis calendar use default');
      expect(back.text).toBe('Done. 24/7, Tokyo time.');
    });

    test.each([
      ['wekly WEB', '/tis weekly WEB', /WEB · week 46/],
      ['agin WEB', '/tis aging WEB', /started issues in WEB/],
      ['WBE last 30 days', '/tis WEB last 30 days', /WEB · /],
      ['WEB last 30 days by asignee', '/tis WEB last 30 days by assignee', /Bob/],
      ['WEB lst 30 days', '/tis WEB last 30 days', /WEB · /],
    ])(
      'a misspelt word is read as the one that was meant, which is said: %s',
      async (typed, line, answer) => {
        const read = await place.slack.answerTo(`/tis ${typed}`);
        expect(read.text).toMatch(/^I read this as `[^`]+`\. I took `\w+` for `\w+`\. /);
        expect(read.text).toContain(`I read this as \`${line}\`.`);
        expect(read.text).toMatch(answer);
      },
    );

    test.each([
      ['WEB-350 in Berln', '/tis WEB-350 in Berlin', /^WEB-350 .*Berlin/s],
      ['WEB-350 in minutes', '/tis WEB-350 in hours', /^WEB-350 /],
      ['mine in Berln', '/tis mine in Berlin', /./],
      ['WEB by moonlight', '/tis WEB', /^WEB · /],
      ['compare WEB', '/tis compare WEB last month with this month', /^This month is /],
      ['weekly NOPE', '/tis weekly', /^WEB · week 46/],
      ['weekly WEB last 30 days', '/tis weekly WEB', /^WEB · week 46/],
      ['digests', '/tis digest', /digests/],
      ['wacth', '/tis watch', /watches|alerts/i],
    ])('what was likely meant is the first button, and runs: %s', async (typed, line, answer) => {
      const refused = await place.slack.answerTo(`/tis ${typed}`);
      expect(refused.text).toContain(`Did you mean \`${line}\`?`);
      expect(refused.text.match(/Did you mean/g)).toHaveLength(1);
      await place.slack.clicks(line);
      expect((await place.slack.reply()).text).toMatch(answer);
    });

    test('two projects are compared without a word between them', async () => {
      const answer = await place.slack.answerTo('/tis compare WEB APP last 30 days');
      expect(answer.text).toMatch(/^APP is slower than WEB: median cycle time .* · finished last 30 days\./);
    });

    test('a calendar that no other is near to is named, with lines that work', async () => {
      const refused = await place.slack.answerTo('/tis WEB-350 in Business hours');
      expect(refused.text).toMatch(
        /^I couldn't find the calendar "Business hours"\. Try: 24\/7, Berlin.* You can run `\/tis WEB-350 in Berlin` or `/,
      );
    });

    test('without a filter it is of the project where most of the principal’s issues are, and that is said', async () => {
      const shown = await place.slack.answerTo('/tis aging');
      expect(shown.text).toMatch(/started issues in WEB/);
      expect(shown.text).toContain(
        '\nNo project given, so this is about `WEB`, where most of your issues are.',
      );
    });
  });

  describe('in the conversation with the app', () => {
    const place = startedOnce(() => startDwellInSlack({ at: '2026-11-20T14:00:00.000Z' }));

    const answerTo = async (line: string) => {
      return (await place.slack.answerTo(line, { in: 'dm' })).text;
    };

    test('a calendar is chosen for oneself, and the clocks are those of one’s Slack', async () => {
      expect(await answerTo('/tis calendar use New York')).toBe('Done. *New York*, Berlin time.');
      expect(await answerTo('/tis WEB')).toContain('working hours New York');
      expect((await place.slack.answerTo('/tis WEB')).text).toContain('hours 24/7');
    });

    test('no zone is chosen there', async () => {
      expect(await answerTo('/tis calendar zone Berlin')).toMatch(
        /^In direct messages your Slack time zone is used\. Change it in Slack's preferences\./,
      );
    });
  });

  describe('garbage', () => {
    const place = startedOnce(() => startDwellInSlack({ at: '2026-11-20T14:00:00.000Z' }));

    test('whatever is typed gets an answer or a refusal that names something, and wakes nobody', async () => {
      const known =
        'weekly aging mine compare saved project sprint filter assignee jql with by in last this since week 30 days list median p85 WEB APP WEB-350 = " help status saved'.split(
          ' ',
        );
      const word = fc.oneof(
        fc.constantFrom(...known),
        fc.constantFrom(
          '<!channel>',
          '<!here>',
          '<@U0BEN>',
          '*',
          '`',
          '&',
          '&lt;!channel&gt;',
          'ﷺ',
          '👩‍👩‍👧',
        ),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
      );
      const line = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
        },
        { weight: 1, arbitrary: fc.string({ minLength: 100, maxLength: 3000 }) },
      );
      await fc.assert(
        fc.asyncProperty(line, async (typed) => {
          const seen = place.slack.messages().length;
          await place.slack.answerTo(`/tis ${typed}`);
          for (const { text, blocks } of place.slack.messages().slice(seen)) {
            expect([text, ...markedIn(blocks)].join('\n')).not.toMatch(/<!(?!date\^)|<@/);
            expect(text).not.toContain('Something went wrong on our side');
          }
        }),
        { numRuns: runs(40) },
      );
    });
  });
});

describe('help message', () => {
  const own = commands.filter(({ root }) => root === '/tis');

  test('the whole of it keeps to Slack’s limits', () => {
    for (const { blocks } of [helpTopic(own, '', 'WEB-1'), helpTopic(own), helpTopic(own, 'all', 'WEB-1')])
      expect(checkBlocks(blocks, 'message')).toEqual([]);
  });

  describe('of every word', () => {
    test.each(own.flatMap(({ word }) => (word === null ? [] : [word])))('%s', (word) => {
      const { text, blocks } = helpTopic(own, word.toUpperCase());
      expect(text).toContain(own.find((one) => one.word === word)?.usage);
      expect(checkBlocks(blocks, 'message')).toEqual([]);
    });
  });

  test.each(['filter', 'assignee'])('%s is told of with the other filters', (word) => {
    expect(helpTopic(own, word).text).toContain('/tis FILTER');
  });

  test('sprint is a question of its own, and says how its issues are filtered', () => {
    const { text } = helpTopic(own, 'sprint');
    expect(text).toMatch(/`\/tis sprint \[NAME/);
    expect(text).toContain('`/tis help project`');
    expect(helpTopic(own, 'project').text).toContain('`sprint NAME`');
  });

  test('all commands are lines that work, without those that the settings hold', () => {
    const { text } = helpTopic(own, 'all', 'SHOP-4');
    expect(text).toContain('`/tis weekly SHOP`');
    expect(text).not.toMatch(/[[\]]|KEY|QUESTION|\/tis (?:audience|calendar|unfurl|link|status)/);
  });

  test('no line is cut', () => {
    const all = [
      helpTopic(own, '', 'WEB-1'),
      helpTopic(own, 'all'),
      ...own.map(({ word }) => helpTopic(own, word ?? 'help')),
    ];
    for (const { blocks } of all) expect(JSON.stringify(blocks)).not.toMatch(/…"/);
  });

  test('the examples of a topic are of a project and an issue that can be seen', () => {
    const text = (word: string) => helpTopic(own, word, 'SHOP-4').text;
    expect(text('weekly')).toContain('`/tis weekly SHOP W46`');
    for (const { word } of own) expect(text(word ?? 'help')).not.toMatch(/^`.*\b(WEB|APP)\b/m);
    expect(helpTopic(own, 'weekly').text).toContain('`/tis weekly WEB W46`');
  });
});
