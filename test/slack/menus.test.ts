import { pino } from 'pino';
import { expect, test } from '#jest';
import { answerMenu } from '../../src/slack/answer-menu.ts';
import type { Choice } from '../../src/slack/choice-options.ts';
import type { SlackMenu } from '../../src/slack/menu.ts';
import type { SlackParts } from '../../src/slack/parts.ts';

/** A menu of so many choices, its listener, and how often it was asked for them. */
function searched(menu: Partial<SlackMenu<SlackParts>> & { readonly count?: number } = {}) {
  const clock = { now: 0 };
  let asked = 0;
  const patience = Promise.withResolvers<void>();
  const parts = { now: () => clock.now, wait: () => patience.promise } as unknown as SlackParts;
  const listener = answerMenu(
    {
      id: 'calendars',
      async choices() {
        asked += 1;
        return Array.from({ length: menu.count ?? 3 }, (_, i): Choice => [`Office ${i}`, String(i)]);
      },
      ...menu,
    },
    parts,
    pino({ level: 'silent' }),
  );
  const types = async (query: string, account = 'U0ADA') => {
    let answer: { options?: { value?: string }[] } | undefined;
    await listener({
      ack: async (given: typeof answer) => {
        answer = given;
      },
      body: { user: { id: account } },
      payload: { value: query },
    } as unknown as Parameters<typeof listener>[0]);
    return answer?.options?.map(({ value }) => value);
  };
  return { types, clock, asked: () => asked, losesPatience: () => patience.resolve() };
}

test('a menu offers what holds the typed text, at most as many as Slack takes', async () => {
  const { types } = searched({ count: 1_000 });
  expect(await types('')).toHaveLength(100);
  expect(await types('office 99')).toEqual([
    '99',
    '990',
    '991',
    '992',
    '993',
    '994',
    '995',
    '996',
    '997',
    '998',
    '999',
  ]);
  expect(await types('nothing')).toEqual([]);
});

test('the list is remembered for a minute, for each account', async () => {
  const { types, clock, asked } = searched();
  await types('');
  clock.now = 59_999;
  await types('1');
  expect(asked()).toBe(1);
  await types('', 'U0BEN');
  expect(asked()).toBe(2);
  clock.now = 60_000;
  await types('');
  expect(asked()).toBe(3);
});

test('a menu that takes too long, or fails, is acknowledged with nothing', async () => {
  const slow = searched({ choices: () => new Promise(() => {}) });
  slow.losesPatience();
  expect(await slow.types('')).toEqual([]);
  const broken = searched({ choices: () => Promise.reject(new Error('no list')) });
  expect(await broken.types('')).toEqual([]);
});

test('what stands in no list can be typed', async () => {
  const { types } = searched({ typed: async (text) => (text === 'Sprint' ? [text, text] : null) });
  expect(await types('Sprint')).toEqual(['Sprint']);
  expect(await types('Sprin')).toEqual([]);
});
