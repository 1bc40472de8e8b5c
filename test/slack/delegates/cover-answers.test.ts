import { beforeAll, describe, expect, test } from '#jest';
import type { User } from '../../../src/model/issue.ts';
import { readCoverQuestion } from '../../../src/slack/delegates/read-cover.ts';
import { splitPerson } from '../../../src/slack/people/identify.ts';
import { isoDay, minuteText } from '../../../src/time/date-text.ts';
import { startDelegatesInSlack } from '../../support/delegates-in-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('cover of a person', () => {
  const place = startedOnce(() => startDelegatesInSlack());

  const textOf = async (line: string, as?: string) => (await place.says(line, as)).text;
  const expense = 'for Expense until Tue, Mar 31';

  test('names who covers, for what, until which day, and what the person still does', async () => {
    expect(await textOf('@bob expense on 15 Mar 2026')).toBe(
      `On Sun, Mar 15:\n*Carl covers for Bob* for Expense until Sun, Mar 15 · “Visiting the roastery until the 15th.”\n*Bob covers for you* ${expense} (Bob is out: Carl steps in) · “Up to 500 EUR; more waits for me.”`,
    );
    expect(await textOf('@ada')).toBe(
      `*Bob covers for you* ${expense} · “Up to 500 EUR; more waits for me.”\nEverything else: you.`,
    );
  });

  test('says who steps in while a delegate is out later', async () => {
    await place.dwell.types('delegates', '--view-all', 'carl');
    const ada = place.dwell.as('ada', { admin: true });
    await ada.postJson('/rest/delegation/1.0/api/delegation', {
      ...{ active: true, delegator: 'dora', delegates: ['emil'], categoryIds: [], notes: '' },
      ...{ startDate: '2026-03-01T00:00Z', endDate: '2026-04-01T00:00Z' },
    });
    await ada.postJson('/rest/delegation/1.0/api/delegation', {
      ...{ active: true, delegator: 'emil', delegates: ['carl'], categoryIds: [], notes: '' },
      ...{ startDate: '2026-03-24T00:00Z', endDate: '2026-03-27T00:00Z' },
    });
    expect(await textOf('@dora', 'ada')).toContain(' (Emil is out Mar 24–26: Carl steps in)');
    expect(await textOf('@dora', 'carl')).toContain(' (Emil is out Mar 24–26: you step in)');
  });

  test('a circle is said in words', async () => {
    const circle = await textOf('nina support on 2026-03-11 12:00');
    expect(circle).toContain('*Lars and Mona cover for Nina* for Support');
    expect(circle).toContain(
      ':warning: No one covers for *Nina* (Support): the people who cover are out too.',
    );
  });

  test('is asked about by mention, name or `me`, with `for` or without', async () => {
    const shown = await textOf('@ada');
    for (const name of ['ada', 'ADA', '"Ada"', '@Ada', 'me', 'for @ada'])
      expect(await textOf(name)).toBe(shown);
  });

  test.each([
    ['@ada friday', /^On Fri, Mar 20:\n\*Bob covers/],
    ['@ada expense on friday', /^On Fri, Mar 20:\n\*Bob covers/],
    ['@ada in 3 days', /^On Sat, Mar 21:\n/],
    ['@ada mar 20', /^On Fri, Mar 20:\n/],
    ['@ada on Mar 20, 2026', /^On Fri, Mar 20:\n/],
    [
      '@ada on 20 mar 14:00',
      /^On <!date\^1774011600\^\{date_short_pretty} at \{time}\|2026-03-20 13:00 UTC>:\n/,
    ],
  ])('a day is read with or without `on`: %s', async (line, text) => {
    expect(await textOf(line)).toMatch(text);
  });

  describe('what is not understood is named, with a button that runs what works', () => {
    test.each([
      ['@ada on someday', "I can't read `someday` as a day.", '/delegates @ada on friday'],
      ['@ada expnse', "I can't find the category `expnse`.", '/delegates @ada Expense'],
      ['@ada <!here>', "I can't find the category `&lt;!here&gt;`.", '/delegates @ada'],
      ['@bob @ada @carl @dora', 'Ask about one person at a time.', '/delegates @bob'],
      ['weke next week', "I can't find `weke`.", '/delegates week next week'],
      ['sett', "I can't find `sett`.", '/delegates set'],
      ['week of the summer', "I can't read `of the summer` as a week.", '/delegates week next week'],
      ['end bob tomorrow', "I don't understand `tomorrow` here.", '/delegates end @bob'],
    ])('%s', async (typed, text, line) => {
      const answer = await place.says(typed);
      expect(answer.text.startsWith(text)).toBe(true);
      expect(answer.text).toContain(`Did you mean \`${line}\`?`);
      expect(answer.blocks).toMatchObject([{ accessory: { action_id: 'run-line:0', value: line } }]);
    });

    test('a name that is only like another, with a button for each', async () => {
      const asked = await place.says('care expense on 10 mar 2026');
      expect(asked.text).toMatch(/^I can't find `care` in Jira\. .* Did you mean:\n\*Carl\* \(carl\)/);
      await place.slack.clicks('Choose', { on: asked });
      const answer = await place.slack.reply();
      expect(answer.onlyFor).toBe('U0ADA');
      expect(answer.text).toMatch(/^No one covered for \*Carl\* for Expense on Tue, Mar 10\./);
    });

    test('a line that is too long', async () => {
      expect(await textOf(`@ada ${'x'.repeat(600)}`)).toBe('That is too long. Use at most 500 characters.');
    });
  });

  describe('people who cannot see all', () => {
    const refused = 'You can only see your own cover. Ask an admin to change that.';

    test('see their own', async () => {
      expect(await textOf('@bob expense on 10 mar 2026', 'bob')).toContain(
        '*Carl covers for you* for Expense',
      );
      expect(await textOf('me', 'bob')).toContain(`*You cover for Ada* ${expense}`);
    });

    test('do not learn who there is', async () => {
      for (const line of ['@ada', '@zoe', 'for @ada', 'zed', 'care'])
        expect(await textOf(line, 'bob')).toBe(refused);
      expect((await place.says('end zed', 'bob')).text).not.toContain('Zed');
    });

    test('cannot change that of others', async () => {
      const own = 'You can only change your own cover. Ask an admin to change that.';
      for (const line of ['end for @carl', 'end @ada for @zoe', 'set @ada for @carl next week'])
        expect(await textOf(line, 'bob')).toBe(own);
    });

    test('see their own week, and that it is only theirs', async () => {
      const text = await textOf('week', 'bob');
      expect(text).toContain('Ada (Expense), Bob, Expense, until Tue, Mar 31');
      expect(text).toContain('Only your own cover is shown. Ask an admin to change that.');
      expect(text).not.toContain('Nina');
      expect(await textOf('week 2031-01-06', 'bob')).toContain(
        'No one covers for you, and you cover for no one.',
      );
    });
  });

  test.each(['bob mar 20-31', 'bob in march'])(
    'a time has the days that its answer names: %s',
    async (line) => {
      const text = await textOf(line);
      expect(text).toContain('Bob');
      expect(text).not.toContain('Apr 1–15');
    },
  );

  describe('the week', () => {
    test('shows what ends without anything following, and who steps in', async () => {
      const text = await textOf('week 2026-03-30');
      expect(text).toContain('Kira (Releases), Hugo, Releases, until Tue, Mar 31, then Kira again');
      expect(text).toContain('Dora, Emil, everything, until Tue, Mar 31, then Dora is back');
      expect(text).toContain(
        'Ada (Expense), Bob (Bob is out from Wed, Apr 1: Carl steps in), Expense, Apr 1 – Jun 30',
      );
    });

    test('flags a person who is out without cover, first', async () => {
      const { blocks = [], text } = await place.says('week 2026-03-09');
      expect(text).toMatch(/^\*Cover Mar 9–15\* · :warning: \d+ without cover\n/);
      const rows = JSON.stringify(blocks.find(({ type }) => type === 'table'));
      expect(rows.indexOf('⚠ no one: ')).toBeGreaterThan(0);
      expect(rows.indexOf('⚠ no one: ')).toBeLessThan(rows.indexOf('"Bob (Expense)"'));
    });

    test.each([
      ['week next week', 'Mar 23–29'],
      ['week 2026-12-24', 'Dec 21–27'],
      ['week dec 24', 'Dec 21–27'],
      ['WEEK sunday', 'Mar 16–22'],
      ['week 2026-W13', 'Mar 23–29'],
      ['week w13', 'Mar 23–29'],
      ['week week 13', 'Mar 23–29'],
      ['week 13', 'Mar 23–29'],
      ['2026-W13', 'Mar 23–29'],
      ['week 2026-W10', 'Mar 2–8'],
      ['week of dec 24', 'Dec 21–27'],
    ])('of another day: %s', async (line, title) => {
      expect(await textOf(line)).toMatch(new RegExp(`^\\*Cover ${title}\\*`));
    });

    test('of people who see their own cover only, nothing is said about everyone', async () => {
      const [first, ...lines] = (await textOf('week', 'bob')).split('\n');
      expect(first).toBe('*Cover Mar 16–22*');
      expect(lines.join('\n')).toContain('Only your own cover is shown.');
    });

    test('goes on to the next', async () => {
      await place.slack.clicks('Next week', { on: await place.says('week') });
      expect((await place.slack.reply()).text).toMatch(/^\*Cover Mar 23–29\*/);
    });
  });

  test('help is examples, each with a button that works', async () => {
    const help = await place.says('help');
    const lines = (help.blocks ?? []).flatMap(({ accessory }) =>
      typeof accessory === 'object' && accessory !== null && 'value' in accessory
        ? [String(accessory.value)]
        : [],
    );
    expect(lines).toHaveLength(5);
    for (const line of lines.filter((one) => one !== '/delegates set'))
      expect(await textOf(line.slice('/delegates'.length).trim())).not.toMatch(/can't|don't/);
    await place.slack.clicks('Set up', { on: help });
    expect(await place.slack.modal('ada')).toMatchObject({ title: { text: 'Set cover' } });
  });
});

