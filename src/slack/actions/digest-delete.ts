import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { SlackAction } from '../action.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { notice } from '../messages/notice.ts';
import type { DigestParts } from '../parts.ts';

/** *Delete* beside a digest; its value is the id. */
export const digestDelete: SlackAction<DigestParts> = {
  id: 'digest-delete',
  async run({ value, principal: { account: user } }, parts) {
    const by = await digestAskerHere(user, parts);
    const { title } = await parts.digests.get(by, value);
    await parts.digests.remove(by, value);
    return [notice(`*${escapeMrkdwn(title)}* is deleted. What it has told stays where it stands.`)];
  },
};
