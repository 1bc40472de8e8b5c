import type { PersonLink } from '../../model/person-link.ts';
import type { Message } from '../message.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';

/** What somebody reads whom an admin has linked: nothing of their own would change that. Expects an escaped lead. */
export function saidByAdmin(lead: string, { user, by }: Pick<PersonLink, 'user' | 'by'>): Message {
  return notice(
    `${lead} An admin (${escapeMrkdwn(by)}) has linked your account to ${escapeMrkdwn(user)}; ask them, or another admin, to change that.`,
  );
}
