import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Message } from '../blocks/message.ts';
import { settledTexts } from '../blocks/mrkdwn.ts';
import type { Click } from './handler-types.ts';
import { isDirect } from './hours-here.ts';
import { notice } from './message-texts.ts';
import type { SlackParts, ViewParts } from './parts.ts';
import { changeMessage } from './post-message.ts';
import { failureMessage } from './show-failure.ts';
import { refusalOf, tryAgain } from './slack-refusal.ts';

/** Opens a modal; where that came too late, says what to do instead. Expects the advice to be escaped. */
export async function openView(open: () => Promise<void>, advice: string): Promise<readonly Message[]> {
  try {
    await open();
    return [];
  } catch (error) {
    switch (refusalOf(error)) {
      case 'expired_trigger_id':
        return [notice(`That took too long. ${advice}`)];
      // A call that is repeated because its answer was lost: the modal is open.
      case 'exchanged_trigger_id':
        return [];
      default:
        throw tryAgain(error);
    }
  }
}

/** A modal that may take longer to make than Slack lets it open. */
interface LateView {
  readonly title: string;
  /** The text it shows until it is made. */
  readonly meanwhile: string;
  /** The advice where even that came too late; escaped. */
  readonly advice: string;
  /** Makes the content that it shows then: a view, or a word. */
  make(): Promise<ModalView | Message>;
}

/** Opens a modal with a word at once, and fills it when it is made. What cannot be shown there is handed back. */
export async function openLateView(
  { title, meanwhile, advice, make }: LateView,
  open: (view: ModalView) => Promise<void>,
  { web, wait, log }: ViewParts,
): Promise<readonly Message[]> {
  // By a name of our own it is found again even where Slack's answer with its id was lost.
  const name = randomUUID();
  const unopened = await openView(
    () => open({ ...wordView(title, notice(meanwhile)), external_id: name }),
    advice,
  );
  if (unopened.length > 0) return unopened;
  const made = await make().catch((error: unknown) => failureMessage(error, { view: title }, log));
  const word = 'text' in made ? made : null;
  const view = 'text' in made ? wordView(title, made) : made;
  const show = (shown: ModalView) =>
    updateView(() => web.views.update({ external_id: name, view: settledTexts(shown) }), wait);
  try {
    // If the person has closed it meanwhile, the form is dropped, but a message in its place is still sent.
    return (await show(view)) === 'gone' && word !== null ? [word] : [];
  } catch (error) {
    const failure = failureMessage(error, { view: title }, log);
    // A modal that takes nothing at all says for ever that it is being made, so the failure goes elsewhere.
    const shown = await show(wordView(title, failure)).catch(() => null);
    return shown === 'shown' ? [] : [failure];
  }
}

/** After how long a view is tried again where Slack, or the way to it, failed. */
const PAUSES_MS = [200, 1_000];
/** The longest wait before another try; where Slack wants a longer one, the failure is shown instead. */
const MAX_WAITED_MS = 5_000;

/**
 * Changes a view, and again where Slack failed; `gone` where the person has closed it meanwhile. Fails as the last try does,
 * and at once where Slack does not take the view.
 */
export async function updateView(
  update: () => Promise<unknown>,
  wait: (ms: number) => Promise<void>,
  pauses: readonly number[] = PAUSES_MS,
): Promise<'shown' | 'gone'> {
  try {
    await update();
    return 'shown';
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === 'not_found') return 'gone';
    const [pause, ...later] = pauses;
    if (refused !== null || pause === undefined) throw error;
    const pauseMs = error instanceof WebAPIRateLimitedError ? 1000 * error.retryAfter : pause;
    if (pauseMs > MAX_WAITED_MS) throw error;
    await wait(pauseMs);
    return updateView(update, wait, later);
  }
}

/** A modal that says something and can only be closed. */
export function wordView(title: string, { blocks }: Message): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [...blocks],
  };
}

/**
 * Shows a message in place of the one that was clicked, where its reader alone sees that: a private answer, a modal, or
 * their conversation with the app. Elsewhere, and where Slack does not take the change, it comes as one more.
 */
export async function showInstead(
  { replace, view, place: { channel }, messageTs: ts }: Click,
  title: string,
  message: Message,
  { web, log }: Pick<SlackParts, 'web' | 'log'>,
): Promise<readonly Message[]> {
  if (replace !== null) {
    await replace(message);
    return [];
  }
  if (view?.kind === 'modal') {
    await view.replace(wordView(title, message));
    return [];
  }
  if (view !== null || !isDirect(channel)) return [message];
  try {
    await changeMessage(web, { channel, ts }, message, log);
    return [];
  } catch (error) {
    log.warn({ err: error, channel }, 'a message could not be changed');
    return [message];
  }
}
