import { pino } from 'pino';
import { expect, test } from '#jest';
import type { Message } from '../../src/block-kit/message.ts';
import { answerModal } from '../../src/slack/answer-modal.ts';
import { notice } from '../../src/slack/messages/notice.ts';
import type { SlackModal } from '../../src/slack/modal.ts';
import type { SlackParts } from '../../src/slack/parts.ts';

/** A modal that knows the rest of its answer once `known` settles; `updates` of the modal are taken while it is open. */
function inTwoSteps(known: Promise<Message>) {
  const shown: string[] = [];
  const toldElsewhere: string[] = [];
  const modal: SlackModal<SlackParts> = {
    id: 'in-two-steps',
    title: 'In two steps',
    meanwhile: 'Working…',
    placeOf: () => ({ channel: 'C0GENERAL', threadTs: null }),
    answer: async () => ({ ...notice('Set.'), later: known }),
  };
  const place = { isOpen: true };
  const log = pino({ level: 'silent' });
  const web = {
    chat: { postEphemeral: async ({ text }: { text: string }) => void toldElsewhere.push(text) },
  };
  const parts = {
    now: () => 0,
    wait: async () => {},
    pictures: null,
    people: { tenant: 'default' },
    web,
    log,
  };
  const listener = answerModal(modal, parts as unknown as SlackParts, log);
  const client = {
    views: {
      async update({ view }: { view: unknown }) {
        if (!place.isOpen) throw new Error('not_found');
        shown.push(JSON.stringify(view));
      },
    },
  };
  const submitted = () =>
    listener({
      ack: async () => {},
      body: { user: { id: 'U0ADA', name: 'ada' } },
      view: { id: 'V1', hash: 'h1', private_metadata: '', state: { values: {} } },
      client,
    } as unknown as Parameters<typeof listener>[0]);
  return { submitted, shown, toldElsewhere, place };
}

test('what is known already is shown before the rest of the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<Message>();
  const { submitted, shown, toldElsewhere } = inTwoSteps(promise);
  const answered = submitted();
  await new Promise(setImmediate);
  expect(shown).toEqual([expect.stringContaining('"Set."')]);
  resolve(notice('Set. Both sides are told.'));
  await answered;
  expect(shown).toEqual([expect.any(String), expect.stringContaining('Set. Both sides are told.')]);
  expect(toldElsewhere).toEqual([]);
});

test.each(['before', 'after'])(
  'who closes the modal %s it shows anything is told the whole once',
  async (when) => {
    const { promise, resolve } = Promise.withResolvers<Message>();
    const { submitted, toldElsewhere, place } = inTwoSteps(promise);
    place.isOpen = when === 'after';
    const answered = submitted();
    await new Promise(setImmediate);
    place.isOpen = false;
    resolve(notice('Set. Both sides are told.'));
    await answered;
    expect(toldElsewhere).toEqual(['Set. Both sides are told.']);
  },
);

test('a failure of the rest does not take back what was answered', async () => {
  const { submitted, shown } = inTwoSteps(Promise.reject(new Error('x')));
  await submitted();
  expect(shown.at(-1)).toContain('"Set."');
  expect(shown.at(-1)).toMatch(/[Ss]omething went wrong/);
});
