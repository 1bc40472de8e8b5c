import type { DelegationRight } from '../../model/delegation.ts';
import type { Message } from '../message.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import type { Member } from '../people/member.ts';

/** Whether somebody may ask about others. */
export function seesAll(right: DelegationRight): boolean {
  return right === 'all' || right === 'edit';
}

/** Who can change what somebody may do. `option` is that of the command line. */
export function askAdmin({ user }: Member, option: '--view' | '--view-all' | '--edit-all'): string {
  return `An admin can change that: \`npm run --silent dwell -- delegates ${option} ${escapeMrkdwn(user.id)}\`.`;
}

/** Why somebody gets no answer about others, the same whether there is such a person or not. */
export function refuseOthers(member: Member): Message {
  return notice(
    'You do not have permission to query delegations of other users.',
    'Your own are told by `/delegates mine`.',
    askAdmin(member, '--view-all'),
  );
}
