import type { KnownBlock } from '@slack/types';

/** A message: blocks for those who see them, and a text that says the same for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}
