import type { Message } from '../../block-kit/message.ts';
import type { DelegationRight } from '../../model/delegation.ts';
import type { Person } from '../command.ts';
import { notice } from '../messages/notice.ts';
import type { DelegationParts } from '../parts.ts';
import { identify } from '../people/identify.ts';
import type { Member } from '../people/member.ts';
import { askAdmin } from './rights-words.ts';

/** Who asks about delegations, and how much of them they may know and change. */
export interface Admitted {
  readonly member: Member;
  readonly right: DelegationRight;
}

/** Who asks; where nobody knows that, or where they may know nothing, what they read instead. */
export async function admit(
  person: Person,
  parts: DelegationParts,
): Promise<Admitted | { readonly refusal: Message }> {
  const identified = await identify(person, parts);
  if ('refusal' in identified) return identified;
  const { member } = identified;
  const right = await parts.delegations.rightOf(member.principal);
  if (right !== 'none') return { member, right };
  return { refusal: notice('You do not have permission to view delegations.', askAdmin(member, '--view')) };
}
