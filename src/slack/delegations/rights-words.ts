import type { DelegationRight } from '../../model/delegation.ts';
import type { Message } from '../message.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import type { Member } from '../people/member.ts';

/** Whether somebody may ask about others. */
export function seesAll(right: DelegationRight): boolean {
  return right === 'all' || right === 'edit';
}

/** Who can change what somebody may do, or where: the plus keeps the rights of others. `option` is that of the command line. */
export function askAdmin(
  { typedAs, hasAdmins }: Member,
  option: '--view' | '--view-all' | '--edit-all',
): string {
  const lead = hasAdmins ? 'An admin can change that' : 'That is changed on the command line';
  return `${lead}: \`npm run --silent dwell -- delegates ${option} +${escapeMrkdwn(typedAs)}\`.`;
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
