import { escapeMrkdwn } from './mrkdwn.ts';
import { shorten } from './shorten.ts';

const LENGTH = 40;

/** Something that was typed, repeated as code and shortened; a backtick within would end the mark. */
export function codeText(typed: string): string {
  return `\`${escapeMrkdwn(shorten(typed.replaceAll('`', ''), LENGTH))}\``;
}
