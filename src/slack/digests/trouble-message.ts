import type { ActionsBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section, utcText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Digest, DigestRun } from '../../model/digest.ts';
import { button } from '../messages/button.ts';
import { readDigestNote } from './digest-note.ts';
import { writePeriod } from './period-value.ts';

const TITLE_LENGTH = 100;
const REASON_LENGTH = 1_500;

/** What the owner of a digest is told when a period of it was given up. */
export function troubleMessage({ id, title }: Pick<Digest, 'id' | 'title'>, run: DigestRun): Message {
  const name = escapeMrkdwn(shorten(title, TITLE_LENGTH));
  const why = escapeMrkdwn(shorten(run.message ?? 'Nobody knows why.', REASON_LENGTH));
  const cure = 'The next one is tried at its time. `/tis digest` shows, changes and pauses your digests.';
  const isUnsure = readDigestNote(run.note).unsure === 'yes';
  const again: ActionsBlock = {
    type: 'actions',
    elements: [button('Post it again', 'digest-post-again', writePeriod({ id, due: run.due }))],
  };
  return {
    text: `Your digest ${name}, due ${utcText(run.due)}, needs you. ${why} ${cure}`,
    blocks: [
      section(`Your digest *${name}*, due ${dateMark(run.due)}, needs you.\n${why}`),
      ...(isUnsure ? [again] : []),
      context(cure),
    ],
  };
}
