import type { KnownBlock } from '@slack/types';
import type { NativeChart } from '../../output/charts/chart.ts';

/** A block of a message: one of Slack's published types, or its chart. */
export type MessageBlock = KnownBlock | NativeChart;

/** A message: blocks for those who see them, and a text that says the same for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly MessageBlock[];
}
