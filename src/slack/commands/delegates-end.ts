import type { SlashCommand } from '../command.ts';
import { admit } from '../delegations/admit.ts';
import { listToEnd, refuseToEnd } from '../delegations/list-to-end.ts';
import { usageRefusal } from '../messages/usage-refusal.ts';
import type { DelegationParts } from '../parts.ts';
import { personTyped } from '../people/account-typed.ts';
import { askWhich } from '../people/ask-which.ts';

/** `/delegates end`: what can be ended, each with a button. */
export const delegatesEnd: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'end',
  usage: '/delegates end [@PERSON]',
  summary: 'end what you have handed over; both sides are told',
  examples: ['/delegates end @bob'],
  details:
    'Lists what runs and what comes, each with a button. What runs ends with the running minute; what has not begun is called off. PERSON is whose work it is, for who may edit all; without one your own is listed.',
  async answer(asked, parts) {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member, right } = admitted;
    const split = await personTyped(asked.text, member, parts);
    if (split === null) return [await listToEnd(admitted, member.user, parts)];
    if (split.rest !== '') return [usageRefusal(split.rest, delegatesEnd.usage)];
    const { found } = split;
    if (found.kind === 'known') return [await listToEnd(admitted, found.user, parts)];
    if (right !== 'edit') return [refuseToEnd(member)];
    const asking = { about: 'end', rest: '' } as const;
    return [askWhich(split.person, found, asking, { hasAdmins: member.hasAdmins, hints: [] })];
  },
};
