import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { principalIn } from '../../model/principal.ts';
import { notifyCertainly } from './direct-message.ts';
import { readInputs } from './form-inputs.ts';
import type { SlackModal, Submission } from './handler-types.ts';
import { notice, settledTexts } from './message-texts.ts';
import { updateView, wordView } from './open-view.ts';
import type { MessageParts, SlackParts } from './parts.ts';
import { failureMessage } from './show-failure.ts';

/** Slack repeats a submission within minutes; more than so many will not come between. */
const ANSWERS_KEPT = 500;

/** What a modal shows that Slack lets not show its answer. */
const ELSEWHERE = 'I could not show the answer here, so it comes as a message.';

interface Answered {
  readonly view: ModalView;
  readonly message: Message;
  readonly later: Promise<Message> | null;
}

/**
 * Answers one submitted modal: acknowledged before anything else with a word, which the answer then replaces. Who has
 * closed the modal by then is told where they opened it. An answer of which more is known later is shown at once, and
 * then replaced in its turn. A submission that Slack sends again, because our word for it was lost, is answered with the
 * answer of the first and does nothing.
 */
export function answerModal<Parts extends MessageParts & Pick<SlackParts, 'now' | 'people'>>(
  modal: SlackModal<Parts>,
  parts: Parts,
  log: Logger,
) {
  const answers = createNamespace<Answered>({
    ...{ name: `slack-modal-${modal.id}`, ttlMs: null, most: ANSWERS_KEPT, now: parts.now },
  });
  return async ({
    ack,
    body,
    view,
    client,
  }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs): Promise<void> => {
    const submission: Submission = {
      principal: principalIn(parts.people.tenant, body.user.id),
      userName: body.user.name,
      metadata: view.private_metadata,
      ...readInputs(view.state.values),
    };
    const wrong = modal.wrongAtOnce?.(submission, parts.now()) ?? {};
    if (Object.keys(wrong).length > 0) {
      await ack({ response_action: 'errors', errors: { ...wrong } });
      return;
    }
    await ack({ response_action: 'update', view: wordView(modal.title, notice(modal.meanwhile)) });
    // A modal that is shown again keeps its id and gets another hash.
    const answered = await answers.getOrMake(`${view.id} ${view.hash}`, () =>
      answer(modal, submission, parts, log),
    );
    const show = async (shown: ModalView) => {
      const update = (one: ModalView) =>
        updateView(() => client.views.update({ view_id: view.id, view: settledTexts(one) }), parts.wait);
      try {
        return (await update(shown)) === 'shown';
      } catch (error) {
        log.warn({ err: error, modal: modal.id }, 'a modal does not show its answer, telling it elsewhere');
        await update(wordView(modal.title, notice(ELSEWHERE))).catch(() => null);
        return false;
      }
    };
    let isOpen = await show(answered.view);
    const last = await answered.later;
    if (isOpen && last !== null) isOpen = await show(wordView(modal.title, last));
    if (isOpen) return;
    const told = last ?? answered.message;
    await notifyCertainly(body.user.id, modal.placeOf(submission), told, parts);
  };
}

async function answer<Parts>(
  modal: SlackModal<Parts>,
  submission: Submission,
  parts: Parts,
  log: Logger,
): Promise<Answered> {
  try {
    const { again, later, ...message } = await modal.answer(submission, parts);
    // Whatever becomes of the rest, what was answered stays true.
    const known = later?.catch((error: unknown): Message => {
      const failure = failureMessage(error, { modal: modal.id }, log);
      return { text: `${message.text}\n${failure.text}`, blocks: [...message.blocks, ...failure.blocks] };
    });
    return { message, view: again ?? wordView(modal.title, message), later: known ?? null };
  } catch (error) {
    const message = failureMessage(error, { modal: modal.id }, log);
    return { message, view: wordView('That did not work', message), later: null };
  }
}
