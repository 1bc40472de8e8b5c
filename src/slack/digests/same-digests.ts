import { isDeepStrictEqual } from 'node:util';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { DigestInput } from '../../model/digest.ts';
import { principalIn } from '../../model/principal.ts';
import type { SlackParts } from '../parts.ts';

/** Who has digests already that tell the same in the same place at the same times, in sentences (mrkdwn). */
export async function sameDigests(
  wish: DigestInput,
  account: string,
  { digests, people, accounts }: Pick<SlackParts, 'digests' | 'people' | 'accounts'>,
): Promise<readonly string[]> {
  const { question, place, schedule } = wish;
  const channel = place.kind === 'channel' ? place.channel : null;
  const beside = await digests.list(principalIn(people.tenant, account), channel);
  const same = beside.filter(
    (one) =>
      (place.kind === 'channel' || one.owner === account) &&
      isDeepStrictEqual([one.question, one.place, one.schedule], [question, place, schedule]),
  );
  const sentences = [...new Set(same.map(({ owner }) => owner))].map(async (owner) => {
    const who = owner === account ? 'You already have' : `${await nameOf(owner, accounts)} already has`;
    return `${who} a digest of the same question here, at the same times, so this one comes beside it.`;
  });
  return Promise.all(sentences);
}

async function nameOf(owner: string, accounts: SlackParts['accounts']): Promise<string> {
  const profile = await accounts.profileOf(owner).catch(() => null);
  return escapeMrkdwn(profile?.name ?? owner);
}
