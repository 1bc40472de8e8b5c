import type { BlockElementAction } from '@slack/bolt';

/** What a button carries, or what was chosen in a menu; empty where nothing was. */
export function chosenValue(payload: BlockElementAction): string {
  if ('selected_option' in payload) return payload.selected_option?.value ?? '';
  if ('selected_user' in payload) return payload.selected_user ?? '';
  if ('selected_conversation' in payload) return payload.selected_conversation ?? '';
  if ('selected_channel' in payload) return payload.selected_channel ?? '';
  if ('selected_date' in payload) return payload.selected_date ?? '';
  return 'value' in payload ? (payload.value ?? '') : '';
}
