import type {
  AllMiddlewareArgs,
  BlockAction,
  BlockElementAction,
  GlobalShortcut,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
} from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { createNamespace } from '../../cache/namespace.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { principalIn } from '../../model/request.ts';
import type { Message } from '../blocks/message.ts';
import { messageTexts, settledTexts } from '../blocks/mrkdwn.ts';
import { readInputs } from './form-inputs.ts';
import type { Click, ClickedView, Picked, SlackAction, SlackShortcut } from './handler-types.ts';
import { withZoneNote } from './hours-here.ts';
import { MORE, notice } from './message-texts.ts';
import { updateView, wordView } from './open-view.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { type Listener, respondAt, sendDirectMessage, sendPrivately } from './post-message.ts';
import { failureMessage } from './show-failure.ts';

/** A modal that was clicked in does not show what it was to show; `cause` is why. */
class NotShown extends Error {
  constructor(cause: unknown) {
    super('A modal was not changed', { cause });
  }
}

/** On Home, the same once more within this time is a double click. */
const TWICE_MS = 10_000;

/** Nothing on Home shows that an answer has come to another tab. */
const answered = wordView('Answered', notice('The answer is in *Messages*.'));

/** Answers one click. */
export function answerAction<Parts extends MessageParts & Pick<SlackParts, 'people' | 'now' | 'stored'>>(
  action: SlackAction<Parts>,
  parts: Parts,
) {
  const onHome = createNamespace<true>({
    name: `home-${action.id}`,
    ttlMs: TWICE_MS,
    maxEntries: null,
    now: parts.now,
    backing: parts.stored,
  });
  return async ({
    ack,
    body,
    payload,
    client,
  }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs): Promise<void> => {
    await ack();
    await yieldToOthers();
    const account = body.user.id;
    const threadTs = body.container.thread_ts ?? body.message?.thread_ts;
    const inThread = threadTs === undefined ? {} : { thread_ts: String(threadTs) };
    const messageTs = String(body.container.message_ts ?? body.message?.ts ?? '');
    const view = clickedView(body, client, parts);
    const respond = respondAt(body.response_url);
    const place = {
      channel: body.channel?.id ?? String(body.container.channel_id ?? account),
      threadTs: inThread.thread_ts ?? null,
    };
    const listener: Listener = { account, place, respond: (word) => respond({ ...word, ...inThread }) };
    const isPrivate = view === null && body.container.is_ephemeral === true;
    const click: Click = {
      principal: principalIn(parts.people.tenant, account),
      userName: body.user.username ?? body.user.name ?? account,
      value: chosenValue(payload),
      place,
      messageTs,
      view,
      replace: isPrivate ? (message) => sendPrivately([message], listener, parts, true) : null,
      async open(shown) {
        const call = { trigger_id: body.trigger_id, view: settledTexts(shown) };
        await (view?.kind === 'modal' ? client.views.push(call) : client.views.open(call));
      },
    };
    const messages = await action.run(click, parts).catch(async (error: unknown) => {
      const isNotShown = error instanceof NotShown;
      const failure = failureMessage(isNotShown ? error.cause : error, { action: action.id }, parts.log);
      // The choice stays in the modal below.
      const shown = isNotShown ? click.open(wordView("That didn't work", failure)) : Promise.reject(error);
      return shown.then(
        () => [],
        () => [failure],
      );
    });
    const isOnHome = view?.kind === 'home' && messages.length > 0;
    const isAgain = isOnHome && !(await onHome.add(`${account} ${click.value}`, true));
    if (!isAgain) await send(messages, view === null ? listener : account, parts);
    if (isOnHome) await click.open(answered).catch(() => {});
  };
}

/** To the place that waits, else into the person's conversation with the app. */
async function send(messages: readonly Message[], to: Listener | string, parts: MessageParts): Promise<void> {
  if (typeof to !== 'string') return sendPrivately(messages, to, parts);
  for (const message of messages) await sendDirectMessage(to, message, parts);
}

function clickedView(
  { view }: BlockAction,
  client: WebClient,
  { wait }: Pick<SlackParts, 'wait'>,
): ClickedView | null {
  if (view === undefined) return null;
  return {
    kind: view.type === 'home' ? 'home' : 'modal',
    metadata: view.private_metadata,
    ...readInputs(view.state?.values ?? {}),
    async replace(shown) {
      try {
        await updateView(() => client.views.update({ view_id: view.id, view: settledTexts(shown) }), wait);
      } catch (error) {
        throw new NotShown(error);
      }
    },
  };
}

/** The `id` of the action that was clicked; what follows a colon sets buttons of one block apart. */
export function actionOf(payload: BlockElementAction): string {
  const id = payload.action_id === MORE ? (optionIn(payload).split(' ')[0] ?? '') : payload.action_id;
  return id.split(':')[0] ?? '';
}

function optionIn(payload: BlockElementAction): string {
  return 'selected_option' in payload ? (payload.selected_option?.value ?? '') : '';
}

/** The value of a button, or of the option that was chosen in a menu; empty where there is none. */
function chosenValue(payload: BlockElementAction): string {
  if (payload.action_id === MORE) return optionIn(payload).split(' ').slice(1).join(' ');
  return 'value' in payload ? (payload.value ?? '') : optionIn(payload);
}

/** Answers one shortcut. */
export function answerShortcut<Parts extends MessageParts & Pick<SlackParts, 'channels' | 'people'>>(
  shortcut: SlackShortcut<Parts>,
  parts: Parts,
) {
  return async ({
    ack,
    shortcut: body,
    client,
  }: SlackShortcutMiddlewareArgs<GlobalShortcut | MessageShortcut> & AllMiddlewareArgs): Promise<void> => {
    await ack();
    await yieldToOthers();
    const account = body.user.id;
    const picked: Picked = {
      principal: principalIn(parts.people.tenant, account),
      userName: 'name' in body.user ? body.user.name : body.user.username,
      message: messageOf(body),
      async open(view) {
        await client.views.open({ trigger_id: body.trigger_id, view: settledTexts(view) });
      },
    };
    const place = picked.message?.place ?? { channel: account, threadTs: null };
    const messages = await withZoneNote(place, account, parts, () => shortcut.run(picked, parts)).catch(
      (error: unknown) => [failureMessage(error, { shortcut: shortcut.id }, parts.log)],
    );
    const url = 'response_url' in body ? body.response_url : undefined;
    await send(messages, url === undefined ? account : { account, place, respond: respondAt(url) }, parts);
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
