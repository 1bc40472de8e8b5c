import { escapeMrkdwn } from './mrkdwn.ts';
import { shorten } from './shorten.ts';

const LENGTH = 40;

/**
 * Something that was typed, repeated as code and shortened; a backtick or a line break within would end the mark, and a
 * mention is none there.
 */
export function codeText(typed: string): string {
  const plain = typed
    .replace(/<@(\w+)(?:\|([^>]*))?>/g, (_, account: string, name?: string) => `@${name ?? account}`)
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
  return `\`${escapeMrkdwn(shorten(plain, LENGTH))}\``;
}
