import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { notice } from './notice.ts';

/** What somebody reads who typed more behind a command than it takes. */
export function usageRefusal(typed: string, usage: string): Message {
  return notice(`I do not know what ${codeText(typed)} means here. Try: \`${usage}\`.`);
}
