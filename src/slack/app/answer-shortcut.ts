import type {
  AllMiddlewareArgs,
  GlobalShortcut,
  MessageShortcut,
  SlackShortcutMiddlewareArgs,
} from '@slack/bolt';
import type { Logger } from 'pino';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { principalIn } from '../../model/principal.ts';
import { sendDirectMessage } from './direct-message.ts';
import type { Picked, SlackShortcut } from './handler-types.ts';
import { withZoneNote } from './hours-here.ts';
import { settledTexts } from './message-texts.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { respondAt } from './response-line.ts';
import { sendPrivately } from './send-privately.ts';
import { failureMessage } from './show-failure.ts';

type Args = SlackShortcutMiddlewareArgs<GlobalShortcut | MessageShortcut> & AllMiddlewareArgs;

/** Answers one shortcut: acknowledged before anything else. */
export function answerShortcut<Parts extends MessageParts & Pick<SlackParts, 'channels' | 'people'>>(
  shortcut: SlackShortcut<Parts>,
  parts: Parts,
  log: Logger,
) {
  return async ({ ack, shortcut: body, client }: Args): Promise<void> => {
    await ack();
    await yieldToOthers();
    const picked: Picked = {
      principal: principalIn(parts.people.tenant, body.user.id),
      userName: 'name' in body.user ? body.user.name : body.user.username,
      message: messageOf(body),
      async open(view) {
        await client.views.open({ trigger_id: body.trigger_id, view: settledTexts(view) });
      },
    };
    const account = body.user.id;
    const place = picked.message?.place ?? { channel: account };
    const messages = await withZoneNote(place, account, parts, () => shortcut.run(picked, parts)).catch(
      (error: unknown) => [failureMessage(error, { shortcut: shortcut.id }, log)],
    );
    if (picked.message !== null && 'response_url' in body && body.response_url !== undefined) {
      const respond = respondAt(body.response_url);
      return sendPrivately(messages, { account, place: picked.message.place, respond }, parts);
    }
    for (const message of messages) await sendDirectMessage(account, message, parts);
  };
}

function messageOf(body: GlobalShortcut | MessageShortcut): Picked['message'] {
  if (body.type !== 'message_action') return null;
  const { channel, message, message_ts: ts } = body;
  const threadTs = message.thread_ts;
  return {
    text: messageTexts(message),
    ts,
    place: { channel: channel.id, threadTs: typeof threadTs === 'string' ? threadTs : null },
  };
}

/** Members of blocks and attachments that people read or follow. */
const shown = ['text', 'title', 'title_link', 'fallback', 'url'];

/**
 * Everything a message says (mrkdwn), a line each: its text, and that of its blocks and attachments, where apps put what
 * they tell.
 */
export function messageTexts(message: Readonly<Record<string, unknown>>): string {
  const { text, blocks, attachments } = message;
  const texts = [typeof text === 'string' ? text : '', ...textsIn(blocks), ...textsIn(attachments)];
  return [...new Set(texts)].join('\n').trim();
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'string') return shown.includes(name) ? [member] : [];
    return textsIn(member);
  });
}
