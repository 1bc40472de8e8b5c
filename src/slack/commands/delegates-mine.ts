import type { SlashCommand } from '../command.ts';
import { admit } from '../delegations/admit.ts';
import { listAll } from '../delegations/list-all.ts';
import { namesOf } from '../messages/names.ts';
import { ownDelegations } from '../messages/own-delegations.ts';
import { usageRefusal } from '../messages/usage-refusal.ts';
import { withZone } from '../messages/with-zone.ts';
import { wordsIn } from '../messages/words.ts';
import type { DelegationParts } from '../parts.ts';

/** `/delegates mine`: what somebody has handed over, and whom they stand in for. */
export const delegatesMine: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'mine',
  usage: '/delegates mine',
  summary: 'what you have handed over, and whom you stand in for',
  details: 'Both lists: what is in force now, and what comes later.',
  async answer(asked, parts) {
    if (asked.text !== '') return [usageRefusal(asked.text, delegatesMine.usage)];
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { principal, user, timeZone } = admitted.member;
    const { delegations, people, now } = parts;
    const handedOver = await listAll(principal, { delegator: user.id }, delegations);
    const standingIn = await listAll(principal, { delegate: user.id }, delegations);
    const names = namesOf(await people.users(), await delegations.categories(principal));
    const at = now();
    const own = { handedOver, standingIn, at, words: wordsIn(timeZone, at, names) };
    return [withZone(ownDelegations(own), timeZone)];
  },
};
