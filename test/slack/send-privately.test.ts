import { expect, test } from '@jest/globals';
import { RespondError, type RespondFn } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { pino } from 'pino';
import type { Message } from '../../src/slack/message.ts';
import { section } from '../../src/slack/messages/mrkdwn.ts';
import { sendPrivately } from '../../src/slack/send-privately.ts';

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
