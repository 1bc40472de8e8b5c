import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { notice } from '../messages/notice.ts';

/** What somebody reads who typed another person behind the first; null where none stands there. */
export function oneAtATime(rest: string, beginning: string): Message | null {
  return /(?:^|\s)(?:@\S|<@[UW])/.test(rest)
    ? notice(`Ask about one person at a time, such as ${lineText(beginning)}.`)
    : null;
}
