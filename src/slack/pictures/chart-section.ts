import type { SectionBlock } from '@slack/types';
import { plainSection } from '../../block-kit/mrkdwn.ts';

/** What stands where a chart cannot be shown: its words. A section without text would be refused. */
export function chartSection(words: string): SectionBlock {
  return plainSection(words.trim() === '' ? 'A chart that cannot be shown here.' : words);
}
