import { z } from 'zod';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { badRequestAs } from '../../model/error.ts';
import { digestPrincipal } from '../digests/digest-principal.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { tryForNewOwner } from '../digests/try-for-new-owner.ts';
import { notice } from '../messages/notice.ts';
import type { SlackModal } from '../modal.ts';
import type { DigestParts } from '../parts.ts';
import { tellDirectly } from '../tell-directly.ts';

const carried = z.object({
  id: z.string(),
  at: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
});

/** Who is to own a digest from now on, submitted: both sides are told. */
export const digestNewOwner: SlackModal<DigestParts> = {
  id: 'digest-new-owner',
  title: 'Hand over',
  meanwhile: 'Handing it over…',
  placeOf: ({ metadata }) => carried.parse(JSON.parse(metadata)).at,
  async answer({ metadata, accounts, principal: { account: user }, userName }, parts) {
    const { id } = carried.parse(JSON.parse(metadata));
    const [account] = accounts.owner ?? [];
    if (account === undefined)
      throw badRequestAs('missing-value', 'To whom is missing. Try: somebody of this workspace.');
    const newPrincipal = await digestPrincipal(account, parts);
    if (newPrincipal === null) {
      throw badRequestAs(
        'unknown-name',
        'This account belongs to nobody who works here. Try: somebody of this workspace.',
      );
    }
    const by = await digestAskerHere(user, parts);
    const { name: newOwner } = await parts.accounts.profileOf(account);
    const changes = await tryForNewOwner(await parts.digests.get(by, id), newPrincipal, newOwner, parts);
    const { title } = await parts.digests.handOver(by, id, account);
    const name = escapeMrkdwn(title);
    if (account !== user) {
      const word = `${escapeMrkdwn(userName)} has handed the digest *${name}* over to you: from now on it is asked with your rights. \`/tis digest\` shows it.`;
      await tellDirectly(account, notice(word, ...changes), parts);
    }
    return notice(`*${name}* is ${escapeMrkdwn(newOwner)}’s now.`, ...changes);
  },
};
