import type { Button, Overflow } from '@slack/types';
import type { Message } from '../blocks/message.ts';
import { button } from '../blocks/mrkdwn.ts';
import { MORE } from './answer-action.ts';
import { optionOf } from './form-inputs.ts';
import type { Click } from './handler-types.ts';
import { isDirect } from './hours-here.ts';

import { wordView } from './open-view.ts';
import type { SlackParts } from './parts.ts';
import { changeMessage } from './post-message.ts';

/** A menu beside a row or behind a row of buttons: at most five entries, each the text and the action with its value. */
export function moreMenu(
  entries: readonly (readonly [text: string, action: string, value: string])[],
): Overflow {
  return {
    type: 'overflow',
    action_id: MORE,
    options: entries.map(([text, action, value]) => optionOf(text, `${action} ${value}`)),
  };
}

/** As many rows as fit in one look. */
export const ROWS = 10;

/** Which rows of a list are shown, from one of them (0 is the first) on, and buttons to the others by an action. */
export function listPart(start: number, total: number, action: string): { text: string; turns: Button[] } {
  const end = Math.min(total, start + ROWS);
  const turn = (text: string, from: number) => button(text, `${action}:${from}`, String(from));
  return {
    text: end - start < total ? ` (${start + 1}–${end} of ${total})` : '',
    turns: [
      ...(start > 0 ? [turn('Previous', Math.max(0, start - ROWS))] : []),
      ...(end < total ? [turn('Next', end)] : []),
    ],
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
