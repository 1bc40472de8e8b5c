import { type Line, lineBlocks } from '../../block-kit/line-blocks.ts';
import type { MessageBlock } from '../../block-kit/message.ts';
import { button } from '../messages/button.ts';

/** Lines below each other; beside the first a button that runs a line of `/tis` or `/delegates`. Expects escaped words. */
export function asking(
  lines: readonly Line[],
  text: string,
  command: string,
  most?: number,
): readonly MessageBlock[] {
  const [first, ...others] = lineBlocks(lines, most).blocks;
  if (first?.type !== 'section') return [];
  return [{ ...first, accessory: button(text, 'home-ask', command) }, ...others];
}
