import type { AllMiddlewareArgs, BlockAction, RespondFn, SlackActionMiddlewareArgs } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { nextTurn } from '../api/next-turn.ts';
import type { Click, ClickedView, SlackAction } from './action.ts';
import { chosenValue } from './chosen-value.ts';
import type { DoorParts } from './command.ts';
import { refusalOf, tryAgain } from './exports/refusal.ts';
import { readInputs } from './read-inputs.ts';
import { type Listener, replacePrivately, sendPrivately } from './send-privately.ts';
import { settledTexts } from './settled-texts.ts';
import { tellDirectly } from './tell-directly.ts';
import { tellFailure } from './tell-failure.ts';

/** Answers one click: acknowledged before anything else. */
export function answerAction(action: SlackAction, parts: DoorParts, log: Logger) {
  return async ({
    ack,
    body,
    payload,
    client,
    respond,
  }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs): Promise<void> => {
    await ack();
    await nextTurn();
    const account = body.user.id;
    const threadTs = body.container.thread_ts ?? body.message?.thread_ts;
    const inThread = threadTs === undefined ? {} : { thread_ts: String(threadTs) };
    const messageTs = String(body.container.message_ts ?? body.message?.ts ?? '');
    const view = clickedView(body, client);
    const respondHere: RespondFn = (message) =>
      respond({ ...(typeof message === 'string' ? { text: message } : message), ...inThread });
    const place = {
      channel: body.channel?.id ?? String(body.container.channel_id ?? account),
      threadTs: inThread.thread_ts ?? null,
    };
    const listener: Listener = { account, place, respond: respondHere };
    const isPrivate = view === null && body.container.is_ephemeral === true;
    const click: Click = {
      asker: { user: account, admin: false },
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
    const told = await action
      .run(click, parts)
      .catch((error: unknown) => [tellFailure(error, { action: action.id }, log)]);
    if (view === null) return sendPrivately(told, listener, parts);
    for (const message of told) await tellDirectly(account, message, parts);
  };
}

function clickedView({ view }: BlockAction, client: WebClient): ClickedView | null {
  if (view === undefined) return null;
  return {
    kind: view.type === 'home' ? 'home' : 'modal',
    id: view.id,
    metadata: view.private_metadata,
    ...readInputs(view.state?.values ?? {}),
    async replace(shown) {
      try {
        await client.views.update({ view_id: view.id, view: settledTexts(shown) });
      } catch (error) {
        if (refusalOf(error) !== 'not_found') throw tryAgain(error);
      }
    },
  };
}
