import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { startDelegatesInSlack } from '../support/delegates-in-slack.ts';

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
    expect(await textOf('@ada <!here>')).toContain('no category `&lt;!here&gt;`. Try: `general`, `Expense`');
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
