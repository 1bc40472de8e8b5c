import { randomUUID } from 'node:crypto';
import type { AllMiddlewareArgs, BlockButtonAction, RespondFn, SlackActionMiddlewareArgs } from '@slack/bolt';
import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { Click, SlackAction } from './action.ts';
import type { DoorParts } from './command.ts';
import { errorMessage } from './messages/error.ts';
import { sendPrivately } from './send-privately.ts';

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
    const click: Click = {
      asker: { user: body.user.id, admin: false },
      userName: body.user.username,
      value: payload.value ?? '',
      place: {
        channel: body.channel?.id ?? String(body.container.channel_id ?? ''),
        threadTs: inThread.thread_ts ?? null,
      },
      messageTs: String(body.container.message_ts ?? ''),
      async open(view) {
        await client.views.open({ trigger_id: body.trigger_id, view });
      },
    };
    const respondHere: RespondFn = (message) =>
      respond({ ...(typeof message === 'string' ? { text: message } : message), ...inThread });
    try {
      await sendPrivately(await action.run(click, parts), respondHere, log);
    } catch (error) {
      const reference = randomUUID();
      if (!(error instanceof AppError))
        log.error({ err: error, reference, action: action.id }, 'action failed');
      await sendPrivately([errorMessage(error, reference)], respondHere, log);
    }
  };
}
