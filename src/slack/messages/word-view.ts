import type { ModalView } from '@slack/types';
import { section } from './mrkdwn.ts';

/** A modal that says something and can only be closed. Expects what is not ours to be escaped. */
export function wordView(title: string, ...sentences: string[]): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [section(sentences.join(' '))],
  };
}
