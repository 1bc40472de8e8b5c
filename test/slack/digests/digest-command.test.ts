import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { AppError } from '../../../src/model/error.ts';
import { readDigestWords } from '../../../src/slack/ask/grammar/read-digest.ts';
import { scheduleProblem } from '../../../src/time/cron.ts';
import { readSchedule, scheduleWords, writtenSchedule } from '../../../src/time/read-schedule.ts';
import { runs } from '../../support/soak.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { transports } from '../../support/transports.ts';

describe('tis digest', () => {
  type World = Awaited<ReturnType<typeof startDwellInSlack>>;
  let world: World;

  const textOf = ([message]: readonly Message[]) => message?.text ?? '';

  describe.each(transports)('over %s', (mode) => {
    const start = async () => {
      world = await startDwellInSlack({ mode });
    };
    const stop = () => world.stop();

    /** Creates a digest; what is said to that. */
    const make = async (line = '/tis digest aging WEB every monday at 9') =>
      (await world.slack.answerTo(line)).text;

    /** Presses a button, or chooses in the menu of the first digest of a list, and waits for so many replies. */
    async function press(name: string, replies = 1): Promise<Message[]> {
      await world.slack.clicks(name);
      return received(replies);
    }

    async function chooses(action: string, replies = 1): Promise<Message[]> {
      await world.slack.clicks('more', { entry: entryOf(action) });
      return received(replies);
    }

    async function received(replies: number): Promise<Message[]> {
      const messages: Message[] = [];
      while (messages.length < replies) messages.push(await world.slack.reply());
      return messages;
    }

    /** The value of an entry of the newest menu that has it. */
    function entryOf(action: string): string {
      const texts = ['C0GENERAL', 'C0WEBTEAM', 'D0ADA'].flatMap((channel) =>
        world.slack.playground.messages(channel, 'U0ADA').map(({ blocks }) => JSON.stringify(blocks)),
      );
      const found = texts.flatMap((one) => [...one.matchAll(new RegExp(`"value":"(${action} [^"]+)"`, 'g'))]);
      return found.at(-1)?.[1] ?? '';
    }

    describe('whatever other digests there are', () => {
      beforeAll(start);
      afterAll(stop);

      test('a digest is scheduled in one line, which says when, where, and when next', async () => {
        const reply = await world.slack.answerTo('/tis digest weekly WEB every monday at 9 in Europe/Berlin');
        const said = "I'll post *weekly WEB* in <#C0GENERAL> every Monday at 9:00 AM (Berlin time).";
        expect(reply.text.split('\n')).toEqual([
          said,
          'Next: <!date^1774252800^{date_short_pretty} at {time}|2026-03-23 08:00 UTC> · not posted yet',
          'Times in <#C0GENERAL> are Berlin time, from your Slack profile. Change: `/tis settings`',
        ]);
        const blocks = JSON.stringify(reply.blocks);
        for (const name of ['preview', 'edit', 'pause', 'change-owner', 'delete']) {
          expect(blocks).toContain(`digest-${name}`);
        }
        // No one else sees that.
        expect(world.slack.messages({ channel: 'general', as: 'ben' })).toEqual([]);
      });

      test('a first day that stays is said when it is created, with what moves along', async () => {
        const fixed =
          'It always starts on the same day, so it covers more days each time. For a time that moves, use `last 30 days`';
        expect(await make('/tis digest WEB since 2026-03-01 every monday at 9')).toContain(fixed);
        expect(await make('/tis digest WEB last 30 days every monday at 9')).not.toContain('always starts');
      });

      test('it is paused and resumed where it was scheduled', async () => {
        await make();
        await world.slack.clicks('digest-pause');
        expect((await world.slack.updated()).text).toContain(
          '*aging WEB* is paused.\nPaused · not posted yet',
        );
        await world.slack.clicks('digest-resume');
        expect((await world.slack.updated()).text).toMatch(/is scheduled again\.\nNext: <!date\^/);
      });

      test('a new one is made in a form, only for its owner', async () => {
        await world.slack.answerTo('/tis digest');
        await world.slack.clicks('digest-new');
        await world.slack.modal();
        await world.slack.modal();
        const refused = await world.slack.submits({ question: 'weekly WEB', place: 'channel', channel: '' });
        expect(JSON.stringify(refused)).toContain('Choose a channel.');
        await world.slack.submits({ question: 'weekly WEB', when: 'every friday at 16:00', place: 'owner' });
        await world.slack.modal();
        await world.slack.modal();
        expect((await world.slack.answerTo('/tis digest')).text).toContain(
          '*weekly WEB* to <@U0ADA> every Friday at 4:00 PM (Berlin time)',
        );
      });

      test('what was likely meant is a line of its own', async () => {
        for (const [typed, line] of [
          ['weekly WEB evry monday', 'weekly WEB every monday'],
          ['agin WEB every monday at 9', 'aging WEB every monday at 9'],
        ])
          expect(await make(`/tis digest ${typed}`)).toContain(`Did you mean \`/tis digest ${line}\`?`);
      });

      test('a report without a schedule opens the form with it', async () => {
        await world.slack.types('/tis digest weekly WEB');
        await world.slack.modal();
        const form = JSON.stringify(await world.slack.modal());
        expect(form).toContain('"initial_value":"weekly WEB"');
        await world.slack.dismisses();
      });

      test('in the conversation with the app it is for its owner, in their time', async () => {
        expect(
          (await world.slack.answerTo('/tis digest aging WEB every weekday at 9', { in: 'dm' })).text,
        ).toContain("I'll post *aging WEB* to <@U0ADA> every weekday at 9:00 AM (Berlin time).");
      });

      test('a zone after the time needs no word before it', async () => {
        expect(await make('/tis digest aging WEB every monday at 9 europe/berlin')).toContain(
          '(Berlin time)',
        );
        expect(await make('/tis digest aging WEB every monday at 9 europe/berln')).toContain(
          'Did you mean `/tis digest aging WEB every monday at 9 Europe/Berlin`?',
        );
      });

      test.each([
        ['9am EST', 'New York'],
        ['9 am et', 'New York'],
        ['9am BST', 'London'],
        ['9am PST', 'Los Angeles'],
        ['9:30 in PT', 'Los Angeles'],
        ['9am CET', 'Berlin'],
        ['9:00 in AST', 'Halifax'],
      ])('an abbreviation is the zone that people mean, which is said: %s', async (time, city) => {
        const said = await make(`/tis digest weekly WEB every monday at ${time}`);
        expect(said).toContain(`(${city} time)`);
        const [, other] =
          new RegExp(
            `I took \`[A-Z]+\` for ${city} time\\. For another zone, name it, such as \`([^\`]+)\``,
          ).exec(said) ?? [];
        expect(other).toContain('/');
        expect(other).not.toContain(city.replace(' ', '_'));
      });

      test('one that is used for several zones is refused, with each of them', async () => {
        const said = await make('/tis digest weekly WEB every monday at 9am IST');
        expect(said).toContain('"IST" can mean Kolkata time, Dublin time or Jerusalem time.');
        await world.slack.clicks('/tis digest weekly WEB every monday at 9am Europe/Dublin');
        expect(JSON.stringify(await world.slack.reply())).toContain('(Dublin time)');
      });

      test('letters that the zone database has for another zone than people mean are refused', async () => {
        const said = await make('/tis digest weekly WEB every monday at 9:00 in SST');
        expect(said).toContain('"SST"');
        expect(said).not.toContain('Guadalcanal');
      });

      test('what is posted again and again is not guessed from a sentence', async () => {
        const said = await make('/tis digest how was last week in WEB every monday at 9');
        expect(said).toContain('Did you mean `/tis digest weekly WEB last week every monday at 9`?');
      });

      test('what a menu of the list does, typed alone, shows the list', async () => {
        await make();
        expect(await make('/tis digest pause')).toContain('*aging WEB* in <#C0GENERAL>');
      });

      test('help shows how to schedule a digest', async () => {
        expect(await make('/tis digest help')).toContain('Schedule any report');
      });
    });

    describe('where there is none yet', () => {
      beforeEach(start);
      afterEach(stop);

      test('a second one of the same report, place and times is warned of', async () => {
        const warning = ':warning: Another digest posts the same report there at these times.';
        expect(await make()).not.toContain(warning);
        expect(await make('/tis digest aging WEB every monday at 10')).not.toContain(warning);
        expect(await make('/tis digest aging WEB every monday at 9 to me')).not.toContain(warning);
        expect(await make('/tis digest aging WEB every monday at 9 in Asia/Tokyo')).not.toContain(warning);
        expect(await make()).toContain(warning);
      });

      test('the list shows it with a menu to its owner, and to others without', async () => {
        await make();
        const mine = await world.slack.answerTo('/tis digest');
        expect(mine.text).toContain('*aging WEB* in <#C0GENERAL> every Monday at 9:00 AM (Berlin time)');
        expect(mine.text).toContain('not posted yet');
        for (const name of ['preview', 'pause', 'edit', 'change-owner', 'delete', 'new']) {
          expect(JSON.stringify(mine.blocks)).toContain(`digest-${name}`);
        }
        const others = await world.slack.answerTo('/tis digest list', { as: 'ben' });
        expect(others.text).toContain('owner: <@U0ADA>');
        expect(JSON.stringify(others.blocks)).not.toContain('digest-delete');
        expect(
          (await world.slack.answerTo('/tis digest list', { as: 'ben', in: 'web-team' })).text,
        ).toContain('There are no digests here yet.');
      });

      test('a long list is shown ten at a time', async () => {
        for (let i = 0; i < 12; i += 1) await make(`/tis digest aging WEB every day at ${i}`);
        const list = await world.slack.answerTo('/tis digest');
        expect(list.text).toContain('*Digests in <#C0GENERAL>, and yours* (1–10 of 12)');
        await world.slack.clicks('Next');
        expect((await world.slack.updated()).text).toContain('(11–12 of 12)');
        await world.slack.clicks('Previous');
        expect((await world.slack.updated()).text).toContain('(1–10 of 12)');
      });

      test('the preview shows exactly what would be posted, and whether it would be', async () => {
        await make();
        const [lead, message] = await press('digest-preview', 3);
        expect(lead?.text).toBe('Preview, as I would post it now:');
        expect(message?.text).toMatch(/^Digest \*aging WEB\* · as of 2026-03-18 12:00 UTC\. /);
        expect(message?.onlyFor).toBe('U0ADA');
        await world.slack.answerTo('/tis digest');
        expect(await chooses('digest-preview', 3)).toHaveLength(3);
      });

      test('it is paused, resumed and deleted in the list, which shows that', async () => {
        await make();
        await world.slack.answerTo('/tis digest');
        await world.slack.clicks('more', { entry: entryOf('digest-pause') });
        expect((await world.slack.updated()).text).toContain('Paused');
        await world.slack.clicks('more', { entry: entryOf('digest-resume') });
        expect((await world.slack.updated()).text).toContain('Next: <!date^');
        expect(textOf(await chooses('digest-delete'))).toBe(
          'Delete *aging WEB*? Messages it already posted are not deleted.',
        );
        await world.slack.clicks('Cancel');
        expect((await world.slack.updated()).text).toBe('*aging WEB* is not deleted.');
        await world.slack.answerTo('/tis digest');
        await chooses('digest-delete');
        await world.slack.clicks('digest-delete');
        expect((await world.slack.updated()).text).toBe(
          '*aging WEB* is deleted. Messages it already posted are not deleted.',
        );
        expect((await world.slack.answerTo('/tis digest')).text).toContain('There are no digests here yet.');
      });

      test('it is changed in a form that knows what it is', async () => {
        await make();
        await world.slack.clicks('digest-edit');
        await world.slack.modal();
        const { blocks } = await world.slack.modal();
        expect(JSON.stringify(blocks)).toContain('every Monday at 9:00 AM');
        const emptied = await world.slack.submits({ 'when.when': null });
        expect(emptied.errors).toEqual({ when: 'Please complete this required field.' });
        const refused = await world.slack.submits({ 'when.when': 'every blue moon' });
        expect(JSON.stringify(refused)).toContain('blue moon');
        await world.slack.submits({ 'when.when': 'every weekday at 8', title: 'Each morning' });
        await world.slack.modal();
        const saved = JSON.stringify(await world.slack.modal());
        expect(saved).toContain(
          "I'll post *Each morning* in <#C0GENERAL> every weekday at 8:00 AM (Berlin time).",
        );
        // The card in the form can be used as well.
        await world.slack.clicks('digest-pause');
        expect(JSON.stringify(await world.slack.modal())).toContain('*Each morning* is paused.');
        expect((await world.slack.answerTo('/tis digest')).text).toContain('*Each morning*');
      });

      test('its owner is changed, and both people are notified', async () => {
        await make();
        await world.slack.clicks('more', { entry: entryOf('digest-change-owner') });
        await world.slack.modal();
        await world.slack.submits({ owner: 'U0BEN' });
        expect((await world.slack.reply()).text).toContain(
          '<@U0ADA> made you the owner of the digest *aging WEB*.',
        );
        expect((await world.slack.answerTo('/tis digest')).text).toContain('owner: <@U0BEN>');
      });

      const refused: readonly (readonly [string, string, string])[] = [
        [
          '/tis digest aging WEB every monday at 9',
          'quiet',
          "I'm not in this channel. Type `/invite @Dwell`",
        ],
        ['/tis digest mine every monday at 9', 'general', 'This report is about you alone'],
        [
          '/tis digest mine every monday at 9 to me',
          'general',
          "Your Slack account isn't linked to a Jira user.",
        ],
        ['/tis digest aging WEB cron */5 * * * *', 'general', 'more often than once an hour'],
        ['/tis digest aging WEB cron 0 9 30 2 *', 'general', 'never fires'],
        ['/tis digest aging WEB every 2 weeks', 'general', '"every 2 weeks" as a schedule'],
        ['/tis digest aging NOPE every monday', 'general', 'NOPE'],
        ['/tis digest aging WEB with xlsx', 'general', 'When should I post "aging WEB with xlsx"?'],
        ['/tis digest <!channel> every monday', 'general', 'No digest was created.'],
        [
          '/tis digest weekly WEB 2026-W10 every monday',
          'general',
          'the same week every time. Try: last week',
        ],
        [
          '/tis digest WEB since monday every monday',
          'general',
          '"since monday" would be the same day each time',
        ],
        [
          '/tis digest WEB since 3 days ago every day',
          'general',
          'Try: a time that moves (last 7 days, last week',
        ],
        [
          '/tis digest WEB between 1 mar and 5 mar every day',
          'general',
          'Try: a time that moves (last 7 days, last week',
        ],
        [
          '/tis digest compare WEB with APP since yesterday every day',
          'general',
          '"since yesterday" would be',
        ],
        [
          '/tis digest compare WEB with APP every monday at 9 with xlsx',
          'general',
          'no issues to put in a file',
        ],
      ];

      test('what cannot be scheduled is refused with what to do', async () => {
        for (const [line, channel, sentence] of refused) {
          const reply = await world.slack.answerTo(line, { in: channel });
          const text = reply.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
          expect([line, text]).toEqual([line, expect.stringContaining(sentence)]);
          expect(JSON.stringify(reply.blocks)).not.toContain('"mrkdwn","text":"<!channel>');
        }
        expect((await world.slack.answerTo('/tis digest list')).text).toContain(
          'There are no digests here yet.',
        );
      });

      test('a zone after the schedule is that of its weeks as well, when it is created and when it is changed', async () => {
        await make('/tis digest weekly WEB every monday at 0:30 in Asia/Tokyo');
        // Monday has begun in Tokyo, and in Berlin it has not.
        world.dwell.clock.now = Date.parse('2026-03-22T16:00:00Z');
        const previewed = async () => (await press('digest-preview', 2))[1]?.text;
        expect(await previewed()).toContain('Mar 16–22');
        await world.slack.clicks('digest-edit');
        await world.slack.modal();
        await world.slack.modal();
        await world.slack.submits({ zone: 'Europe/Berlin' });
        await world.slack.modal();
        await world.slack.modal();
        await world.slack.dismisses();
        expect(await previewed()).toContain('Mar 9–15');
      });

      test('what falls on a day off comes on the next working day', async () => {
        const said = await make('/tis digest aging WEB every saturday at 9 on working days of Berlin');
        expect(said).toContain('every Saturday at 9:00 AM (Berlin time), on working days of Berlin.');
        expect(said).toContain('|2026-03-23 08:00 UTC>');
        expect((await world.slack.answerTo('/tis digest')).text).toContain('|2026-03-23 08:00 UTC>');
      });

      test('it is moved to another channel, if the app is in it', async () => {
        await make();
        await world.slack.clicks('digest-edit');
        await world.slack.modal();
        await world.slack.modal();
        await world.slack.submits({ channel: 'C0QUIET' });
        await world.slack.modal();
        expect(JSON.stringify(await world.slack.modal())).toContain("I'm not in this channel");
        await world.slack.submits({ channel: 'C0WEBTEAM' });
        await world.slack.modal();
        await world.slack.modal();
        expect((await world.slack.answerTo('/tis digest')).text).toContain('in <#C0WEBTEAM>');
      });
    });
  });
});

