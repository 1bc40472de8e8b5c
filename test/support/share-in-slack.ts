import type { View } from '../../playground/open-views.ts';
import type { Message } from '../../playground/workspace.ts';
import { until } from './local-exports.ts';
import type { StandInSlack } from './stand-in-slack.ts';

/** Who shares, and what. */
interface Sharing {
  readonly as?: string;
  readonly on?: Message | 'home';
  readonly comment?: string;
}

/**
 * Presses *Share*, and submits the form where there is one; with a comment in place of the one that is proposed. Returns the
 * comment that the form proposed; null where the modal says that the answer cannot be shared.
 */
export async function shares(
  slack: StandInSlack,
  { comment, ...using }: Sharing = {},
): Promise<string | null> {
  const doing = using.as === undefined ? {} : { as: using.as };
  const before = slack.openModals(using.as).at(-1)?.id;
  await slack.clicks('share-answer', using);
  const view = await until(() => {
    const shown = slack.openModals(using.as).at(-1);
    const isMade = shown !== undefined && shown.id !== before && !says(shown, /Checking who can see this/);
    return isMade ? shown : null;
  });
  if (view.submit === null) return null;
  await slack.submits(comment === undefined ? {} : { comment }, doing);
  return /"initial_value":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(view.blocks))?.[1] ?? '';
}

/** The same; the message that everyone in the channel reads then, or else one with what that person alone does. */
export async function postsOrSays(
  slack: StandInSlack,
  using: { readonly on: Message; readonly as: string },
): Promise<Message> {
  if ((await shares(slack, using)) !== null) return slack.reply();
  return { ...using.on, blocks: [], text: await shareOutcome(slack, using.as), onlyFor: using.as };
}

/** What the modal says to the person who shared once the outcome is known. */
export async function shareOutcome(slack: StandInSlack, as?: string): Promise<string> {
  const view = await until(() => {
    const shown = slack.openModals(as).at(-1);
    const isOver = shown?.submit === null && !says(shown, /Checking who can see this|Sharing…/);
    return isOver ? shown : null;
  });
  const [, text = ''] = /"text":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(view.blocks)) ?? [];
  return JSON.parse(`"${text}"`);
}

const says = ({ blocks }: View, words: RegExp) => words.test(JSON.stringify(blocks));
