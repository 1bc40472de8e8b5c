import type { ActionsBlock } from '@slack/types';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Digest } from '../../model/digest.ts';
import { button } from '../messages/button.ts';

const TITLE_LENGTH = 100;

/** What a channel is told, once, when nobody owns a digest of it any more. */
export function stoppedMessage({ id, title }: Pick<Digest, 'id' | 'title'>): Message {
  const name = escapeMrkdwn(shorten(title, TITLE_LENGTH));
  const why = 'its owner does not work here any more. It stops until somebody takes it over';
  const then = 'From then on it is asked with the rights of who did.';
  const row: ActionsBlock = {
    type: 'actions',
    elements: [button('Take it over', 'digest-take-over', id)],
  };
  return {
    text: `The digest ${name} is not posted: ${why}. ${then}`,
    blocks: [section(`The digest *${name}* is not posted: ${why}. ${then}`), row],
  };
}
