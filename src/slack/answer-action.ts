import type { AllMiddlewareArgs, BlockButtonAction, RespondFn, SlackActionMiddlewareArgs } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Click, SlackAction } from './action.ts';
import type { DoorParts } from './command.ts';
import { sendPrivately } from './send-privately.ts';
import { tellFailure } from './tell-failure.ts';

/** Answers one click: acknowledged before anything else. */
export function answerAction(action: SlackAction, parts: DoorParts, log: Logger) {
  return async ({
    ack,
    body,
    payload,
    client,
    respond,
  }: SlackActionMiddlewareArgs<BlockButtonAction> & AllMiddlewareArgs): Promise<void> => {
    await ack();
    const threadTs = body.container.thread_ts ?? body.message?.thread_ts;
    const inThread = threadTs === undefined ? {} : { thread_ts: String(threadTs) };
    const messageTs = String(body.container.message_ts ?? '');
    const click: Click = {
      asker: { user: body.user.id, admin: false },
      userName: body.user.username,
      value: payload.value ?? '',
      place: {
        channel: body.channel?.id ?? String(body.container.channel_id ?? ''),
        threadTs: inThread.thread_ts ?? null,
      },
      messageTs,
      // Both are instants of Slack's own clock, in seconds.
      messageAgeMs: 1000 * (Number(payload.action_ts) - Number(messageTs)),
      async open(view) {
        await client.views.open({ trigger_id: body.trigger_id, view });
      },
    };
    const respondHere: RespondFn = (message) =>
      respond({ ...(typeof message === 'string' ? { text: message } : message), ...inThread });
    try {
      await sendPrivately(await action.run(click, parts), respondHere, log);
    } catch (error) {
      await sendPrivately([tellFailure(error, { action: action.id }, log)], respondHere, log);
    }
  };
}
