import type { SlackAction } from '../action.ts';
import { admit } from '../delegations/admit.ts';
import { readLaterThan } from '../delegations/later-than.ts';
import { listToEnd } from '../delegations/list-to-end.ts';
import { notice } from '../messages/notice.ts';
import type { DelegationParts } from '../parts.ts';

/** *Later ones* below what can be ended: the next part of the list. */
export const listLater: SlackAction<DelegationParts> = {
  id: 'list-later',
  async run(click, parts) {
    const place = readLaterThan(click.value);
    const admitted = await admit(click, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const person = (await parts.people.users()).get(place.person);
    if (person === undefined) return [notice('The tracker does not know this person any more.')];
    return [await listToEnd(admitted, person, parts, place)];
  },
};
