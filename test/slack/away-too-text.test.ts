import { expect, test } from '#jest';
import { namesOf } from '../../src/slack/messages/names.ts';
import { awayTooText } from '../../src/slack/messages/stand-in-message.ts';
import { wordsIn } from '../../src/slack/messages/words.ts';

const words = wordsIn(
  'Europe/Berlin',
  0,
  namesOf(new Map(['Ada', 'Bob', 'Carl'].map((name) => [name, { id: name, name }])), []),
);
const away = { person: 'Ada', delegate: 'Bob', categoryId: null, from: 0, until: 60_000 };

test.each([
  [['Carl'], '*Bob*, who stands in for *Ada*, is away too; left to stand in: *Carl*.'],
  [[], '*Bob*, who stands in for *Ada*, is away too; nobody stands in then.'],
  [null, '*Bob*, who stands in for *Ada*, is away too.'],
])(
  'a delegate who is away too is told, and who is left as far as that may be known: %j',
  (standIns, text) => {
    expect(awayTooText({ ...away, standIns }, words, null)).toBe(text);
  },
);

test.each([
  [0, 60, 'all day'],
  [0, 30, 'until Thu 1 Jan 01:30'],
  [30, 60, 'from Thu 1 Jan 01:30 on'],
  [20, 40, 'from Thu 1 Jan 01:20 until Thu 1 Jan 01:40'],
])('no end of what was looked at is told as the end of an absence: minutes %i to %i', (from, until, when) => {
  const minute = 60_000;
  const looked = { span: { from: 0, until: 60 * minute }, whole: 'all day' };
  const stretch = { ...away, standIns: null, from: from * minute, until: until * minute };
  expect(awayTooText(stretch, words, looked)).toBe(`*Bob*, who stands in for *Ada*, is away too ${when}.`);
});
