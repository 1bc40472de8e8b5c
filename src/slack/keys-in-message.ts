import { unescapeMrkdwn } from '../block-kit/mrkdwn.ts';

/** In prose only capitals make a key; in a link to an issue any case does. */
const linked = /\/browse\/([a-z][a-z0-9_]*-\d+)(?![\w-])/gi;
const bare = /(?<![\w-])[A-Z][A-Z0-9_]*-[1-9]\d*(?![\w-])/g;

/** Issue keys that a message (mrkdwn) mentions, in its text and in its links, each once, in upper case. */
export function keysInMessage(mrkdwn: string): readonly string[] {
  const text = unescapeMrkdwn(mrkdwn);
  // A link shows what it leads to, so that its label says no more.
  const prose = text.replaceAll(/https?:[^\s>|]*/g, ' ');
  const found = [
    ...text.matchAll(linked).map(([, key = '']) => key),
    ...prose.matchAll(bare).map(([key]) => key),
  ];
  return [...new Set(found.map((key) => key.toUpperCase()))];
}