describe('schedule words', () => {
  test.each([
    ['every monday at 9', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['every Monday', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['every day at 17:30', '30 17 * * *', 'every day at 5:30 PM'],
    ['every weekday at 9am', '0 9 * * 1-5', 'every weekday at 9:00 AM'],
    ['every working day at 5 pm', '0 17 * * 1-5', 'every weekday at 5:00 PM'],
    ['every monday and thursday at noon', '0 12 * * 1,4', 'every Monday and Thursday at 12:00 PM'],
    ['every mon, wed and fri at 8.15', '15 8 * * 1,3,5', 'every Monday, Wednesday and Friday at 8:15 AM'],
    ['on fridays at 16:00', '0 16 * * 5', 'every Friday at 4:00 PM'],
    ['every sunday at 12am', '0 0 * * 7', 'every Sunday at 12:00 AM'],
    ['every week at 9', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['on the first of the month at 9', '0 9 1 * *', 'every month on the 1st at 9:00 AM'],
    ['every month on the 22nd at 9', '0 9 22 * *', 'every month on the 22nd at 9:00 AM'],
    ['every last day of the month at 9', '0 9 L * *', 'every last day of the month at 9:00 AM'],
    ['every last friday at noon', '0 12 * * 5L', 'every last Friday of the month at 12:00 PM'],
    ['every first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['every hour', '0 * * * *', 'every hour'],
    ['daily at 9', '0 9 * * *', 'every day at 9:00 AM'],
    ['weekdays at 9', '0 9 * * 1-5', 'every weekday at 9:00 AM'],
    ['every monday 9am', '0 9 * * 1', 'every Monday at 9:00 AM'],
    ['every friday 17:30', '30 17 * * 5', 'every Friday at 5:30 PM'],
    ['every day at midnight', '0 0 * * *', 'every day at 12:00 AM'],
    ['every monday to friday at 9', '0 9 * * 1-5', 'every weekday at 9:00 AM'],
    ['every mon-wed at 9', '0 9 * * 1-3', 'every Monday to Wednesday at 9:00 AM'],
    [
      'every friday to monday at 9',
      '0 9 * * 1,5,6,7',
      'every Monday, Friday, Saturday and Sunday at 9:00 AM',
    ],
    ['every 1st monday', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['on the first monday of every month', '0 9 * * 1#1', 'every first Monday of the month at 9:00 AM'],
    ['every second monday', '0 9 * * 1#2', 'every second Monday of the month at 9:00 AM'],
    ['every second monday of the month', '0 9 * * 1#2', 'every second Monday of the month at 9:00 AM'],
    ['every month on the 1st', '0 9 1 * *', 'every month on the 1st at 9:00 AM'],
    ['cron 0 9 * * mon-fri', '0 9 * * MON-FRI', 'at 9:00 AM, Monday through Friday'],
  ])('%s is read and written back', (typed, cron, words) => {
    expect(readSchedule(typed)).toBe(cron);
    expect(scheduleProblem({ cron, timeZone: 'UTC' })).toBeNull();
    expect(scheduleWords(cron)).toBe(words);
    expect(readSchedule(writtenSchedule(cron))).toBe(cron);
  });

  test.each([
    ['every 2 weeks at 9', '"every 2 weeks at 9" as a schedule'],
    ['every other monday', 'as a schedule'],
    ['every monday at 25', '"25" as a time. Try: 9, 9:30'],
    ['every monday at 13pm', '"13pm" as a time'],
    ['every blue moon', '"every blue moon" as a schedule. Try: every monday at 9'],
    ['every month on the 32nd', 'as a schedule'],
  ])('%s is refused with what is allowed', (typed, sentence) => {
    expect(() => readSchedule(typed)).toThrow(
      expect.objectContaining({ code: 'bad-request', details: [expect.stringContaining(sentence)] }),
    );
  });

  test.each([
    ['weekly WEB every monday at 9', { question: 'weekly WEB', cron: '0 9 * * 1' }],
    [
      'project WEB last 30 days by assignee every weekday at 9:30 to me in Europe/Berlin with xlsx',
      {
        question: 'project WEB last 30 days by assignee',
        cron: '30 9 * * 1-5',
        place: 'owner',
        timeZone: 'Europe/Berlin',
        file: 'xlsx',
      },
    ],
    [
      'mine every day with a csv file here',
      { question: 'mine', place: 'here', file: 'csv', cron: '0 9 * * *' },
    ],
    [
      'weekly WEB every monday at 9 on working days of Office in Berlin here',
      { workingDays: 'Office in Berlin', timeZone: null, place: 'here' },
    ],
    [
      'weekly WEB every monday at 9 on working days in berlin',
      { workingDays: '', timeZone: 'Europe/Berlin' },
    ],
    ['jql text ~ "every day" cron 0 9 * * 1 here', { question: 'jql text ~ "every day"', cron: '0 9 * * 1' }],
    ['aging WEB daily at 9 to me', { question: 'aging WEB', cron: '0 9 * * *', place: 'owner' }],
    ['aging WEB weekdays at 9', { question: 'aging WEB', cron: '0 9 * * 1-5' }],
    ['aging WEB mondays 9am', { question: 'aging WEB', cron: '0 9 * * 1' }],
    ['aging WEB first monday of the month', { question: 'aging WEB', cron: '0 9 * * 1#1' }],
    ['aging WEB on the first monday of every month', { question: 'aging WEB', cron: '0 9 * * 1#1' }],
    ['aging WEB every month on the last day of the month', { question: 'aging WEB', cron: '0 9 L * *' }],
    ['weekly DAILY every first monday of the month', { question: 'weekly DAILY', cron: '0 9 * * 1#1' }],
    ['aging WEB on the last friday at 9', { question: 'aging WEB', cron: '0 9 * * 5L' }],
  ])('%s is taken apart', (typed, expected) => {
    expect(readDigestWords(typed)).toMatchObject(expected);
  });

  test.each([
    ['weekly WEB', 'When should I post "weekly WEB"?'],
    ['every monday at 9', 'What should I post?'],
    ['weekly WEB every monday at 9 with pdf', 'I can\'t attach a "pdf" file. Try: with xlsx'],
    ['weekly WEB every monday at 9 in Europe/Berln', 'time zone "Europe/Berln"'],
    ['weekly WEB every monday at 9 here to me', 'You gave this twice:'],
  ])('%s is refused with what is missing', (typed, sentence) => {
    expect(() => readDigestWords(typed)).toThrow(
      expect.objectContaining({ details: expect.arrayContaining([expect.stringContaining(sentence)]) }),
    );
  });

  test('whatever is typed is a digest or a refusal that says something', () => {
    const word = fc.constantFrom(
      ...'weekly WEB every cron on the last first monday at 9 in to me here with xlsx working days of * 0 <!channel>'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
        try {
          readDigestWords(words.join(' '));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          if (error instanceof AppError) expect(error.details.join('').length).toBeGreaterThan(10);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('whatever cron allows has words, and can be written back', () => {
    const field = (from: number, to: number) =>
      fc.oneof(fc.constant('*'), fc.integer({ min: from, max: to }).map(String));
    fc.assert(
      fc.property(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7), (...fields) => {
        const cron = fields.join(' ');
        expect(scheduleWords(cron)).not.toContain('undefined');
        const read = readSchedule(writtenSchedule(cron));
        expect(read.replace(/7$/, '0')).toBe(cron.replace(/7$/, '0'));
      }),
      { numRuns: runs(300) },
    );
  });
});
