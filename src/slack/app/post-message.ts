import { STATUS_CODES } from 'node:http';
import type { RespondFn } from '@slack/bolt';
import { RespondError } from '@slack/bolt/dist/errors.js';
import type { ChatPostMessageResponse, WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { request } from 'undici';
import { z } from 'zod';
import { checkBlocks } from '../blocks/check-blocks.ts';
import { canBeRefused, type Message, plainBlocks } from '../blocks/message.ts';
import { context, settledTexts } from '../blocks/mrkdwn.ts';
import type { Place } from './handler-types.ts';
import { isDirect } from './hours-here.ts';
import type { MessageParts } from './parts.ts';
import { withDrawnCharts, withPictures } from './pictures.ts';
import { isResponseRefusal, perhapsDone, ResponseRefused, refusalOf } from './slack-refusal.ts';

/** Slack's words for blocks it does not take, such as a table where tables are not there yet; nothing was posted then. */
const dislikes =
  /^(invalid_blocks|msg_blocks_too_long|msg_too_long|only_one_table_allowed|invalid_arguments)/;

/**
 * Posts a message by `post`, and where Slack refuses its chart or its table, in ever plainer forms. Whatever else goes
 * wrong is handed on at once, so that nothing is posted twice.
 */
export async function postMessage<T>(
  given: Message,
  post: (message: Message) => Promise<T>,
  { pictures = null, log }: Pick<MessageParts, 'pictures' | 'log'>,
): Promise<T> {
  const message = await withDrawnCharts(given, pictures);
  const isNative = pictures !== null && message.blocks.some(({ type }) => type === 'data_visualization');
  const isDrawn = isNative && (await pictures.refusals.get('')) !== undefined;
  const shown = isDrawn ? await withPictures(message, pictures) : message;
  const isPicture = isNative && !isDrawn;
  const forms = [
    async () => shown,
    ...(isPicture ? [() => withPictures(message, pictures)] : []),
    async () => ({ ...message, blocks: plainBlocks(shown.blocks) }),
    async () => ({ ...message, blocks: [] }),
  ];
  let refusal: unknown;
  for (const [at, make] of forms.entries()) {
    try {
      const posted = await post(withinLimits(await make(), log));
      if (at === 1 && isPicture) await pictures.refusals.set('', true);
      return posted;
    } catch (error) {
      const isDislike = isResponseRefusal(error) || dislikes.test(refusalOf(error) ?? '');
      if (!isDislike || !canBeRefused(shown)) throw error;
      log.warn({ err: error }, 'a message with a chart or a table was refused, posting it more plainly');
      refusal = error;
    }
  }
  throw refusal;
}

/**
 * Posts a message into a place; by its mark, which people do not see, it can be found again there. Links in it show no
 * previews.
 */
export function postMarked(
  message: Message,
  { channel, threadTs }: Place,
  mark: { readonly event_type: string; readonly event_payload: Readonly<Record<string, string>> } | null,
  { web, ...parts }: Pick<MessageParts, 'web' | 'pictures' | 'log'>,
): Promise<ChatPostMessageResponse> {
  const post = ({ text, blocks }: Message) =>
    web.chat.postMessage({
      channel,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
      ...(mark === null ? {} : { metadata: { ...mark, event_payload: { ...mark.event_payload } } }),
      unfurl_links: false,
      unfurl_media: false,
    });
  return postMessage(message, post, parts);
}

/** The message as Slack takes it; without its blocks where they break Slack's limits, for its text says the same. */
function withinLimits(given: Message, log: Logger): Message {
  const message = settledTexts(given);
  const problems = checkBlocks(message.blocks, 'message');
  if (problems.length === 0) return message;
  log.warn({ problems }, 'blocks break a limit of Slack, sending text');
  return { ...message, blocks: [] };
}

/** Makes a message another one, more plainly where Slack refuses a chart or a table. Fails as the last call does. */
export async function changeMessage(
  web: WebClient,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  message: Message,
  log: Logger,
): Promise<void> {
  // An empty list takes the blocks away that were there.
  const update = ({ text, blocks }: Message) => web.chat.update({ channel, ts, text, blocks: [...blocks] });
  await postMessage(message, update, { log });
}

/** A person who waits for an answer only they see: where they asked, and the response URL that leads there. */
export interface Listener {
  readonly account: string;
  readonly place: Place;
  readonly respond: Respond;
}

/** The number of times a response URL works; a try that failed may have used one up. */
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
  async function attempt(message: Message, pauses: readonly number[] = PAUSES_MS): Promise<void> {
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
      await attempt(message, later);
    }
  }
  let isWorking = true;
  for (const message of messages) {
    if (isWorking) {
      try {
        await postMessage(message, (shown) => attempt(shown), parts);
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
const TIMEOUT_MS = 5_000;

const refusing = z.object({ ok: z.literal(false), error: z.string().catch('unknown') });

/** In place of Bolt's own, which calls by `fetch`: that takes three times as much of the processor. */
export function respondAt(url: string): Respond {
  return async (message) => {
    const { statusCode, text } = await postJson(url, message);
    if (statusCode < 200 || statusCode >= 300) {
      const reason = `Failed to respond to the response_url: ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`;
      throw new RespondError(reason, statusCode);
    }
    if (text === 'ok') return;
    // Slack's usual answer is that word; it also says in the body of a success that it did nothing.
    const { data } = refusing.safeParse(jsonOf(text));
    if (data !== undefined) throw new ResponseRefused(data.error);
  };
}

/**
 * The response of a URL to posted JSON. The time-out is a timer that is cleared: `AbortSignal.timeout` makes an error
 * each time it is over.
 */
async function postJson(
  url: string,
  value: object,
): Promise<{ readonly statusCode: number; readonly text: string }> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new Error(`No answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Dwell' },
      body: JSON.stringify(value),
      signal: patience.signal,
    });
    return { statusCode, text: await body.text() };
  } finally {
    clearTimeout(timer);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The place of a private message that arrived: in the place meant, in the conversation with the app, nowhere, or `unknown`. */
export type NotifyOutcome = 'here' | 'directly' | 'unknown' | 'nowhere';

/**
 * Sends a person a message that only they see in a place and, where Slack refuses that, in their conversation with the
 * app; never where it may have arrived already. What did not arrive is logged.
 */
export async function notifyPerson(
  user: string,
  { channel, threadTs }: Place,
  message: Message,
  parts: MessageParts,
): Promise<NotifyOutcome> {
  const { web, log } = parts;
  const inThread = threadTs === null ? {} : { thread_ts: threadTs };
  try {
    await postMessage(
      message,
      ({ text, blocks }) => web.chat.postEphemeral({ channel, user, text, blocks: [...blocks], ...inThread }),
      parts,
    );
    return 'here';
  } catch (error) {
    if (perhapsDone(error)) {
      log.warn({ err: error, channel, user }, 'a private message may have arrived in a channel, or not');
      return 'unknown';
    }
    log.debug({ err: error, channel }, 'a private message was not taken in a channel, sending it directly');
    const where = isDirect(channel) ? 'About your request:' : `About your request in <#${channel}>:`;
    const direct = { text: `${where} ${message.text}`, blocks: [context(where), ...message.blocks] };
    const outcome = await sendDirectMessage(user, direct, parts);
    return outcome === 'posted' ? 'directly' : outcome === 'unknown' ? 'unknown' : 'nowhere';
  }
}

/**
 * Sends a message into a person's conversation with the app, at most once; `unknown` where Slack gave no answer and may
 * have taken it all the same. What did not arrive is logged.
 */
export async function sendDirectMessage(
  account: string,
  message: Message,
  parts: MessageParts,
): Promise<'posted' | 'refused' | 'unknown'> {
  try {
    await postMarked(message, { channel: account, threadTs: null }, null, parts);
    return 'posted';
  } catch (error) {
    const outcome = perhapsDone(error) ? 'unknown' : 'refused';
    parts.log.warn({ err: error, account, outcome }, 'a direct message did not arrive');
    return outcome;
  }
}

/** Sends a person a private message by every way there is: twice does less harm than not at all. */
export async function notifyCertainly(
  account: string,
  place: Place,
  message: Message,
  parts: MessageParts,
): Promise<void> {
  if ((await notifyPerson(account, place, message, parts)) === 'unknown') {
    await sendDirectMessage(account, message, parts);
  }
}

/** Returns whether a channel is named by an account, which means its conversation with the app. */
export function isAccount(channel: string): boolean {
  return /^[UW]/.test(channel);
}

/** An account names its conversation with the app when posting, but not when messages are read or files shared. */
export async function channelIdOf(channel: string, web: WebClient): Promise<string> {
  if (!isAccount(channel)) return channel;
  const { channel: opened } = await web.conversations.open({ users: channel });
  return opened?.id ?? channel;
}