describe('whole days set in Berlin, read in New York', () => {
  const place = startedOnce(() => startDelegatesInSlack());
  beforeAll(async () => {
    await place.dwell.types('delegates', '--view-all', 'bob');
    // Monday to Wednesday; in New York they begin on Sunday evening.
    const asked = await place.says('set @bob mar 23 to mar 25');
    await place.slack.clicks('Set cover', { on: asked });
    await place.slack.updated();
  });

  test('are the same days on the Home tab, after the command and in their week', async () => {
    expect((await place.says('', 'bob')).text).toContain('*You cover for Ada* Mar 23–25');
    const home = JSON.stringify((await place.slack.opensHome('bob')).blocks);
    expect(home).toContain('Mar 23–25.');
    expect((await place.says('week 2026-03-23', 'bob')).text).toContain(
      'Ada, Bob, everything, until Wed, Mar 25',
    );
  });

  test('do not belong to the week before', async () => {
    expect((await place.says('week', 'bob')).text).not.toContain('Mar 23–25');
  });

  test('a cover of one category, and a delegate who is out for it alone, are said with it', async () => {
    const asked = await place.says('set @bob apr 6 to apr 7');
    await place.slack.clicks('Set cover', { on: asked });
    await place.slack.updated();
    expect((await place.says('@bob on apr 6')).text).toContain(
      '*Bob covers for you* Apr 6–7 (Bob is out for Expense: Carl steps in)',
    );
    const week = (await place.says('week 2026-04-06')).text;
    expect(week).toContain('Bob (Expense), Carl, Expense, until Wed, Apr 15');
    expect(week).toContain(
      'Ada, Bob (Bob is out for Expense: Carl steps in), everything, until Tue, Apr 7, then Ada is back',
    );
  });
});

