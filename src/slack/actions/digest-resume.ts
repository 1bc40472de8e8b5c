import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { SlackAction } from '../action.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { nextTold, stateWords } from '../digests/digest-words-of.ts';
import { notice } from '../messages/notice.ts';
import type { DigestParts } from '../parts.ts';

/** *Resume* beside a digest; its value is the id. */
export const digestResume: SlackAction<DigestParts> = {
  id: 'digest-resume',
  async run({ value, principal: { account: user } }, parts) {
    const digest = await parts.digests.resume(await digestAskerHere(user, parts), value);
    return [
      notice(
        `*${escapeMrkdwn(digest.title)}* goes on: ${stateWords(digest, { next: await nextTold(digest, parts.digests) })}.`,
      ),
    ];
  },
};
