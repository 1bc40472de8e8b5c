import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { answerAction } from '../../../src/slack/app/answer-action.ts';
import { answerMenu, answerModal } from '../../../src/slack/app/answer-modal.ts';
import type { Choice, SlackAction, SlackMenu, SlackModal } from '../../../src/slack/app/handler-types.ts';
import { notice } from '../../../src/slack/app/message-texts.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import { button } from '../../../src/slack/blocks/mrkdwn.ts';
import { until } from '../../support/local-exports.ts';
import { shareOutcome, shares } from '../../support/share-in-slack.ts';
import { startedEach } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('an answer to a modal', () => {
  const place = startedEach(() => startTeamInSlack());

  const reason = 'has expired';

  /** Ada submits a form three months after she opened it; `plant` happens before that. */
  async function submitsLate(plant: () => void = () => {}): Promise<void> {
    const answer = await place.says('/tis project WEB');
    await place.slack.clicks('Export', { on: answer });
    await place.slack.modal();
    place.dwell.clock.now += 91 * 86_400_000;
    plant();
    await place.slack.submits({ format: 'csv' });
  }

  test('is in the modal and nowhere else', async () => {
    await submitsLate();
    await until(() => JSON.stringify(place.slack.openModals()).includes(reason));
    expect(place.slack.openModals()[0]?.title).toMatchObject({ text: "That didn't work" });
    expect(place.slack.messages().some(({ text }) => text.includes(reason))).toBe(false);
    await place.slack.dismisses();
  });

  test('comes privately to the channel where the modal was closed', async () => {
    await submitsLate(() => place.slack.faults.failNext('views.update', 'not_found'));
    const word = await place.slack.privateReply();
    expect([word.channel, word.onlyFor]).toEqual(['C0TEAM', 'U0ADA']);
    expect(word.text).toContain(reason);
  });

  test('that reaches no one leaves Dwell as it was', async () => {
    await submitsLate(() => {
      place.slack.faults.failNext('views.update', 'not_found');
      place.slack.faults.failNext('chat.postEphemeral', 'user_not_in_channel');
      place.slack.faults.failNext('chat.postMessage', 'messages_tab_disabled');
    });
    await until(() => place.slack.calls('chat.postMessage').length > 0);
    expect((await place.says('/tis WEB-1')).text).toMatch(/^WEB-1 /);
  });
});

describe('repeated modals', () => {
  /** A modal that counts how often it was answered, and listeners for it; `wrong` is seen at once. */
  function counting(wrong: Readonly<Record<string, string>> = {}) {
    let answered = 0;
    const clock = { now: 0 };
    /** What keeps a process from answering, as its death would. */
    const hold: { next: Promise<void> | null } = { next: null };
    const entries = inMemory<never>('submissions', { maxEntries: null, defersWrites: false });
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
        const word = notice(`Answered ${answered} times.`);
        await hold.next;
        return word;
      },
    };
    const process = () => {
      const parts = {
        now: () => clock.now,
        wait: () => new Promise(setImmediate),
        people: { tenant: 'default' },
        // The same entries for each process.
        stored: () => entries,
        log: pino({ level: 'silent' }),
      };
      return answerModal(modal, parts as unknown as SlackParts);
    };
    const first = process();
    const submitted = (id: string, hash: string, listener = first) =>
      listener({
        ack: async (answer: unknown) => void acks.push(answer),
        body: { user: { id: 'U0ADA', name: 'ada' } },
        view: { id, hash, private_metadata: '', state: { values: {} } },
        client: { views: { update: async (update: unknown) => void updates.push(update) } },
      } as unknown as Parameters<typeof listener>[0]);
    return { clock, hold, process, submitted, acks, updates, answered: () => answered };
  }

  test('a submission whose process was killed is done by the next one, half a minute later', async () => {
    const { clock, hold, process, submitted, updates, answered } = counting();
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.next = promise;
    const killed = submitted('V1', 'h1');
    await until(() => answered() === 1);
    hold.next = null;
    const repeated = submitted('V1', 'h1', process());
    clock.now = 29_999;
    await new Promise(setImmediate);
    expect(answered()).toBe(1);
    clock.now = 30_000;
    await repeated;
    await submitted('V1', 'h1', process());
    expect([answered(), updates.length]).toEqual([2, 2]);
    resolve();
    await killed;
  });

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
});

