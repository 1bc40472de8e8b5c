import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { DelegationRight } from '../../model/delegation.ts';
import { notice } from '../messages/notice.ts';
import type { Member } from '../people/member.ts';

/** Whether somebody may ask about others. */
export function seesAll(right: DelegationRight): boolean {
  return right === 'all' || right === 'edit';
}

/**
 * Who can change what somebody may do. Admins, and all where there are none, are told the command line that does: its
 * plus keeps the rights of others.
 */
export function askAdmin(
  { typedAs, hasAdmins, principal }: Member,
  option: '--view' | '--view-all' | '--edit-all',
): string {
  if (hasAdmins && principal.rights !== 'admin') return 'Ask an admin to change that.';
  return `That is changed on the command line: \`npm run --silent dwell -- delegates ${option} +${escapeMrkdwn(typedAs)}\`.`;
}

/**
 * Why somebody gets no answer about others, the same whether there is such a person or not. `hints` are escaped sentences
 * about what may have been meant.
 */
export function refuseOthers(member: Member, hints: readonly string[] = []): Message {
  return notice(
    'You do not have permission to query delegations of other users.',
    ...hints,
    'Your own are told by `/delegates mine`.',
    askAdmin(member, '--view-all'),
  );
}
