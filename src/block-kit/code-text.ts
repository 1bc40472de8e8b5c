import { escapeMrkdwn } from './mrkdwn.ts';
import { shorten } from './shorten.ts';

const LENGTH = 40;
const LINE_LENGTH = 200;

/**
 * Something that was typed, repeated as code and shortened; a backtick or a line break within would end the mark, and a
 * mention is none there.
 */
export function codeText(typed: string): string {
  return asCode(typed, LENGTH);
}

/** The same of a line that is to be read as a whole. */
export function lineText(line: string): string {
  return asCode(line, LINE_LENGTH);
}

function asCode(typed: string, length: number): string {
  const plain = typed
    .replace(/<@(\w+)(?:\|([^>]*))?>/g, (_, account: string, name?: string) => `@${name ?? account}`)
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
  return `\`${escapeMrkdwn(shorten(plain, length))}\``;
}
