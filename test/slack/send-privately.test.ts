import { expect, test } from '@jest/globals';
import { RespondError, type RespondFn } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { pino } from 'pino';
import { nativeChart } from '../../src/charts/native-chart.ts';
import type { Message } from '../../src/slack/message.ts';
import { section } from '../../src/slack/messages/mrkdwn.ts';
import type { Pictures } from '../../src/slack/pictures/pictures.ts';
import { replacePrivately, sendPrivately } from '../../src/slack/send-privately.ts';

const silent = pino({ level: 'silent' });
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

test('a message goes out privately, blocks and text', async () => {
  const { sent, respond } = responseUrl(() => false);
  await sendPrivately([withTable], respond, silent);
  expect(sent).toEqual([
    { response_type: 'ephemeral', replace_original: false, text: 'the figures', blocks: withTable.blocks },
  ]);
});

test('a refused table goes out once more as preformatted text with its columns in line', async () => {
  const { sent, respond } = responseUrl(({ blocks = [] }) => blocks.some((block) => block.type === 'table'));
  await sendPrivately([withTable], respond, silent);
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

test('four refused tables and a remark still reach the asker within five uses', async () => {
  const { sent, respond } = responseUrl(({ blocks = [] }) => blocks.some((block) => block.type === 'table'));
  const remark: Message = { text: 'and a remark', blocks: [section('and a remark')] };
  await sendPrivately([withTable, withTable, withTable, withTable, remark], respond, silent);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.blocks?.map((block) => block.type)).toEqual([
    ...['section', 'rich_text', 'section', 'rich_text', 'section', 'rich_text', 'section', 'rich_text'],
    'section',
  ]);
  expect(sent[0]?.text).toBe('the figures\n\nthe figures\n\nthe figures\n\nthe figures\n\nand a remark');
});

test('a failure of Slack itself is not taken for a refusal', async () => {
  const sent: unknown[] = [];
  const respond: RespondFn = async (message) => {
    sent.push(message);
    throw new RespondError('down', 503);
  };
  await expect(sendPrivately([withTable], respond, silent)).rejects.toThrow('down');
  expect(sent).toHaveLength(1);
});

test('a message that is refused without a table is a failure', async () => {
  const { respond } = responseUrl(() => true);
  await expect(sendPrivately([{ text: 'plain', blocks: [] }], respond, silent)).rejects.toThrow(
    'invalid_blocks',
  );
});

test('a message that breaks a limit of Slack goes out as text', async () => {
  const { sent, respond } = responseUrl(() => false);
  const blocks = Array.from({ length: 51 }, () => section('one too many'));
  await sendPrivately([{ text: 'the same in words', blocks }], respond, silent);
  expect(sent).toEqual([{ response_type: 'ephemeral', replace_original: false, text: 'the same in words' }]);
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
    drawnBySlack: () => told.length === 0,
    refusedBySlack: () => void told.push('refused'),
    draw: async () => ({ type: 'image', slack_file: { id: 'F0CHART' }, alt_text: 'Finished' }),
  };
  return { told, pictures };
}

const typesOf = ({ blocks = [] }: Sent) => blocks.map(({ type }) => type);

test('a refused chart goes out as a picture, the table stays, and the next chart is one at once', async () => {
  const { told, pictures } = picturesAtHand();
  const { sent, respond } = responseUrl((message) => /data_vis/.test(JSON.stringify(message)));
  await sendPrivately([withChart], respond, silent, pictures);
  await sendPrivately([withChart], respond, silent, pictures);
  expect(sent.map(typesOf)).toEqual([
    ['section', 'table', 'image'],
    ['section', 'table', 'image'],
  ]);
  expect(told).toEqual(['refused']);
});

test('where pictures and tables are refused too, the same stands there in words', async () => {
  const { told, pictures } = picturesAtHand();
  const { sent, respond } = responseUrl((message) => /data_vis|image|"table"/.test(JSON.stringify(message)));
  await sendPrivately([withChart], respond, silent, pictures);
  expect(sent.map(typesOf)).toEqual([['section', 'rich_text', 'section']]);
  expect(JSON.stringify(sent)).toContain('Finished (issues): W29 3, W30 4');
  expect(told).toEqual([]);
});

test('where no block is taken, the text still reaches the asker', async () => {
  const { pictures } = picturesAtHand();
  const { sent, respond } = responseUrl(({ blocks }) => blocks !== undefined);
  await sendPrivately([withChart], respond, silent, pictures);
  expect(sent).toEqual([{ response_type: 'ephemeral', replace_original: false, text: 'the figures' }]);
});

test('the last uses of a response URL are kept for the plainest forms', async () => {
  const { pictures } = picturesAtHand();
  const { sent, respond } = responseUrl((message) => /data_vis|image/.test(JSON.stringify(message)));
  const remark: Message = { text: 'a remark', blocks: [section('a remark')] };
  await sendPrivately([remark, remark, withChart], respond, silent, pictures);
  expect(sent.map(typesOf)).toEqual([['section'], ['section'], ['section', 'rich_text', 'section']]);
});

test('a refusal may say that nothing was found', async () => {
  const sent: Sent[] = [];
  const respond: RespondFn = async (message) => {
    const one = message as unknown as Sent;
    if (typesOf(one).includes('table')) throw new RespondError('invalid_blocks', 404);
    sent.push(one);
    return new Response('ok');
  };
  await sendPrivately([withTable], respond, silent);
  expect(sent.map(typesOf)).toEqual([['section', 'rich_text']]);
});

test('a private message is replaced with the same care', async () => {
  const { sent, respond } = responseUrl((message) => /data_vis|"table"/.test(JSON.stringify(message)));
  await replacePrivately(withChart, respond, silent);
  expect(sent).toEqual([expect.objectContaining({ replace_original: true })]);
  expect(sent.map(typesOf)).toEqual([['section', 'rich_text', 'section']]);
});
