import { expect, test } from '@jest/globals';
import { namesOf } from '../../src/slack/messages/names.ts';
import { awayTooText } from '../../src/slack/messages/stand-in-message.ts';

const names = namesOf(new Map(['Ada', 'Bob', 'Carl'].map((name) => [name, { id: name, name }])), []);
const away = { person: 'Ada', delegate: 'Bob', categoryId: null, from: 0, until: 60_000 };

test.each([
  [['Carl'], '*Bob*, who stands in for *Ada*, is away too; left to stand in: *Carl*.'],
  [[], '*Bob*, who stands in for *Ada*, is away too; nobody stands in then.'],
  [null, '*Bob*, who stands in for *Ada*, is away too.'],
])(
  'a delegate who is away too is told, and who is left as far as that may be known: %j',
  (standIns, text) => {
    expect(awayTooText({ ...away, standIns }, names, false)).toBe(text);
  },
);
