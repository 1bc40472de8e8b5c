import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { codeText } from '../../../src/block-kit/code-text.ts';
import type { User } from '../../../src/model/issue.ts';
import { whenText } from '../../../src/questions/parse/read-range.ts';
import { readQuestion } from '../../../src/slack/delegates/find-cover-of.ts';
import { splitPerson } from '../../../src/slack/people/find-person.ts';
import { fullDayText, shortText, typedDayText } from '../../../src/time/day-text.ts';
import {
  readDay,
  readDayOfWeek,
  shownDay,
  spanOfDay,
  spanOfWeek,
  weekdays,
} from '../../../src/time/day-words.ts';
import { readIsoDay } from '../../../src/time/iso-dates.ts';
import { dayAt, weekdayOf } from '../../../src/time/wall-clock.ts';
import { startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
import { runs } from '../../support/soak.ts';
import { underZones } from '../../support/under-zones.ts';

describe('delegates', () => {
  let place: Awaited<ReturnType<typeof startDelegatesInSlack>>;
  beforeAll(async () => {
    place = await startDelegatesInSlack();
  });
  afterAll(() => place.stop());

  const textOf = async (line: string, as?: string) => (await place.says(line, as)).text;
  /** The end of March in Berlin, on the clocks there and on bob's. */
  const quarterEnd = 'Wed 1 Apr 00:00';
  const quarterEndInNewYork = 'Tue 31 Mar 18:00';

  describe('who stands in', () => {
    test('now is told category by category, with until when and the notes', async () => {
      expect(await textOf('@ada')).toBe(
        `Who stands in for *Ada* now (Wednesday 18 March 2026):\n*Expense*\n• *Bob*, until ${quarterEnd} · “Up to 500 EUR; more waits for me.”\nTimes of Europe/Berlin.`,
      );
    });

    test('in one category is told under its stored name', async () => {
      expect(await textOf('@ada EXPENSE')).toMatch(
        /^Who stands in for \*Ada\* \(Expense\) now .*\n• \*Bob\*, until/,
      );
    });

    test('on a day names the day with its weekday, on the clocks of who asks', async () => {
      expect(await textOf('@bob on 15 Mar 2026')).toMatch(
        /^Who stands in for \*Bob\* on Sunday 15 March 2026:\n\*Expense\*\n• \*Carl\*, until Mon 16 Mar 00:00 /,
      );
      expect(await textOf('@bob on 16 Mar 2026')).toBe(
        'Nobody stands in for *Bob* on Monday 16 March 2026.\nHand something over with `/delegates set`.\nTimes of Europe/Berlin.',
      );
    });

    test('for part of a day is told with its hours', async () => {
      expect(await textOf('kira on 21 Mar 2026')).toMatch(
        /\*Everything\*\n• \*Hugo\*, from Sat 21 Mar 05:00 until /,
      );
    });

    test('is asked about with plain names as well', async () => {
      const told = await textOf('@ada');
      for (const name of ['ada', 'ADA', '"Ada"', '@Ada']) expect(await textOf(name)).toBe(told);
    });

    test('for a delegate who is away too is told as a path, a circle in words', async () => {
      expect(await textOf('@ada expense on 2026-03-10 12:00')).toContain(
        '    ◦ Ada → Bob → Carl, as those between are away too',
      );
      const circle = await textOf('nina support on 2026-03-11 12:00');
      expect(circle).toContain('Nina → Lars → Mona, who is away too and has Lars stand in: a circle');
      expect(circle).toContain(':warning: Nobody stands in for *Nina* (Support): all who would are away too');
    });

    test('on a day when a delegate is away too is told, all day where nothing else is known of that day', async () => {
      expect(await textOf('@ada on 10 Mar 2026')).toMatch(
        /:warning: \*Bob\*, who stands in for \*Ada\*, is away too all day; left to stand in: \*Carl\*\./,
      );
    });

    test('for somebody is the other direction', async () => {
      expect(await textOf('for @bob')).toMatch(
        /^For whom \*Bob\* stands in now .*\n\*Expense\*\n• \*Ada\*, until/,
      );
      expect(await textOf('for @ada')).toBe(
        '*Ada* stands in for nobody now (Wednesday 18 March 2026).\nTimes of Europe/Berlin.',
      );
    });
  });

  describe('what is not certain is asked', () => {
    test('a name that is only like another, with buttons that answer what was asked', async () => {
      const asked = await place.says('care expense on 10 mar 2026');
      expect(asked.text).toMatch(
        /^I do not know who `care` is in the tracker\. .* Did you mean:\n\*Carl\* \(carl\)/,
      );
      await place.slack.clicks('This one', { on: asked });
      const answer = await place.slack.reply();
      expect(answer.onlyFor).toBe('U0ADA');
      expect(answer.text).toMatch(/^Nobody stands in for \*Carl\* \(Expense\) on Tuesday 10 March 2026\./);
    });

    test('a mention of somebody the tracker does not know, with how that can be said', async () => {
      const text = await textOf('@zoe');
      expect(text).toMatch(
        /^I do not know who <@U0ZOE> is in the tracker\. Nobody in the tracker has the e-mail/,
      );
      expect(text).toContain('`npm run --silent dwell -- people --link U0ZOE --to USERNAME`');
    });

    test('a day without `on`, a day that is none, a category that is none', async () => {
      expect(await textOf('@ada friday')).toContain('Did you mean `/delegates @ada on friday`?');
      expect(await textOf('@ada on someday')).toContain('I cannot read `someday` as a day.');
      expect(await textOf('@ada <!here>')).toContain(
        'no category `&lt;!here&gt;`. Try: `general`, `Expense`',
      );
    });

    test('more than anybody types', async () => {
      expect(await textOf(`@ada ${'x'.repeat(600)}`)).toBe('That is too long. Try: 500 characters.');
    });
  });

  describe('a word that is misspelt', () => {
    test.each([
      ['mien', 'mine'],
      ['weke next week', 'week next week'],
      ['sett', 'set'],
      ['hlep', 'help'],
    ])('%s', async (typed, meant) => {
      const text = await textOf(typed);
      expect(text).toMatch(/^I do not know who `\w+` is in the tracker\./);
      expect(text).toContain(`Did you mean \`/delegates ${meant}\`?`);
      expect(await textOf(typed, 'bob')).toContain(`Did you mean \`/delegates ${meant}\`?`);
    });

    test('is no longer looked for where somebody is called so', async () => {
      expect(await textOf('hugo')).not.toContain('Did you mean');
      expect(await textOf('zed')).not.toContain('Did you mean');
    });
  });

  test('`me` is who asks', async () => {
    expect(await textOf('me')).toBe(await textOf('@ada'));
    expect(await textOf('for ME', 'bob')).toBe(await textOf('for @bob', 'bob'));
    expect(await textOf('end me', 'bob')).toBe(await textOf('end', 'bob'));
  });

  describe('what was meant is told as a line to type', () => {
    test.each([
      ['@bob @ada', 'Ask about one person at a time, such as `/delegates @bob`.'],
      ['for bob and @ada', 'Ask about one person at a time, such as `/delegates for @bob`.'],
      ['@bob in 3 days', 'There is no category `in 3 days`. Did you mean `/delegates @bob on 2026-03-21`?'],
      [
        'for @bob expense tomorrow 14:00',
        'There is no category `expense tomorrow 14:00`. Did you mean `/delegates for @bob expense on tomorrow 14:00`?',
      ],
    ])('%s', async (typed, told) => {
      expect(await textOf(typed)).toBe(told);
    });
  });

  describe('who may not see all', () => {
    const refused =
      'You do not have permission to query delegations of other users. Your own are told by `/delegates mine`. ' +
      'Ask an admin to change that.';

    test('is told about themselves', async () => {
      expect(await textOf('@bob expense on 10 mar 2026', 'bob')).toContain('• *Carl*, until');
      expect(await textOf('for @bob', 'bob')).toContain('• *Ada*, until');
    });

    test('does not learn who there is', async () => {
      for (const line of ['@ada', '@zoe', 'for @ada', 'zed', 'care'])
        expect(await textOf(line, 'bob')).toBe(refused);
      const notOwn =
        'You do not have permission to edit delegations of other users. ' +
        '`@PERSON` is whose work it is, not who stands in: `/delegates end` lists what you have handed over. ' +
        'Ask an admin to change that.';
      for (const line of ['end @zoe', 'end @carl']) expect(await textOf(line, 'bob')).toBe(notOwn);
    });

    test('sees their own week, and that it is only theirs', async () => {
      const text = await textOf('week', 'bob');
      expect(text).toContain(', of you:\n');
      expect(text).toContain('What concerns others is not shown to you. Ask an admin to change that.');
      expect(text).not.toContain('npm');
      expect(text).not.toContain('Nina');
    });

    test('is not told that nobody covers for anybody where only they do not', async () => {
      const text = await textOf('week 2031-01-06', 'bob');
      expect(text).toContain(', of you: you stand in for nobody, and nobody stands in for you.');
      expect(text).toContain('What concerns others is not shown to you.');
      expect(text).not.toContain('nobody for anybody');
    });
  });

  test('mine tells what was handed over and whom one stands in for, now and later', async () => {
    const text = await textOf('mine', 'bob');
    expect(text).toMatch(
      /^\*You have handed over now\*\n• nothing\n\*You have handed over later\*\n• \*Carl\* for you: Expense, from /,
    );
    expect(text).toContain(`*You stand in now*\n• you for *Ada*: Expense, until ${quarterEndInNewYork} `);
  });

  test('the week is a table on the clocks of who asks, with what ends below', async () => {
    const { blocks = [] } = await place.says('week');
    expect(blocks[0]).toMatchObject({
      text: { text: '*Who covers for whom*, Monday 16 March 2026 to Sunday 22 March 2026' },
    });
    const table = JSON.stringify(blocks.find(({ type }) => type === 'table'));
    for (const cell of ['Whose work', 'Nina', 'Lars, Mona', 'Support', 'Wed 1 Apr 00:00']) {
      expect(table).toContain(JSON.stringify(cell));
    }
    // What has ended already nobody needs to be warned of any more.
    expect(JSON.stringify(blocks)).not.toContain('nothing follows');
    expect(JSON.stringify(blocks)).toContain('Times of Europe/Berlin.');
    expect(await textOf('week 2026-03-30')).toContain('and nothing follows: *Hugo* for *Kira* (everything).');
  });

  describe('the week of another day', () => {
    const titleOf = async (line: string) => (await textOf(line)).split('\n')[0];

    test.each([
      ['week next week', 'Monday 23 March 2026 to Sunday 29 March 2026'],
      ['week 2026-12-24', 'Monday 21 December 2026 to Sunday 27 December 2026'],
      ['WEEK sunday', 'Monday 16 March 2026 to Sunday 22 March 2026'],
    ])('%s', async (line, title) => {
      expect(await titleOf(line)).toContain(`*Who covers for whom*, ${title}`);
    });

    test('is not guessed', async () => {
      expect(await textOf('week of the summer')).toMatch(
        /^I cannot read `of the summer` as a week\. Try: `this week`, `next week`/,
      );
    });
  });

  test('words that mean nothing are not passed over', async () => {
    const refusal = (typed: string, usage: string) =>
      `I do not know what \`${typed}\` means here. Try: \`/delegates ${usage}\`.`;
    expect(await textOf('mine next week')).toBe(refusal('next week', 'mine'));
    expect(await textOf('set @bob on friday')).toBe(refusal('@bob on friday', 'set'));
    expect(await textOf('end bob tomorrow')).toBe(refusal('tomorrow', 'end [@PERSON]'));
  });

  test('alone, and with help, it tells what there is to ask', async () => {
    const text = await textOf('');
    expect(await textOf('help')).toBe(text);
    expect(text).toContain('`/delegates set`  hand work over for a while');
    const more = await textOf('help END');
    expect(more).toContain('What runs ends with the running minute');
    expect(more).not.toContain('/delegates week');
  });

  test('help of a word there is not says so', async () => {
    const allowed = 'Try: `for`, `mine`, `week`, `set`, `end`, `link`, `help`, or none for all of them.';
    expect(await textOf('help xyz')).toBe(`There is no word \`xyz\` behind \`/delegates\`. ${allowed}`);
    expect(await textOf('help sett')).toContain('Did you mean `/delegates help set`?');
  });
});

describe('delegates questions', () => {
  const categories = [
    { id: 1, name: 'Expense', description: '' },
    { id: 2, name: 'Work on call', description: '' },
    { id: 3, name: 'Straße', description: '' },
  ];
  const today = Date.parse('2026-11-21T00:00:00Z');

  const read = (text: string) => {
    const answer = readQuestion(text, { categories, today, beginning: '/delegates @ada' });
    if ('refusal' in answer) return answer.refusal.text;
    const { category, day } = answer.question;
    return [category?.name ?? null, day && typedDayText(day)];
  };

  describe('category and day', () => {
    test.each<[string, unknown]>([
      ['', [null, null]],
      ['expense', ['Expense', null]],
      ['GENERAL', ['general', null]],
      ['straße', ['Straße', null]],
      ['on friday', [null, 'Friday 27 November 2026']],
      ['Expense ON next friday', ['Expense', 'Friday 27 November 2026']],
      ['work on call', ['Work on call', null]],
      ['work on call on 24 dec 14:00', ['Work on call', 'Thursday 24 December 2026 at 14:00']],
    ])('%s', (text, asked) => {
      expect(read(text)).toEqual(asked);
    });

    test('an unknown category is refused with those there are', () => {
      expect(read('travel')).toBe(
        'There is no category `travel`. Try: `general`, `Expense`, `Work on call`, `Straße`, or none for all of them.',
      );
    });

    test('a day that cannot be read is refused with what is allowed', () => {
      expect(read('expense on blursday')).toMatch(
        /^I cannot read `blursday` as a day\. Try: `today`, `tomorrow`, /,
      );
    });

    test('a day without its word is asked about, not guessed', () => {
      expect(read('travel friday')).toMatch(/^There is no category `travel friday`\. Try: `general`/);
      expect(read('friday')).toBe('There is no category `friday`. Did you mean `/delegates @ada on friday`?');
    });

    test('what was typed is repeated escaped, and not at length', () => {
      expect(read('<!channel> `x`')).toContain('There is no category `&lt;!channel&gt; x`.');
      expect(read('x'.repeat(400)).length).toBeLessThan(200);
      expect(codeText('two\n  lines\r\n`and` a tab\t')).toBe('`two lines and a tab`');
    });
  });

  describe('who is meant', () => {
    const user = (id: string, name: string): [string, User] => [id, { id, name }];
    const users = new Map([
      user('ada', 'Ada'),
      user('q7', 'Ada Quist'),
      user('Bob', 'Bob'),
      user('bob', 'Bobby'),
    ]);
    test.each([
      ['<@U0BOB|bob> expense', { account: 'U0BOB' }, 'expense'],
      ['<@U0BOB>', { account: 'U0BOB' }, ''],
      ['ada expense on friday', { name: 'ada' }, 'expense on friday'],
      ['@ada', { name: 'ada' }, ''],
      ['Ada Quist expense', { name: 'Ada Quist' }, 'expense'],
      ['“Ada  Quist” on friday', { name: 'Ada Quist' }, 'on friday'],
      ['zed on friday', { name: 'zed' }, 'on friday'],
      ['<mailto:ada@example.com|ada@example.com> expense', { name: 'ada@example.com' }, 'expense'],
      ['<http://jane.doe|jane.doe>', { name: 'jane.doe' }, ''],
      ['ada <http://ops.team|ops.team> on friday', { name: 'ada' }, 'ops.team on friday'],
      ['ada <https://example.com/x>', { name: 'ada' }, 'https://example.com/x'],
    ])('%s', (text, person, rest) => {
      expect(splitPerson(text, users)).toEqual({ person, rest });
    });

    test('nobody is meant by an empty line', () => {
      expect(splitPerson('', users)).toBeNull();
      expect(splitPerson('@', users)).toBeNull();
    });
  });
});

describe('delegates days', () => {
  /** A Saturday. */
  const today = Date.parse('2026-11-21T00:00:00Z');

  underZones(() => {
    describe('a day is read', () => {
      test.each([
        ['today', 'Saturday 21 November 2026'],
        ['Tomorrow', 'Sunday 22 November 2026'],
        ['saturday', 'Saturday 21 November 2026'],
        ['friday', 'Friday 27 November 2026'],
        ['FRI', 'Friday 27 November 2026'],
        ['next friday', 'Friday 27 November 2026'],
        ['next sunday', 'Sunday 29 November 2026'],
        ['in 3 days', 'Tuesday 24 November 2026'],
        ['in 1 day at 14:00', 'Sunday 22 November 2026 at 14:00'],
        ['24 Dec', 'Thursday 24 December 2026'],
        ['24 december 2027', 'Friday 24 December 2027'],
        ['1. May 9:05', 'Saturday 1 May 2027 at 09:05'],
        ['20 Nov', 'Saturday 20 November 2027'],
        ['21 Nov', 'Saturday 21 November 2026'],
        ['29 Feb', 'Tuesday 29 February 2028'],
        ['2026-12-24', 'Thursday 24 December 2026'],
        ['2026-12-24 14:00', 'Thursday 24 December 2026 at 14:00'],
        ['2026-12-24T00:00', 'Thursday 24 December 2026 at 00:00'],
        ['  next   monday   at  08:30 ', 'Monday 23 November 2026 at 08:30'],
      ])('%s', (typed, told) => {
        const read = readDay(typed, today);
        expect(read && typedDayText(read)).toBe(told);
      });
    });

    describe('what is no day is not guessed', () => {
      test.each([
        '',
        'next',
        'next week',
        'may',
        '24',
        '30 Feb',
        '2026-02-30',
        '2026-12-24 24:00',
        '2026-12-24 14',
        '14:00',
        'in -3 days',
        'in 12345 days',
        'fridays',
        'frida',
        '24/12/2026',
        'Dec 24',
      ])('%s', (typed) => {
        expect(readDay(typed, today)).toBeNull();
      });
    });

    describe('a week is read', () => {
      test.each([
        ['', 'Saturday 21 November 2026'],
        ['This week', 'Saturday 21 November 2026'],
        ['next  week', 'Saturday 28 November 2026'],
        ['last week', 'Saturday 14 November 2026'],
        ['next friday', 'Friday 27 November 2026'],
        ['2026-12-24', 'Thursday 24 December 2026'],
      ])('%s', (typed, told) => {
        const day = readDayOfWeek(typed, today);
        expect(day && fullDayText(day)).toBe(told);
      });

      test.each(['week', 'next', '47', 'next month', '2026-12-24 14:00', '2026-W52'])(
        '%s is none',
        (typed) => {
          expect(readDayOfWeek(typed, today)).toBeNull();
        },
      );
    });

    const anyDay = fc.integer({ min: 0, max: 60_000 }).map((days) => days * millisecondsInDay);

    test('whatever day it is, a weekday is one of the seven days from today on, and `next` is of the next ISO week', () => {
      fc.assert(
        fc.property(anyDay, fc.constantFrom(...weekdays), fc.boolean(), (day, name, short) => {
          const word = short ? name.slice(0, 3) : name;
          const soon = readDay(word, day)?.day ?? Number.NaN;
          expect(soon).toBeGreaterThanOrEqual(day);
          expect(soon).toBeLessThan(day + 7 * millisecondsInDay);
          expect(weekdays[weekdayOf(soon)]).toBe(name);
          const next = readDay(`next ${word}`, day)?.day ?? Number.NaN;
          const nextMonday = day - weekdayOf(day) * millisecondsInDay + 7 * millisecondsInDay;
          expect(next).toBe(nextMonday + weekdays.indexOf(name) * millisecondsInDay);
        }),
        { numRuns: runs(100) },
      );
    });

    test('a day as it is told, without its weekday, and as ISO date is the day itself', () => {
      fc.assert(
        fc.property(anyDay, anyDay, fc.integer({ min: 0, max: 1_439 }), (day, now, minute) => {
          const [, ...rest] = fullDayText(day).split(' ');
          expect(readDay(rest.join(' '), now)).toEqual({ day, time: null });
          const wall = new Date(day + minute * millisecondsInMinute).toISOString().slice(0, 16);
          expect(readDay(wall, now)).toEqual({ day, time: minute * millisecondsInMinute });
          expect(readDay(wall.replace('T', ' '), now)).toEqual({ day, time: minute * millisecondsInMinute });
        }),
        { numRuns: runs(100) },
      );
    });

    test('a day of a month without its year is the next there is', () => {
      fc.assert(
        fc.property(anyDay, anyDay, (day, now) => {
          const [, date, month] = fullDayText(day).split(' ');
          const read = readDay(`${date} ${month}`, now)?.day ?? Number.NaN;
          expect(fullDayText(read).split(' ').slice(1, 3)).toEqual([date, month]);
          expect(read).toBeGreaterThanOrEqual(now);
          const year = new Date(read).getUTCFullYear();
          const before = Array.from({ length: 9 }, (_, i) =>
            readIsoDay(`${year - 1 - i}${new Date(day).toISOString().slice(4, 10)}`),
          );
          for (const earlier of before) expect(earlier === null || earlier < now).toBe(true);
        }),
        { numRuns: runs(100) },
      );
    });

    test('whatever is typed is read as a day or not at all', () => {
      const words = fc.array(
        fc.constantFrom(
          'next',
          'in',
          'at',
          'on',
          'today',
          'fri',
          '24',
          '2026-12-24',
          'dec',
          'days',
          '3',
          '14:00',
          '‮',
          '😀',
        ),
        { maxLength: 5 },
      );
      fc.assert(
        fc.property(
          fc.oneof(
            words.map((all) => all.join(' ')),
            fc.string(),
          ),
          anyDay,
          (typed, now) => {
            const read = readDay(typed, now);
            if (read !== null) expect(read.day % millisecondsInDay).toBe(0);
          },
        ),
        { numRuns: runs(200) },
      );
    });

    describe('what a day is on the clocks of a zone', () => {
      const iso = ({ from, until }: { readonly from: number; readonly until: number }) =>
        [from, until].map((at) => new Date(at).toISOString());
      const day = (text: string) => ({ day: Date.parse(`${text}T00:00:00Z`), time: null });

      test('a day on which clocks are set forward has 23 hours, one on which they are set back 25', () => {
        expect(iso(spanOfDay(day('2026-03-29'), 0, 'Europe/Berlin'))).toEqual([
          '2026-03-28T23:00:00.000Z',
          '2026-03-29T22:00:00.000Z',
        ]);
        expect(iso(spanOfDay(day('2026-10-25'), 0, 'Europe/Berlin'))).toEqual([
          '2026-10-24T22:00:00.000Z',
          '2026-10-25T23:00:00.000Z',
        ]);
      });

      test('a time that clocks skip moves forward, of one that comes twice the first is meant', () => {
        const at = (text: string, time: number) => ({ ...day(text), time });
        expect(iso(spanOfDay(at('2026-03-29', 150 * millisecondsInMinute), 0, 'Europe/Berlin'))[0]).toBe(
          '2026-03-29T01:30:00.000Z',
        );
        expect(iso(spanOfDay(at('2026-10-25', 150 * millisecondsInMinute), 0, 'Europe/Berlin'))[0]).toBe(
          '2026-10-25T00:30:00.000Z',
        );
      });

      test('a time that clocks skip is told as the one that is asked about', () => {
        const skipped = { ...day('2026-03-29'), time: 150 * millisecondsInMinute };
        expect(whenText(skipped, today, 'Europe/Berlin')).toBe('on Sunday 29 March 2026 at 03:30');
        expect(shownDay(skipped, 'UTC')).toEqual(skipped);
        const midnight = { ...day('2026-09-06'), time: 0 };
        expect(typedDayText(shownDay(midnight, 'America/Santiago'))).toBe('Sunday 6 September 2026 at 01:00');
      });

      test('now is the minute that runs', () => {
        expect(iso(spanOfDay(null, Date.parse('2026-11-21T15:04:59.999Z'), 'UTC'))).toEqual([
          '2026-11-21T15:04:00.000Z',
          '2026-11-21T15:05:00.000Z',
        ]);
      });

      test('it is another day elsewhere, and another week', () => {
        const at = Date.parse('2026-11-22T23:30:00Z');
        expect(fullDayText(dayAt(at, 'UTC'))).toBe('Sunday 22 November 2026');
        expect(fullDayText(dayAt(at, 'Asia/Tokyo'))).toBe('Monday 23 November 2026');
        expect(iso(spanOfWeek(dayAt(at, 'UTC'), 'UTC'))).toEqual([
          '2026-11-16T00:00:00.000Z',
          '2026-11-23T00:00:00.000Z',
        ]);
        expect(iso(spanOfWeek(dayAt(at, 'Europe/Berlin'), 'Europe/Berlin'))).toEqual([
          '2026-11-22T23:00:00.000Z',
          '2026-11-29T23:00:00.000Z',
        ]);
      });

      test('a narrow column has the short form', () => {
        const wall = Date.parse('2026-11-27T14:00:00Z');
        expect(shortText(wall, 2026)).toBe('Fri 27 Nov 14:00');
        expect(shortText(wall, 2025)).toBe('Fri 27 Nov 2026 14:00');
      });
    });
  });
});
