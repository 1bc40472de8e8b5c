import { STATUS_CODES } from 'node:http';
import { RespondError, type RespondFn } from '@slack/bolt';
import { request } from 'undici';
import { z } from 'zod';
import type { Message } from '../../block-kit/message.ts';
import { notifyCertainly } from './direct-message.ts';
import type { Place } from './handler-types.ts';
import type { MessageParts } from './parts.ts';
import { postMessage } from './post-message.ts';
import { isResponseRefusal, ResponseRefused } from './slack-refusal.ts';

/** A person who waits for an answer only they see: where they asked, and the response URL that leads there. */
export interface Listener {
  readonly account: string;
  readonly place: Place;
  readonly respond: Respond;
}

/** How often a response URL works; a try that failed may have cost one. */
const USES = 5;

/** After how long it is tried again where Slack, or the way to it, failed. */
const PAUSES_MS = [200, 1_000];

/**
 * Sends messages only one person sees, in order, in ever plainer forms where Slack refuses a chart or a table. What the
 * response URL does not take goes by the Web API: twice does less harm than not at all. It never fails. One that `replaces` the message that was clicked
 * comes as one more where Slack does not take that.
 */
export async function sendPrivately(
  messages: readonly Message[],
  { account, place, respond }: Listener,
  parts: MessageParts,
  replaces = false,
): Promise<void> {
  const { wait, log } = parts;
  let left = USES;
  async function say(message: Message, pauses: readonly number[] = PAUSES_MS): Promise<void> {
    if (left <= 0) throw new Error('The response URL is used up');
    left -= 1;
    try {
      await respond({
        response_type: 'ephemeral',
        replace_original: replaces,
        text: message.text,
        ...(message.blocks.length > 0 ? { blocks: [...message.blocks] } : {}),
      });
    } catch (error) {
      const [pause, ...later] = pauses;
      if (isResponseRefusal(error) || pause === undefined) throw error;
      log.warn({ err: error }, 'a response URL failed, trying it again');
      await wait(pause);
      await say(message, later);
    }
  }
  let isWorking = true;
  for (const message of messages) {
    if (isWorking) {
      try {
        await postMessage(message, (shown) => say(shown), parts);
        continue;
      } catch (error) {
        log.warn({ err: error, account }, 'a response URL did not take a message, sending it by the Web API');
        isWorking = false;
      }
    }
    await notifyCertainly(account, place, message, parts);
  }
}

/** Sends something to a response URL. Fails where Slack answers with anything but success. */
type Respond = (message: Exclude<Parameters<RespondFn>[0], string>) => Promise<unknown>;

/** Else it would be waited for as long as the connection is open. */
const PATIENCE_MS = 5_000;

const refusing = z.object({ ok: z.literal(false), error: z.string().catch('unknown') });

/** In place of Bolt's own, which calls by `fetch`: that takes three times as much of the processor. */
export function respondAt(url: string): Respond {
  return async (message) => {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Dwell' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await body.text();
    if (statusCode < 200 || statusCode >= 300) {
      const reason = `Failed to respond to the response_url: ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`;
      throw new RespondError(reason, statusCode);
    }
    // Slack's usual answer is the word ok; it also says in the body of a success that it did nothing.
    const { data } = refusing.safeParse(jsonOf(text));
    if (data !== undefined) throw new ResponseRefused(data.error);
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
