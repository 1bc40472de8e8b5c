import type { Message } from '../../block-kit/message.ts';
import type { User } from '../../model/issue.ts';
import { endList } from '../messages/end-list.ts';
import { namesOf } from '../messages/names.ts';
import { notice } from '../messages/notice.ts';
import { withZone } from '../messages/with-zone.ts';
import { wordsIn } from '../messages/words.ts';
import type { DelegationParts } from '../parts.ts';
import type { Member } from '../people/member.ts';
import type { Admitted } from './admit.ts';
import { isLater, type LaterThan, writeLaterThan } from './later-than.ts';
import { listAll } from './list-all.ts';
import { askAdmin } from './rights-words.ts';

/** What somebody may end of what a person has handed over; with a place in the list only what stands behind it. */
export async function listToEnd(
  { member, right }: Admitted,
  person: User,
  parts: DelegationParts,
  place: LaterThan | null = null,
): Promise<Message> {
  const { delegations, people, now } = parts;
  if (person.id !== member.user.id && right !== 'edit') return refuseToEnd(member);
  const all = await listAll(member.principal, { delegator: person.id }, delegations);
  const found = place === null ? all : all.filter((one) => isLater(one, place));
  const names = namesOf(await people.users(), await delegations.categories(member.principal));
  const at = now();
  const list = endList(found, {
    person: person.id,
    at,
    words: wordsIn(member.timeZone, at, names),
    goesOn: place !== null,
    toRest: ({ start, id }) => writeLaterThan({ person: person.id, start, id }),
  });
  return found.length === 0 ? list : withZone(list, member.timeZone);
}

/** The same whether there is such a person or not. */
export function refuseToEnd(member: Member): Message {
  return notice(
    'You do not have permission to edit delegations of other users.',
    '`@PERSON` is whose work it is, not who stands in: `/delegates end` lists what you have handed over.',
    askAdmin(member, '--edit-all'),
  );
}
