import type { SlackAction } from '../action.ts';
import { admit } from '../delegations/admit.ts';
import { listToEnd } from '../delegations/list-to-end.ts';
import { withRemaining } from '../delegations/tell-stand-ins.ts';
import { notice } from '../messages/notice.ts';
import type { DelegationParts } from '../parts.ts';
import { readChosen } from '../people/chosen-person.ts';

/** *This one* where several people could have been meant: the answer that was asked for, about who was chosen. */
export const choosePerson: SlackAction<DelegationParts> = {
  id: 'choose-person',
  async run(click, parts) {
    const { about, person: id, rest } = readChosen(click.value);
    const admitted = await admit(click, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const person = (await parts.people.users()).get(id);
    if (person === undefined) return [notice('The tracker does not know this person any more.')];
    if (about === 'end') return [await listToEnd(admitted, person, parts)];
    return [await withRemaining(admitted, { direction: about, person, rest }, parts)];
  },
};
