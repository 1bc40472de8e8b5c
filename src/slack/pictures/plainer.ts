import type { Message } from '../../block-kit/message.ts';
import { plainBlocks } from '../plain-blocks.ts';
import type { Pictures } from './pictures.ts';
import { hasNativeChart, withPictures } from './with-pictures.ts';

/** A message in a plainer form, made when it is needed. */
interface Rung {
  make(): Promise<Message>;
  /** What it means where Slack takes this after it refused all before. */
  taken(): Promise<void>;
}

const nothing = async () => {};

/**
 * What to send, in order, where Slack refuses a message: with a picture instead of its chart, with words and
 * preformatted text, as text alone.
 */
export function plainer(message: Message, pictures: Pictures | null): readonly Rung[] {
  const drawn: Rung[] =
    pictures === null || !hasNativeChart(message)
      ? []
      : [{ make: () => withPictures(message, null, pictures), taken: () => pictures.refusedBySlack() }];
  const plain = { ...message, blocks: plainBlocks(message.blocks) };
  return [
    ...drawn,
    ...(mayBeRefused(message) ? [{ make: async () => plain, taken: nothing }] : []),
    ...(message.blocks.length > 0
      ? [{ make: async () => ({ ...message, blocks: [] }), taken: nothing }]
      : []),
  ];
}

/** Whether it holds blocks that not every Slack takes. */
export function mayBeRefused({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      ['data_visualization', 'data_table', 'table'].includes(block.type) ||
      (block.type === 'image' && 'slack_file' in block),
  );
}
