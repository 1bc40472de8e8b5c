import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { SlackAction } from '../action.ts';
import { digestPrincipal } from '../digests/digest-principal.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { notice } from '../messages/notice.ts';
import type { DigestParts } from '../parts.ts';

/**
 * *Take it over* under the word that the owner of a channel's digest is gone; its value is the id. Whoever presses it in
 * that channel reads there; an admin may from anywhere.
 */
export const digestTakeOver: SlackAction<DigestParts> = {
  id: 'digest-take-over',
  async run({ value, principal: { account: user }, place: { channel } }, parts) {
    const by = await digestAskerHere(user, parts);
    const digest = (await parts.digests.list(by, channel)).find(({ id }) => id === value);
    const found = digest ?? (by.rights === 'admin' ? await parts.digests.get(by, value) : null);
    if (found === null) throw new AppError('unknown-digest', 'This digest is not told here any more.');
    const name = escapeMrkdwn(found.title);
    if (found.owner === user) return [notice(`*${name}* is yours. \`/tis digest\` shows it.`)];
    if ((await digestPrincipal(found.owner, parts)) !== null) {
      throw new AppError('owner-only', 'This digest has an owner who works here.', [
        'Ask its owner, or an admin, to hand it over: `/tis digest` shows whose it is.',
      ]);
    }
    if ((await digestPrincipal(user, parts)) === null) {
      throw new AppError('unknown-person-asks', 'Guests whom the tracker does not know cannot own a digest.');
    }
    await parts.digests.takeOver(by, value, found.owner);
    return [
      notice(
        `*${name}* is yours now: from the next time on it is asked with your rights. \`/tis digest\` shows, changes and pauses it.`,
      ),
    ];
  },
};
