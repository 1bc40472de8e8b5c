import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { SlackAction } from '../action.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { notice } from '../messages/notice.ts';
import type { DigestParts } from '../parts.ts';

/** *Pause* beside a digest; its value is the id. */
export const digestPause: SlackAction<DigestParts> = {
  id: 'digest-pause',
  async run({ value, principal: { account: user } }, parts) {
    const { title } = await parts.digests.pause(await digestAskerHere(user, parts), value);
    return [notice(`*${escapeMrkdwn(title)}* rests until somebody resumes it.`)];
  },
};
