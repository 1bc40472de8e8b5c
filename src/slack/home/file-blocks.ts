import type { MessageBlock } from '../../block-kit/message.ts';
import { dateMark, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { button } from '../messages/button.ts';
import type { Files, HomeFile } from './home-content.ts';

const TITLE_LENGTH = 200;
const REASON_LENGTH = 300;

/** The title of the part. */
export const filesTitle = 'Your last exports';

/** Somebody's last exports, with the file where it is kept; nothing where there was none. */
export function fileBlocks({ files, more }: Files): readonly MessageBlock[] {
  if (files.length === 0) return [];
  return [
    section(`*${filesTitle}*`),
    ...files.map(fileBlock),
    ...(more > 0 ? [section(`… and ${countWords(more)} older.`)] : []),
  ];
}

function fileBlock({ title, record }: HomeFile): MessageBlock {
  const told = section(
    `${escapeMrkdwn(shorten(title, TITLE_LENGTH))}, asked for ${dateMark(record.createdAt)}\n${stateText(record)}`,
  );
  if (record.state !== 'Successful') return told;
  return { ...told, accessory: button('Get the file', 'get-export-file', record.id) };
}

function stateText({ state, completed, total, message }: HomeFile['record']): string {
  const why = message === null ? '' : `: ${escapeMrkdwn(shorten(message, REASON_LENGTH))}`;
  switch (state) {
    case 'Queued':
      return 'Waits for its turn.';
    case 'Running':
      return `Being made: ${countWords(completed)} of ${countWords(total)} issues.`;
    case 'Successful':
      return 'Done.';
    case 'Failed':
      return `Failed${why}`;
    case 'Aborted':
      return `Ended before its time${why}`;
    case 'Expired':
      return 'Done; the file is not kept any more. Ask again for a new one.';
  }
}
