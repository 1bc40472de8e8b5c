import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import { principalIn } from '../model/principal.ts';
import type { Click, ClickedView, SlackAction } from './action.ts';
import { chosenValue } from './chosen-value.ts';
import { wordView } from './messages/word-view.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { readInputs } from './read-inputs.ts';
import { respondAt } from './response-line.ts';
import { type Listener, replacePrivately, sendPrivately } from './send-privately.ts';
import { settledTexts } from './settled-texts.ts';
import { tellDirectly } from './tell-directly.ts';
import { tellFailure } from './tell-failure.ts';
import { updateView } from './update-view.ts';

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
      const failure = tellFailure(isNotShown ? error.cause : error, { action: action.id }, log);
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
    for (const message of told) await tellDirectly(account, message, parts);
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