describe('reading a question', () => {
  const categories = ['Expense', 'Work on call', 'Straße'].map((name, i) => ({
    id: i + 1,
    name,
    description: '',
  }));
  const today = Date.parse('2026-11-21T00:00:00Z');
  const read = (text: string, known: typeof categories | null = categories) => {
    const { category, period } = readCoverQuestion(text, '/delegates @ada', today, known);
    const day = period?.first ?? null;
    return [
      category?.name ?? null,
      day && (day.time === null ? isoDay(day.day) : minuteText(day.day + day.time)),
    ];
  };

  test.each<[string, unknown]>([
    ['', [null, null]],
    ['expense', ['Expense', null]],
    ['GENERAL', ['general', null]],
    ['straße', ['Straße', null]],
    ['on friday', [null, '2026-11-27']],
    ['Expense ON next friday', ['Expense', '2026-11-27']],
    ['work on call', ['Work on call', null]],
    ['work on call on 24 dec 14:00', ['Work on call', '2026-12-24 14:00']],
    ['work on call dec 24 14:00', ['Work on call', '2026-12-24 14:00']],
    ['friday', [null, '2026-11-27']],
  ])('%s', (text, asked) => {
    expect(read(text)).toEqual(asked);
  });

  test('where categories are not known, what is not a day is one', () => {
    expect(read('travel', null)).toEqual(['travel', null]);
    expect(read('work on call on friday 12:00', null)).toEqual(['work on call', '2026-11-27 12:00']);
  });

  test('what was typed is repeated escaped, and not at length', () => {
    expect(() => read('<!channel> `x`')).toThrow('the category `&lt;!channel&gt; x`.');
    expect(() => read('x'.repeat(400))).toThrow(/^.{1,299}$/s);
  });

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
  ])('the person of %s', (text, person, remainder) => {
    expect(splitPerson(text, users)).toEqual({ person, remainder });
  });

  test('an empty line has none', () => {
    expect(splitPerson('', users)).toBeNull();
    expect(splitPerson('@', users)).toBeNull();
  });
});