describe('clicks in views', () => {
  let place: Awaited<ReturnType<typeof startTeamInSlack>>;
  let run: string;
  beforeEach(async () => {
    place = await startTeamInSlack();
    const answer = await place.says('/tis project WEB list');
    run =
      /"action_id":"share-answer"[^}]*\}[^}]*"value":"(\w+)"/.exec(JSON.stringify(answer.blocks))?.[1] ?? '';
    const web = new WebClient(place.slack.botToken, { slackApiUrl: place.slack.apiUrl });
    const elements = [
      button('Why?', 'why-answer', run),
      button('Next', 'turn-page', `${run} 10`),
      button('Export', 'export-answer', run),
      button('Share', 'share-answer', run),
    ];
    const lost = [button('Lost', 'turn-page', 'nothing 10')];
    const view = {
      type: 'home' as const,
      blocks: [elements, lost].map((row) => ({ type: 'actions' as const, elements: row })),
    };
    await web.views.publish({ user_id: 'U0ADA', view });
  });
  afterEach(() => place.stop());

  /** What the app told ada directly. */
  const direct = (words: string): Promise<Message> =>
    until(() => place.openIn('D0ADA').find(({ text }) => text.includes(words)) ?? null);

  describe('a click in the Home tab', () => {
    test('opens a modal, in which a menu changes what it shows', async () => {
      await place.slack.clicks('Why?', { on: 'home' });
      const view = await until(() => {
        const shown = place.slack.openModals().at(-1);
        return shown !== undefined && JSON.stringify(shown.blocks).includes('explain-figure') ? shown : null;
      });
      expect(view.private_metadata).toBe(run);
    });

    test('is answered in the conversation with the app', async () => {
      await place.slack.clicks('Next', { on: 'home' });
      expect(JSON.stringify((await direct('of 12')).blocks)).toMatch(/WEB-\d+/);
      await until(() => JSON.stringify(place.slack.openModals()).includes('The answer is in'));
      await shares(place.slack, { on: 'home' });
      expect(await shareOutcome(place.slack)).toBe('To share this, ask in the channel.');
    });

    test('what went wrong is told there too', async () => {
      await place.slack.clicks('Lost', { on: 'home' });
      await direct('has expired');
    });

    test('a file comes there as well', async () => {
      await place.slack.clicks('Export', { on: 'home' });
      const form = await place.slack.modal();
      expect(JSON.stringify(form.blocks)).toContain('in this conversation');
      await place.slack.submits({ format: 'csv' });
      await direct('12 issues');
      const [file] = place.slack.files();
      expect(file?.name).toMatch(/\.csv$/);
      await until(() =>
        JSON.stringify(place.slack.openModals()).includes('The file is in our direct messages.'),
      );
    });
  });
});

describe('chosen value', () => {
  /** The value that an action is run with after a click. */
  async function acted(type: string, more: object): Promise<string> {
    let chosen = '';
    const action: SlackAction<SlackParts> = {
      id: 'a',
      async run({ value }) {
        chosen = value;
        return [];
      },
    };
    const parts = { now: () => 0, people: { tenant: 'default' }, stored: inMemory } as unknown as SlackParts;
    const listener = answerAction(action, parts);
    const body = { user: { id: 'U0ADA' }, container: {}, response_url: '' };
    const click = { ack: async () => {}, body, payload: { type, action_id: 'a', ...more }, client: {} };
    await listener(click as unknown as Parameters<typeof listener>[0]);
    return chosen;
  }

  test.each([
    ['button', { value: 'run' }, 'run'],
    ['button', {}, ''],
    ['static_select', { selected_option: { value: 'figure' } }, 'figure'],
    ['overflow', { selected_option: { value: 'more' } }, 'more'],
    ['external_select', { selected_option: null }, ''],
  ])('of a %s with %j', async (type, more, expected) => {
    expect(await acted(type, more)).toBe(expected);
  });
});

describe('menus', () => {
  /** A menu of so many choices, its listener, and how often it was asked for them. */
  function searched(menu: Partial<SlackMenu<SlackParts>> & { readonly count?: number } = {}) {
    const clock = { now: 0 };
    let asked = 0;
    const patience = Promise.withResolvers<void>();
    const log = pino({ level: 'silent' });
    const parts = { now: () => clock.now, wait: () => patience.promise, log } as unknown as SlackParts;
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
});
