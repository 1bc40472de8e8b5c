import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { button } from './button.ts';

/** An export without a file in the channel. */
interface EndedExport {
  readonly wish: string;
  readonly userName: string;
  /** What became of it, and what to do about it: whole sentences. */
  readonly sentences: readonly string[];
  /** The id of the export if there is a file that its principal can have all the same; else null. */
  readonly fileOf: string | null;
}

/** What became of an export that brought no file into the channel. */
export function exportEnded({ wish, userName, sentences, fileOf }: EndedExport): Message {
  const asked = `${escapeMrkdwn(userName)} asked for ${escapeMrkdwn(wish)}.`;
  const hint = `${userName} can get it with the button, for a day after it was made.`;
  const words = escapeMrkdwn([...sentences, ...(fileOf === null ? [] : [hint])].join(' '));
  const told = { text: `${asked} ${words}`, blocks: [section(`${asked}\n${words}`)] };
  if (fileOf === null) return told;
  const elements = [button('Get the file', 'get-export-file', fileOf)];
  return { ...told, blocks: [...told.blocks, { type: 'actions', elements }] };
}
