import { RespondError, type RespondFn } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from '#jest';
import { nativeChart } from '../../../src/output/charts/chart.ts';
import type { Pictures } from '../../../src/slack/app/parts.ts';
import { type Listener, sendPrivately } from '../../../src/slack/app/post-message.ts';
import type { Message } from '../../../src/slack/blocks/message.ts';
import { section } from '../../../src/slack/blocks/mrkdwn.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('send privately', () => {
  const slack = startedOnce(() => startStandInSlack());

  let [waited, logged, before]: [number[], string[], [number, number]] = [[], [], [0, 0]];
  const heard = () => [slack.messages().length, slack.messages({ channel: 'dm' }).length] as const;
  beforeEach(() => {
    [waited, logged] = [[], []];
    before = [...heard()];
  });
  /** What the Web API brought in this test: in the channel, and in the conversation with the app. */
  const byWebApi = () => [
    slack
      .messages()
      .slice(before[0])
      .map(({ text, onlyFor }) => [text, onlyFor]),
    slack
      .messages({ channel: 'dm' })
      .slice(before[1])
      .map(({ text }) => text),
  ];

  const to = (respond: RespondFn): Listener => ({
    account: 'U0ADA',
    place: { channel: 'C0GENERAL', threadTs: null },
    respond,
  });
  const parts = (more: { readonly pictures?: Pictures } = {}) => ({
    web: backgroundClient(slack),
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
    wait: async (ms: number) => void waited.push(ms),
    ...more,
  });
  const cell = (text: string) => ({ type: 'raw_text', text }) as const;
  const withTable: Message = {
    text: 'the figures',
    blocks: [
      section('Figures'),
      {
        type: 'table',
        column_settings: [{}, { align: 'right' }],
        rows: [
          [cell('Status'), cell('Time')],
          [cell('In Progress'), cell('2d')],
        ],
      },
    ],
  };

  /** What reaches a response URL. */
  interface Sent {
    readonly text: string;
    readonly blocks?: readonly KnownBlock[];
  }

  /** A response URL that refuses what it is told to. */
  function responseUrl(refuses: (message: Sent) => boolean): { sent: Sent[]; respond: RespondFn } {
    const sent: Sent[] = [];
    let uses = 0;
    return {
      sent,
      respond: async (message) => {
        const one = message as unknown as Sent;
        uses += 1;
        if (uses > 5) throw new RespondError('used_url', 404);
        if (refuses(one)) throw new RespondError('invalid_blocks', 400);
        sent.push(one);
        return new Response('ok');
      },
    };
  }

  test('a refused table goes out once more as preformatted text with its columns in line', async () => {
    const { sent, respond } = responseUrl(({ blocks = [] }) =>
      blocks.some((block) => block.type === 'table'),
    );
    await sendPrivately([withTable], to(respond), parts());
    expect(sent).toHaveLength(1);
    expect(sent[0]?.blocks?.[1]).toEqual({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_preformatted',
          elements: [{ type: 'text', text: 'Status       Time\nIn Progress    2d' }],
        },
      ],
    });
  });

  test('four refused tables and a remark still reach the principal within five uses', async () => {
    const { sent, respond } = responseUrl(({ blocks = [] }) =>
      blocks.some((block) => block.type === 'table'),
    );
    const remark: Message = { text: 'and a remark', blocks: [section('and a remark')] };
    await sendPrivately([withTable, withTable, withTable, withTable, remark], to(respond), parts());
    expect(sent.map(typesOf)).toEqual([
      ['section', 'rich_text'],
      ['section', 'rich_text'],
    ]);
    const [inChannel = []] = byWebApi();
    expect(inChannel.map(([text]) => text)).toEqual(['the figures', 'the figures', 'and a remark']);
  });

  /** A response URL that fails as told, one use after the other; null takes it, and undefined never answers. */
  function failing(...failures: readonly (Error | null | undefined)[]): { sent: Sent[]; respond: RespondFn } {
    const sent: Sent[] = [];
    let uses = 0;
    return {
      sent,
      respond: async (message) => {
        const failure = failures[uses];
        uses += 1;
        if (failure instanceof Error) throw failure;
        sent.push(message as unknown as Sent);
        return failure === undefined && uses <= failures.length
          ? new Promise<Response>(() => {})
          : new Response('ok');
      },
    };
  }

  describe('a failure of Slack, or of the way to it, is no refusal', () => {
    const word: Message = { text: 'plain', blocks: [] };
    const [down, reset] = [new RespondError('down', 503), new TypeError('fetch failed', { cause: 'reset' })];
    const limited = new RespondError('limited', 429);

    test.each([
      ['HTTP 503', down],
      ['a connection that breaks', reset],
      ['a wish to be left alone', limited],
    ])('%s: the same is said once more', async (_what, failure) => {
      const { sent, respond } = failing(failure);
      await sendPrivately([withTable, word], to(respond), parts());
      expect(sent.map(({ text }) => text)).toEqual(['the figures', 'plain']);
      expect(sent.map(typesOf)[0]).toEqual(['section', 'table']);
      expect([waited, byWebApi()]).toEqual([[200], [[], []]]);
    });

    test('after the third try everything left is told by the Web API, in the channel', async () => {
      const { sent, respond } = failing(null, down, reset, down);
      await sendPrivately([word, withTable, word], to(respond), parts());
      expect(sent.map(({ text }) => text)).toEqual(['plain']);
      expect(waited).toEqual([200, 1_000]);
      expect(byWebApi()).toEqual([
        [
          ['the figures', 'U0ADA'],
          ['plain', 'U0ADA'],
        ],
        [],
      ]);
    });

    test('where the channel refuses too, in the conversation with the app', async () => {
      slack.faults.failNext('chat.postEphemeral', 'user_not_in_channel');
      await sendPrivately([word], to(failing(down, down, down).respond), parts(), true);
      expect(byWebApi()).toEqual([[], ['About your request in <#C0GENERAL>: plain']]);
    });

    test('where nobody knows whether the channel took it, in the conversation as well', async () => {
      slack.faults.loseAnswerNext('chat.postEphemeral');
      await sendPrivately([word], to(failing(down, down, down).respond), parts());
      expect(byWebApi()).toEqual([[['plain', 'U0ADA']], ['plain']]);
    });

    test('where Slack takes nothing at all, it is logged and nothing fails', async () => {
      slack.faults.breakNext('chat.postEphemeral', 503);
      slack.faults.breakNext('chat.postMessage', 503);
      await sendPrivately([word], to(failing(down, down, down).respond), parts());
      expect(byWebApi()).toEqual([[], []]);
      expect(logged.join()).toContain('a direct message did not arrive');
    });
  });

  test('what a response URL refuses in every form is told by the Web API', async () => {
    const { respond } = responseUrl(() => true);
    await sendPrivately([{ text: 'used up', blocks: [] }], to(respond), parts());
    await sendPrivately([withTable], to(respond), parts());
    expect(byWebApi()).toEqual([
      [
        ['used up', 'U0ADA'],
        ['the figures', 'U0ADA'],
      ],
      [],
    ]);
  });

  test('a message that breaks a limit of Slack goes out as text', async () => {
    const { sent, respond } = responseUrl(() => false);
    const blocks = Array.from({ length: 51 }, () => section('one too many'));
    await sendPrivately([{ text: 'the same in words', blocks }], to(respond), parts());
    expect(sent).toEqual([
      { response_type: 'ephemeral', replace_original: false, text: 'the same in words' },
    ]);
  });

  const chart = nativeChart({
    kind: 'bar',
    title: 'Finished',
    unit: 'issues',
    categories: ['W29', 'W30'],
    series: [{ name: 'Finished', values: [3, 4] }],
    alt: '',
  });
  const withChart: Message = { ...withTable, blocks: [...withTable.blocks, ...(chart ? [chart] : [])] };

  /** Pictures that are always there. */
  function picturesAtHand() {
    const told: string[] = [];
    const pictures: Pictures = {
      refusals: {
        get: async () => (told.length === 0 ? undefined : true),
        set: async () => void told.push('refused'),
      },
      draw: async () => ({ type: 'image', slack_file: { id: 'F0CHART' }, alt_text: 'Finished' }),
    };
    return { told, pictures };
  }

  const typesOf = ({ blocks = [] }: Sent) => blocks.map(({ type }) => type);

  test('a refused chart goes out as a picture, the table stays, and the next chart is one at once', async () => {
    const { told, pictures } = picturesAtHand();
    const { sent, respond } = responseUrl((message) => /data_vis/.test(JSON.stringify(message)));
    await sendPrivately([withChart], to(respond), parts({ pictures }));
    await sendPrivately([withChart], to(respond), parts({ pictures }));
    expect(sent.map(typesOf)).toEqual([
      ['section', 'table', 'image'],
      ['section', 'table', 'image'],
    ]);
    expect(told).toEqual(['refused']);
  });

  test('where pictures and tables are refused too, the same stands there in words', async () => {
    const { told, pictures } = picturesAtHand();
    const { sent, respond } = responseUrl((message) =>
      /data_vis|image|"table"/.test(JSON.stringify(message)),
    );
    await sendPrivately([withChart], to(respond), parts({ pictures }));
    expect(sent.map(typesOf)).toEqual([['section', 'rich_text', 'section']]);
    expect(JSON.stringify(sent)).toContain('Finished (issues): W29 3, W30 4');
    expect(told).toEqual([]);
  });

  test('where no block is taken, the text still reaches the principal', async () => {
    const { pictures } = picturesAtHand();
    const { sent, respond } = responseUrl(({ blocks }) => blocks !== undefined);
    await sendPrivately([withChart], to(respond), parts({ pictures }));
    expect(sent).toEqual([{ response_type: 'ephemeral', replace_original: false, text: 'the figures' }]);
  });

  test('a refusal may say that nothing was found', async () => {
    const sent: Sent[] = [];
    const respond: RespondFn = async (message) => {
      const one = message as unknown as Sent;
      if (typesOf(one).includes('table')) throw new RespondError('invalid_blocks', 404);
      sent.push(one);
      return new Response('ok');
    };
    await sendPrivately([withTable], to(respond), parts());
    expect(sent.map(typesOf)).toEqual([['section', 'rich_text']]);
  });

  test('a private message is replaced with the same care', async () => {
    const { sent, respond } = responseUrl((message) => /data_vis|"table"/.test(JSON.stringify(message)));
    await sendPrivately([withChart], to(respond), parts(), true);
    expect(sent).toEqual([expect.objectContaining({ replace_original: true })]);
    expect(sent.map(typesOf)).toEqual([['section', 'rich_text', 'section']]);
  });
});
