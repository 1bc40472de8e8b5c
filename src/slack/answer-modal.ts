import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import type { Logger } from 'pino';
import type { DoorParts } from './command.ts';
import type { Message } from './message.ts';
import { notice } from './messages/notice.ts';
import { wordView } from './messages/word-view.ts';
import type { SlackModal, Submission } from './modal.ts';
import { tellFailure } from './tell-failure.ts';
import { tellPerson } from './tell-person.ts';

/**
 * Answers one submitted modal: acknowledged before anything else with a word, which the answer then replaces. Who has
 * closed the modal by then is told where they opened it.
 */
export function answerModal(modal: SlackModal, parts: DoorParts, log: Logger) {
  return async ({
    ack,
    body,
    view,
    client,
  }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs): Promise<void> => {
    await ack({ response_action: 'update', view: wordView(modal.title, notice(modal.meanwhile)) });
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
    const { title, message } = await answer(modal, submission, parts, log);
    try {
      await client.views.update({ view_id: view.id, view: wordView(title, message) });
    } catch (error) {
      log.debug({ err: error, modal: modal.id }, 'a modal is gone, telling its answer elsewhere');
      await tellPerson(body.user.id, modal.placeOf(submission), message, { web: client, log });
    }
  };
}

async function answer(
  modal: SlackModal,
  submission: Submission,
  parts: DoorParts,
  log: Logger,
): Promise<{ readonly title: string; readonly message: Message }> {
  try {
    return { title: modal.title, message: await modal.answer(submission, parts) };
  } catch (error) {
    return { title: 'That did not work', message: tellFailure(error, { modal: modal.id }, log) };
  }
}
