import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { inMemory } from '../../../src/cache/namespace.ts';
import { answerModal } from '../../../src/slack/app/answer-modal.ts';
import type { SlackModal } from '../../../src/slack/app/handler-types.ts';
import { notice } from '../../../src/slack/app/message-texts.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import type { Message } from '../../../src/slack/blocks/message.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('acknowledging', () => {
  describe.each(['http', 'socket'] as const)('over %s Slack is answered before anything is done', (mode) => {
    const place = startedOnce(() => startDwellInSlack({ mode }));

    const uploads = () => place.slack.calls('files.getUploadURLExternal').length;
    const files = () => place.slack.files().length;

    test('a command', async () => {
      const release = place.slack.faults.holdNext('files.getUploadURLExternal');
      const before = { uploads: uploads(), files: files() };
      expect((await place.slack.types('/tis export csv WEB-1')).ack?.outcome).toBe('ok');
      await until(() => uploads() === before.uploads + 1);
      release();
      await until(() => files() === before.files + 1);
      // The message with the file, and that it is there.
      for (let read = 0; read < 2; read += 1) await place.slack.reply();
    });

    test('a button, and the modal it opens', async () => {
      await place.slack.answerTo('/tis WEB-1');
      const releaseView = place.slack.faults.holdNext('views.open');
      const { outcome } = await place.slack.clicks('Export');
      expect(outcome).toBe('ok');
      releaseView();
      await place.slack.modal();

      const releaseUpload = place.slack.faults.holdNext('files.getUploadURLExternal');
      const before = { uploads: uploads(), files: files() };
      const { ack } = await place.slack.submits({ format: 'csv' });
      expect(ack).toMatchObject({ outcome: 'ok', body: { response_action: 'update' } });
      expect(JSON.stringify(place.slack.openModals())).toContain('Creating the file…');
      await until(() => uploads() === before.uploads + 1);
      releaseUpload();
      await until(() => JSON.stringify(place.slack.openModals()).includes('The file is in'));
      await until(() => files() === before.files + 1);
      await place.slack.dismisses();
    });
  });
});

describe('acknowledging answers', () => {
  describe.each(['http', 'socket'] as const)('over %s Slack is answered before anything is done', (mode) => {
    const place = startedOnce(() => startTeamInSlack(mode));

    /** A click while one of Slack's methods keeps us waiting; resolves when that is over. */
    async function clickedWhile(method: string, name: string, entry?: string): Promise<string> {
      const release = place.slack.faults.holdNext(method);
      const { outcome } = await place.slack.clicks(name, entry === undefined ? {} : { entry });
      release();
      return outcome;
    }

    test('Share, Next, Export and Why? with its menu', async () => {
      await place.says('/tis project WEB list');
      expect(await clickedWhile('conversations.info', 'Share')).toBe('ok');
      await until(() => place.slack.openModals().some(({ submit }) => submit !== null));
      expect((await place.slack.submits()).ack?.outcome).toBe('ok');
      await place.slack.reply();

      await place.says('/tis project WEB list', { as: 'bob' });
      const release = place.slack.faults.holdNext('users.info');
      expect((await place.slack.clicks('Next', { as: 'zoe' })).outcome).toBe('ok');
      release();
      await place.slack.privateReply();

      await place.says('/tis project WEB list');
      expect(await clickedWhile('views.open', 'Export')).toBe('ok');
      await place.slack.modal();
      await place.slack.dismisses();

      expect(await clickedWhile('views.open', 'Why?')).toBe('ok');
      await place.slack.modal();
      const view = await place.slack.modal();
      const [figure = ''] = JSON.stringify(view.blocks).match(/(?<="value":")[^"]+/) ?? [];
      expect(await clickedWhile('views.update', 'explain-figure', figure)).toBe('ok');
      await place.slack.modal();
      await place.slack.dismisses();
    });

    test('/tis status', async () => {
      place.dwell.clock.now += 10 * 60_000;
      const release = place.slack.faults.holdNext('conversations.info');
      expect((await place.slack.types('/tis status')).ack?.outcome).toBe('ok');
      release();
      expect((await place.slack.privateReply()).text).toContain(
        'Anything every Dwell user can see can be shared here.',
      );
    });
  });
});

describe('later answers', () => {
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
      stored: inMemory,
      web,
      log,
    };
    const listener = answerModal(modal, parts as unknown as SlackParts);
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
});
