import type { Message } from '../message.ts';
import { codeText } from './code-text.ts';
import { notice } from './notice.ts';

/** What somebody reads who typed more behind a command than it takes. */
export function usageRefusal(typed: string, usage: string): Message {
  return notice(`I do not know what ${codeText(typed)} means here. Allowed: \`${usage}\`.`);
}
