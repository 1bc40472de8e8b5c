import type { SlackAction } from '../action.ts';
import { tellBothSides } from '../delegations/tell-both-sides.ts';
import { delegationLine } from '../messages/delegation-line.ts';
import { lineBlocks } from '../messages/line-blocks.ts';
import { escapedNames, namesOf } from '../messages/names.ts';
import { identify } from '../people/identify.ts';

/** *End* beside a delegation; its value is the id. Who has pressed it twice is told that it is over. */
export const endDelegation: SlackAction = {
  id: 'end-delegation',
  async run(click, parts) {
    const identified = await identify(click, parts);
    if ('refusal' in identified) return [identified.refusal];
    const { asker, user } = identified.member;
    const users = await parts.people.users();
    const names = escapedNames(namesOf(users, await parts.delegations.categories(asker)));
    const delegation = await parts.delegations.end(asker, Number(click.value));
    const event = delegation.active ? 'ended' : 'called off';
    const told = await tellBothSides(
      { delegation, event, by: user.id, accounts: new Map([[user.id, click.asker.user]]), users, names },
      parts,
    );
    const done = delegation.active ? 'Ended' : 'Called off';
    return [lineBlocks([`${done}: ${delegationLine(delegation, parts.now(), names)}`, told])];
  },
};
