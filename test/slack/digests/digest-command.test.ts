import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { AppError } from '../../../src/model/error.ts';
import { readSchedule, writtenSchedule } from '../../../src/slack/digests/digest-schedule.ts';
import { readDigestWords } from '../../../src/slack/digests/digest-words.ts';
import { whyNoSchedule } from '../../../src/time/cron.ts';
import { scheduleWords } from '../../../src/time/cron-words.ts';
import { runs } from '../../support/soak.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

describe('tis digest', () => {
  type World = Awaited<ReturnType<typeof startDwellInSlack>>;
  let world: World;
  afterEach(() => world.stop());

  const textOf = ([message]: readonly Message[]) => message?.text ?? '';

  describe.each(['http', 'socket'] as const)('over %s', (mode) => {
    beforeEach(async () => {
      world = await startDwellInSlack({ mode });
    });

    /** Makes a digest and answers what was told. */
    const make = async (line = '/tis digest aging WEB every monday at 9') => textOf(await world.asks(line));

    /** Presses a button under the newest message that has it, and waits for so many replies. */
    async function press(name: string, replies = 1): Promise<Message[]> {
      await world.slack.clicks(name);
      const messages: Message[] = [];
      while (messages.length < replies) messages.push(await world.slack.reply());
      return messages;
    }

    test('a digest is made from words, and told back with its next three times', async () => {
      const told = await make();
      expect(told).toContain('*aging WEB* will be told every Monday at 09:00 (UTC) in <#C0GENERAL>.');
      expect(told).toContain('Next: Mon 23 Mar 09:00, Mon 30 Mar 09:00, Mon 6 Apr 09:00 (UTC).');
      // Nobody else is told of it.
      expect(world.slack.messages({ channel: 'general', as: 'ben' })).toEqual([]);
    });

    test('a first day that stays is told when it is made, with what moves along', async () => {
      const fixed = 'It always begins with the same day, so each time it covers more days. `last 30 days`';
      expect(await make('/tis digest WEB since 2026-03-01 every monday at 9')).toContain(fixed);
      expect(await make('/tis digest WEB last 30 days every monday at 9')).not.toContain('stays');
    });

    test('the list shows it with what can be done, to its owner with buttons and to others without', async () => {
      await make();
      const [mine] = await world.asks('/tis digest');
      expect(mine?.text).toContain('*aging WEB*: started work of project WEB');
      expect(mine?.text).toContain('not told yet');
      for (const name of ['preview', 'pause', 'edit', 'hand-over', 'delete']) {
        expect(JSON.stringify(mine?.blocks)).toContain(`digest-${name}`);
      }
      await world.slack.types('/tis digest list', { as: 'ben' });
      const others = await world.slack.reply();
      expect(others.text).toContain('of Ada Quist');
      expect(JSON.stringify(others.blocks)).not.toContain('digest-delete');
      await world.slack.types('/tis digest list', { as: 'ben', in: 'web-team' });
      expect((await world.slack.reply()).text).toContain('There are no digests here.');
    });

    test('the preview shows exactly what would be posted, and whether it would be', async () => {
      await make();
      await world.asks('/tis digest');
      const [lead, message] = await press('digest-preview', 2);
      expect(lead?.text).toBe('This is what everybody in the channel would read now:');
      expect(message?.text).toMatch(/^Digest aging WEB · as of 2026-03-18 12:00 UTC\. /);
      expect(message?.onlyFor).toBe('U0ADA');
    });

    test('it rests, goes on, and is deleted', async () => {
      await make();
      await world.asks('/tis digest');
      expect(textOf(await press('digest-pause'))).toContain('rests until somebody resumes it');
      expect(textOf(await world.asks('/tis digest'))).toContain('paused');
      expect(textOf(await press('digest-resume'))).toContain('goes on: next Mon 23 Mar 09:00 (UTC)');
      await world.asks('/tis digest');
      expect(textOf(await press('digest-delete'))).toContain('is deleted');
      expect(textOf(await world.asks('/tis digest'))).toContain('There are no digests here.');
    });

    test('it is changed in a form that knows what it is', async () => {
      await make();
      await world.asks('/tis digest');
      await world.slack.clicks('digest-edit');
      await world.slack.modal();
      const { blocks } = await world.slack.modal();
      expect(JSON.stringify(blocks)).toContain('every Monday at 09:00');
      const refused = await world.slack.submits({ when: 'every blue moon' });
      expect(JSON.stringify(refused)).toContain('blue moon');
      await world.slack.submits({ when: 'every weekday at 8', title: 'Each morning' });
      await world.slack.modal();
      await world.slack.modal();
      expect(textOf(await world.asks('/tis digest'))).toContain('*Each morning*');
    });

    test('a new one is made in a form, for its owner alone', async () => {
      await world.slack.types('/tis digest new');
      await world.slack.modal();
      await world.slack.modal();
      await world.slack.submits({
        question: 'weekly WEB',
        when: 'every friday at 16:00',
        place: 'owner',
      });
      await world.slack.modal();
      await world.slack.modal();
      expect(textOf(await world.asks('/tis digest'))).toContain('every Friday at 16:00 (UTC) to you alone');
    });

    test('it is handed over, and both sides are told', async () => {
      await make();
      await world.asks('/tis digest');
      await world.slack.clicks('digest-hand-over');
      await world.slack.modal();
      await world.slack.submits({ owner: 'U0BEN' });
      expect((await world.slack.reply()).text).toContain('has handed the digest *aging WEB* over to you');
      expect(textOf(await world.asks('/tis digest'))).toContain('of Ben Okoro');
    });

    const refused: readonly (readonly [string, string, string])[] = [
      ['/tis digest aging WEB every monday at 9', 'quiet', 'I am not in this channel. Type `/invite @Dwell`'],
      ['/tis digest mine every monday at 9', 'general', 'What waits on you is for you alone. Try: to me.'],
      [
        '/tis digest mine every monday at 9 to me',
        'general',
        'Your Slack account is not linked to a user of the tracker',
      ],
      ['/tis digest aging WEB cron */5 * * * *', 'general', 'more often than once an hour'],
      ['/tis digest aging WEB cron 0 9 30 2 *', 'general', 'never fires'],
      ['/tis digest aging WEB every 2 weeks', 'general', 'does not count weeks'],
      ['/tis digest aging NOPE every monday', 'general', 'NOPE'],
      ['/tis digest aging WEB with xlsx', 'general', 'When it is to be told is missing'],
      ['/tis digest <!channel> every monday', 'general', 'No digest was made.'],
      ['/tis digest weekly WEB 2026-W10 every monday', 'general', 'one week each time. Try: last week'],
      [
        '/tis digest WEB since monday every monday',
        'general',
        "'since monday' would be the same day each time",
      ],
      ['/tis digest WEB since 3 days ago every day', 'general', 'Try: last 7 days, last week'],
      ['/tis digest WEB between 1 mar and 5 mar every day', 'general', 'Try: last 7 days, last week'],
      ['/tis digest compare WEB with APP since yesterday every day', 'general', "'since yesterday' would be"],
      ['/tis digest aging WEB every second monday', 'general', 'can mean two things'],
    ];

    test('what cannot be told again and again is refused with what to do', async () => {
      for (const [line, channel, sentence] of refused) {
        await world.slack.types(line, { in: channel });
        const reply = await world.slack.reply();
        const text = reply.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
        expect([line, text]).toEqual([line, expect.stringContaining(sentence)]);
        expect(JSON.stringify(reply.blocks)).not.toContain('"mrkdwn","text":"<!channel>');
      }
      expect(textOf(await world.asks('/tis digest list'))).toContain('There are no digests here.');
    });

    test('in the conversation with the app it is for its owner', async () => {
      await world.slack.types('/tis digest aging WEB every weekday at 9', { in: 'dm' });
      expect((await world.slack.reply()).text).toContain('(Europe/Berlin) to you alone');
    });

    test('a zone behind the schedule is that of its weeks as well, when it is made and when it is changed', async () => {
      await make('/tis digest weekly WEB every monday at 0:30 in Asia/Tokyo');
      await world.asks('/tis digest');
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
      expect(await previewed()).toContain('Mar 9–15');
    });

    test('what falls on a day off is told to come on the next working day', async () => {
      const told = await make('/tis digest aging WEB every saturday at 9 on working days of Berlin');
      expect(told).toContain('Next: Mon 23 Mar 09:00, Mon 30 Mar 09:00, Tue 7 Apr 09:00 (UTC).');
      expect(textOf(await world.asks('/tis digest'))).toContain('next Mon 23 Mar 09:00 (UTC)');
    });

    test('a zone behind the time needs no word before it, and is the one clock of the answer', async () => {
      const told = await make('/tis digest aging WEB every monday at 9 europe/berlin');
      expect(told).toContain('every Monday at 09:00 (Europe/Berlin)');
      expect(told).toContain('Next: Mon 23 Mar 09:00, Mon 30 Mar 09:00, Mon 6 Apr 09:00 (Europe/Berlin).');
      expect(told).not.toContain('<!date');
      expect(await make('/tis digest aging WEB every monday at 9 europe/berln')).toContain(
        'Did you mean Europe/Berlin?',
      );
    });

    test('a second one of the same question, place and times says so', async () => {
      expect(await make()).not.toContain('already');
      expect(await make()).toContain(
        'You already have a digest of the same question here, at the same times',
      );
      expect(await make('/tis digest aging WEB every tuesday at 9')).not.toContain('already');
      await world.slack.types('/tis digest aging WEB every monday at 9', { as: 'ben' });
      expect((await world.slack.reply()).text).toContain(
        'Ada Quist already has a digest of the same question',
      );
    });

    test('what is done to a digest, typed alone, names the buttons', async () => {
      for (const word of ['pause', 'edit', 'delete']) {
        expect(await make(`/tis digest ${word}`)).toBe(
          'Each digest has its buttons in the list: `/tis digest`.',
        );
      }
    });

    test('it is moved to another channel, if the app is in it', async () => {
      await make();
      await world.asks('/tis digest');
      await world.slack.clicks('digest-edit');
      await world.slack.modal();
      await world.slack.modal();
      await world.slack.submits({ channel: 'C0QUIET' });
      await world.slack.modal();
      expect(JSON.stringify(await world.slack.modal())).toContain('I am not in this channel');
      await world.slack.submits({ channel: 'C0WEBTEAM' });
      await world.slack.modal();
      await world.slack.modal();
      expect(textOf(await world.asks('/tis digest'))).toContain('in <#C0WEBTEAM>');
    });

    test('help tells of digests', async () => {
      expect(await make('/tis digest help')).toContain('an answer that comes by itself');
    });

    test('only admins of the tracker see all digests', async () => {
      await make();
      await world.slack.types('/tis digest all', { as: 'ben' });
      expect((await world.slack.reply()).text).toContain('admins of the tracker only');
    });
  });
});

