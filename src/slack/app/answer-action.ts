import type {
  AllMiddlewareArgs,
  BlockAction,
  BlockElementAction,
  SlackActionMiddlewareArgs,
} from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { principalIn } from '../../model/principal.ts';
import { sendDirectMessage } from './direct-message.ts';
import { readInputs } from './form-inputs.ts';
import type { Click, ClickedView, SlackAction } from './handler-types.ts';
import { settledTexts } from './message-texts.ts';
import { updateView, wordView } from './open-view.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { respondAt } from './response-line.ts';
import { type Listener, replacePrivately, sendPrivately } from './send-privately.ts';
import { failureMessage } from './show-failure.ts';

/** A modal that was clicked in does not show what it was to show; `cause` is why. */
class NotShown extends Error {
  constructor(cause: unknown) {
    super('A modal was not changed', { cause });
  }
}

/** Answers one click: acknowledged before anything else. */
export function answerAction<Parts extends MessageParts & Pick<SlackParts, 'people'>>(
  action: SlackAction<Parts>,
  parts: Parts,
  log: Logger,
) {
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
    const listener: Listener = { account, place, respond: (said) => respond({ ...said, ...inThread }) };
    const isPrivate = view === null && body.container.is_ephemeral === true;
    const click: Click = {
      principal: principalIn(parts.people.tenant, account),
      userName: body.user.username ?? body.user.name ?? account,
      value: chosenValue(payload),
      place,
      messageTs,
      // Both are instants of Slack's own clock, in seconds.
      messageAgeMs: messageTs === '' ? 0 : 1000 * (Number(payload.action_ts) - Number(messageTs)),
      view,
      replace: isPrivate ? (message) => replacePrivately(message, listener, parts) : null,
      async open(shown) {
        const call = { trigger_id: body.trigger_id, view: settledTexts(shown) };
        await (view?.kind === 'modal' ? client.views.push(call) : client.views.open(call));
      },
    };
    const told = await action.run(click, parts).catch(async (error: unknown) => {
      const isNotShown = error instanceof NotShown;
      const failure = failureMessage(isNotShown ? error.cause : error, { action: action.id }, log);
      // What was chosen stays in the modal below.
      const isTold =
        isNotShown &&
        (await click.open(wordView('That did not work', failure)).then(
          () => true,
          () => false,
        ));
      return isTold ? [] : [failure];
    });
    if (view === null) return sendPrivately(told, listener, parts);
    for (const message of told) await sendDirectMessage(account, message, parts);
  };
}

function clickedView(
  { view }: BlockAction,
  client: WebClient,
  { wait }: Pick<SlackParts, 'wait'>,
): ClickedView | null {
  if (view === undefined) return null;
  return {
    kind: view.type === 'home' ? 'home' : 'modal',
    id: view.id,
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

/** The `action_id` of a menu whose options each name an action, then a blank and its value. */
export const MORE = 'more';

/** The `id` of the action that something clicked means; what follows a colon tells buttons of one block apart. */
export function actionOf(payload: BlockElementAction): string {
  const id = payload.action_id === MORE ? (optionIn(payload).split(' ')[0] ?? '') : payload.action_id;
  return id.split(':')[0] ?? '';
}

function optionIn(payload: BlockElementAction): string {
  return 'selected_option' in payload ? (payload.selected_option?.value ?? '') : '';
}

/** What a button carries, or what was chosen in a menu; empty where nothing was. */
export function chosenValue(payload: BlockElementAction): string {
  if (payload.action_id === MORE) return optionIn(payload).split(' ').slice(1).join(' ');
  if ('selected_option' in payload) return optionIn(payload);
  if ('selected_user' in payload) return payload.selected_user ?? '';
  if ('selected_conversation' in payload) return payload.selected_conversation ?? '';
  if ('selected_channel' in payload) return payload.selected_channel ?? '';
  if ('selected_date' in payload) return payload.selected_date ?? '';
  return 'value' in payload ? (payload.value ?? '') : '';
}
