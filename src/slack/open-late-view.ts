import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { Message } from '../block-kit/message.ts';
import { notice } from './messages/notice.ts';
import { wordView } from './messages/word-view.ts';
import { openView } from './open-view.ts';
import type { ViewParts } from './parts.ts';
import { settledTexts } from './settled-texts.ts';
import { tellFailure } from './tell-failure.ts';
import { updateView } from './update-view.ts';

/** A modal that may take longer to make than Slack lets it open. */
interface LateView {
  readonly title: string;
  /** What it shows until it is made. */
  readonly meanwhile: string;
  /** What to do where even that came too late; escaped. */
  readonly advice: string;
  /** What it shows then: a view, or a word. */
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
  const made = await make().catch((error: unknown) => tellFailure(error, { view: title }, log));
  const word = 'text' in made ? made : null;
  const view = 'text' in made ? wordView(title, made) : made;
  const show = (shown: ModalView) =>
    updateView(() => web.views.update({ external_id: name, view: settledTexts(shown) }), wait);
  try {
    // Whoever has closed it meanwhile does not want the form, but what hinders it is worth knowing.
    return (await show(view)) === 'gone' && word !== null ? [word] : [];
  } catch (error) {
    const failure = tellFailure(error, { view: title }, log);
    // A modal that takes nothing at all says for ever that it is being made, so that is told elsewhere.
    const shown = await show(wordView(title, failure)).catch(() => null);
    return shown === 'shown' ? [] : [failure];
  }
}
