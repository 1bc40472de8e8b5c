import type { Button } from '@slack/types';

/** A button that tells the action `id` its value. */
export function button(text: string, id: string, value: string): Button {
  return { type: 'button', text: { type: 'plain_text', text }, action_id: id, value };
}
