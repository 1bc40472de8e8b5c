import { randomUUID } from 'node:crypto';
import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { DoorParts } from './command.ts';
import { errorMessage } from './messages/error.ts';
import { wordView } from './messages/word-view.ts';
import type { SlackModal, Submission } from './modal.ts';

/** Answers one submitted modal: acknowledged before anything else with a word, which the answer then replaces. */
export function answerModal(modal: SlackModal, parts: DoorParts, log: Logger) {
  return async ({
    ack,
    body,
    view,
    client,
  }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs): Promise<void> => {
    await ack({ response_action: 'update', view: modal.meanwhile });
    const submission: Submission = {
      asker: { user: body.user.id, admin: false },
      userName: body.user.name,
      metadata: view.private_metadata,
      chosen: Object.fromEntries(
        Object.values(view.state.values)
          .flatMap((block) => Object.entries(block))
          .flatMap(([id, { selected_option: option }]) => (option ? [[id, option.value]] : [])),
      ),
    };
    await client.views.update({ view_id: view.id, view: await answer(modal, submission, parts, log) });
  };
}

async function answer(
  modal: SlackModal,
  submission: Submission,
  parts: DoorParts,
  log: Logger,
): Promise<ModalView> {
  try {
    return await modal.answer(submission, parts);
  } catch (error) {
    const reference = randomUUID();
    if (!(error instanceof AppError)) log.error({ err: error, reference, modal: modal.id }, 'modal failed');
    return wordView('That did not work', errorMessage(error, reference).text);
  }
}
