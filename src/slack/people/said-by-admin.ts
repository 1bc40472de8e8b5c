import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { PersonLink } from '../../model/chat.ts';
import type { User } from '../../model/issue.ts';
import { notice } from '../messages/notice.ts';
import { loginOf } from './login-of.ts';

/** What somebody reads whom an admin has linked: nothing of their own would change that. Expects an escaped lead. */
export function saidByAdmin(
  lead: string,
  { user, by }: Pick<PersonLink, 'user' | 'by'>,
  users: ReadonlyMap<string, User>,
): Message {
  const nameOf = (id: string) => escapeMrkdwn(loginOf(users.get(id) ?? { id }));
  return notice(
    `${lead} An admin (${nameOf(by)}) has linked your account to ${nameOf(user)}; ask them, or another admin, to change that.`,
  );
}
