import type { Message } from '../message.ts';
import { button } from './button.ts';
import { escapeMrkdwn, section } from './mrkdwn.ts';

/** An export without a file in the channel. */
export interface EndedExport {
  readonly wish: string;
  readonly userName: string;
  /** What became of it, and what to do about it: whole sentences. */
  readonly sentences: readonly string[];
  /** Where the file can be had all the same; null: nowhere. */
  readonly link: string | null;
}

/** What became of an export that brought no file into the channel. */
export function exportEnded({ wish, userName, sentences, link }: EndedExport): Message {
  const asked = `${escapeMrkdwn(userName)} asked for ${escapeMrkdwn(wish)}.`;
  const words = escapeMrkdwn(sentences.join(' '));
  const text = `${asked} ${words}`;
  if (link === null) return { text, blocks: [section(`${asked}\n${words}`)] };
  const hint = 'The link below works for 15 minutes, for everybody who sees it.';
  return {
    text: `${text} <${link}|Download the file>; the link works for 15 minutes.`,
    blocks: [
      section(`${asked}\n${words}\n${hint}`),
      {
        type: 'actions',
        elements: [
          { ...button('Download the file', 'open-export-file', 'link'), url: link, style: 'primary' },
        ],
      },
    ],
  };
}
