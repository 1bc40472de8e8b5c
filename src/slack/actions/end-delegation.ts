import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { SlackAction } from '../action.ts';
import { endSurely } from '../delegations/end-surely.ts';
import { tellBothSides } from '../delegations/tell-both-sides.ts';
import { delegationLine } from '../messages/delegation-line.ts';
import { namesOf } from '../messages/names.ts';
import { withZone } from '../messages/with-zone.ts';
import { wordsAnywhere, wordsIn } from '../messages/words.ts';
import type { DelegationParts } from '../parts.ts';
import { identify } from '../people/identify.ts';

/** *End* beside a delegation; its value is the id. Who has pressed it twice is told that it has ended already. */
export const endDelegation: SlackAction<DelegationParts> = {
  id: 'end-delegation',
  async run(click, parts) {
    const identified = await identify(click, parts);
    if ('refusal' in identified) return [identified.refusal];
    const { principal, user, timeZone } = identified.member;
    const users = await parts.people.users();
    const names = namesOf(users, await parts.delegations.categories(principal));
    const { delegation, already } = await endSurely({ principal, id: Number(click.value) }, parts);
    const at = parts.now();
    const line = delegationLine(delegation, at, wordsIn(timeZone, at, names));
    if (already) {
      const what = delegation.active ? 'This has ended already' : 'This has been called off already';
      return [withZone(lineBlocks([`${what}: ${line}`]), timeZone)];
    }
    const event = delegation.active ? 'ended' : 'called off';
    const told = await tellBothSides(
      {
        delegation,
        event,
        by: user.id,
        accounts: new Map([[user.id, click.principal.account]]),
        users,
        words: wordsAnywhere(names),
      },
      parts,
    );
    const lines = [`${delegation.active ? 'Ended' : 'Called off'}: ${line}`, told];
    return [withZone(lineBlocks(lines), timeZone)];
  },
};
