import type { ActionsBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, percentText, section } from '../../block-kit/mrkdwn.ts';
import { button } from './button.ts';

const BAR_LENGTH = 20;

/** How far an export is. `wish` is what was asked for, `user` the id of who asked. */
interface ExportProgress {
  readonly wish: string;
  readonly user: string;
  readonly userName: string;
  readonly completed: number;
  readonly total: number;
}

/** The message of an export that is not at its end: who asked for what, how far it is, and how to end it. */
export function exportProgress({ wish, user, userName, completed, total }: ExportProgress): Message {
  const asked = `${escapeMrkdwn(userName)} asked for ${escapeMrkdwn(wish)}`;
  const issues = total === 1 ? '1 issue' : `${total} issues`;
  const share = total === 0 ? 0 : Math.min(1, completed / total);
  const done = Math.floor(share * BAR_LENGTH);
  const bar = `${'█'.repeat(done)}${'░'.repeat(BAR_LENGTH - done)}`;
  return {
    text: `${asked}: ${completed} of ${issues}.`,
    blocks: [section(`${asked}.\n\`${bar}\` ${percentText(share)}, ${completed} of ${issues}`), abort(user)],
  };
}

function abort(user: string): ActionsBlock {
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  return {
    type: 'actions',
    elements: [
      {
        ...button('Abort', 'abort-export', user),
        confirm: {
          title: plain('Abort this export?'),
          text: plain('No file will be made.'),
          confirm: plain('Abort'),
          deny: plain('Keep going'),
          style: 'danger',
        },
      },
    ],
  };
}
