import type { ModalView } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';

/** A modal that says something and can only be closed. */
export function wordView(title: string, { blocks }: Message): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: title },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [...blocks],
  };
}
