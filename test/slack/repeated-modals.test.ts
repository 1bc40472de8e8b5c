import { pino } from 'pino';
import { expect, test } from '#jest';
import { answerModal } from '../../src/slack/answer-modal.ts';
import { notice } from '../../src/slack/messages/notice.ts';
import type { SlackModal } from '../../src/slack/modal.ts';
import type { SlackParts } from '../../src/slack/parts.ts';

/** A modal that counts how often it was answered, and a listener for it; `wrong` is seen at once. */
function counting(wrong: Readonly<Record<string, string>> = {}) {
  let answered = 0;
  const clock = { now: 0 };
  const acks: unknown[] = [];
  const updates: unknown[] = [];
  const modal: SlackModal<SlackParts> = {
    id: 'counting',
    title: 'Counting',
    meanwhile: 'Counting…',
    wrongAtOnce: () => wrong,
    placeOf: () => ({ channel: 'C0GENERAL', threadTs: null }),
    async answer() {
      answered += 1;
      return notice(`Answered ${answered} times.`);
    },
  };
  const listener = answerModal(
    modal,
    { now: () => clock.now, people: { tenant: 'default' } } as SlackParts,
    pino({ level: 'silent' }),
  );
  const submitted = (id: string, hash: string) =>
    listener({
      ack: async (answer: unknown) => void acks.push(answer),
      body: { user: { id: 'U0ADA', name: 'ada' } },
      view: { id, hash, private_metadata: '', state: { values: {} } },
      client: { views: { update: async (update: unknown) => void updates.push(update) } },
    } as unknown as Parameters<typeof listener>[0]);
  return { clock, submitted, acks, updates, answered: () => answered };
}

test('a submission that Slack sends again is acknowledged, answered alike and done once', async () => {
  const { submitted, acks, updates, answered } = counting();
  await Promise.all([submitted('V1', 'h1'), submitted('V1', 'h1')]);
  await submitted('V1', 'h1');
  expect(answered()).toBe(1);
  expect(acks).toHaveLength(3);
  expect(new Set(updates.map((update) => JSON.stringify(update))).size).toBe(1);
});

test('a submission is done once, wherever the clock is set meanwhile', async () => {
  const { clock, submitted, answered } = counting();
  for (const by of [0, -1, 86_400_000]) {
    clock.now += by;
    await submitted('V1', 'h1');
  }
  expect(answered()).toBe(1);
});

test('the same modal shown again is another one, as is that of somebody else', async () => {
  const { submitted, answered } = counting();
  await submitted('V1', 'h1');
  await submitted('V1', 'h2');
  await submitted('V2', 'h1');
  expect(answered()).toBe(3);
});

test('what is wrong at once is answered with the acknowledgement, and nothing is done', async () => {
  const { submitted, acks, updates, answered } = counting({ to: 'This must be after the start.' });
  await submitted('V1', 'h1');
  expect(acks).toEqual([{ response_action: 'errors', errors: { to: 'This must be after the start.' } }]);
  expect([answered(), updates.length]).toEqual([0, 0]);
});