describe('schedule words', () => {
  test.each([
    ['every monday at 9', '0 9 * * 1', 'every Monday at 09:00'],
    ['every Monday', '0 9 * * 1', 'every Monday at 09:00'],
    ['every day at 17:30', '30 17 * * *', 'every day at 17:30'],
    ['every weekday at 9am', '0 9 * * 1-5', 'every weekday at 09:00'],
    ['every working day at 5 pm', '0 17 * * 1-5', 'every weekday at 17:00'],
    ['every monday and thursday at noon', '0 12 * * 1,4', 'every Monday and Thursday at 12:00'],
    ['every mon, wed and fri at 8.15', '15 8 * * 1,3,5', 'every Monday, Wednesday and Friday at 08:15'],
    ['on fridays at 16:00', '0 16 * * 5', 'every Friday at 16:00'],
    ['every sunday at 12am', '0 0 * * 7', 'every Sunday at 00:00'],
    ['every week at 9', '0 9 * * 1', 'every Monday at 09:00'],
    ['on the first of the month at 9', '0 9 1 * *', 'every month on the 1st at 09:00'],
    ['every month on the 22nd at 9', '0 9 22 * *', 'every month on the 22nd at 09:00'],
    ['every last day of the month at 9', '0 9 L * *', 'every last day of the month at 09:00'],
    ['every last friday at noon', '0 12 * * 5L', 'every last Friday of the month at 12:00'],
    ['every first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
    ['every hour', '0 * * * *', 'every hour'],
    ['daily at 9', '0 9 * * *', 'every day at 09:00'],
    ['weekdays at 9', '0 9 * * 1-5', 'every weekday at 09:00'],
    ['every monday 9am', '0 9 * * 1', 'every Monday at 09:00'],
    ['every friday 17:30', '30 17 * * 5', 'every Friday at 17:30'],
    ['every day at midnight', '0 0 * * *', 'every day at 00:00'],
    ['every monday to friday at 9', '0 9 * * 1-5', 'every weekday at 09:00'],
    ['every mon-wed at 9', '0 9 * * 1-3', 'every Monday to Wednesday at 09:00'],
    ['every friday to monday at 9', '0 9 * * 1,5,6,7', 'every Monday, Friday, Saturday and Sunday at 09:00'],
    ['every 1st monday', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
    ['first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
    ['on the first monday of every month', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
    ['every second monday of the month', '0 9 * * 1#2', 'every second Monday of the month at 09:00'],
    ['every month on the 1st', '0 9 1 * *', 'every month on the 1st at 09:00'],
    ['cron 0 9 * * mon-fri', '0 9 * * MON-FRI', 'at 09:00, Monday through Friday'],
  ])('%s is read and told back', (typed, cron, words) => {
    expect(readSchedule(typed)).toBe(cron);
    expect(whyNoSchedule({ cron, timeZone: 'UTC' })).toBeNull();
    expect(scheduleWords(cron)).toBe(words);
    expect(readSchedule(writtenSchedule(cron))).toBe(cron);
  });

  test.each([
    ['every 2 weeks at 9', 'does not count weeks'],
    ['every other monday', 'can mean two things. Try: `on the second Monday of the month`'],
    ['every second monday at 9', 'or `every Monday`, for weeks are not counted here'],
    ['every 2nd tue', 'can mean two things'],
    ['every monday at 25', "time '25' is not known. Try: `9`"],
    ['every monday at 13pm', "time '13pm'"],
    ['every blue moon', "'every blue moon' is not known. Try: `every day at 9`"],
    ['every month on the 32nd', 'is not known'],
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
    ['weekly WEB', 'When it is to be told is missing'],
    ['every monday at 9', 'What is to be told is missing'],
    ['weekly WEB every monday at 9 with pdf', "file 'pdf' is not known. Try: with xlsx"],
    ['weekly WEB every monday at 9 in Europe/Berln', "zone 'Europe/Berln' is not known"],
    ['weekly WEB every monday at 9 here to me', 'said twice'],
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

  test('whatever cron allows is told in words, and can be written back', () => {
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
