import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { User } from '../../model/issue.ts';
import { loginOf } from '../people/login-of.ts';
import { notice } from './notice.ts';

/** What an account reads whose owner an admin has named. */
export function linkNews(admin: User, user: User): Message {
  return notice(
    `${nameOf(admin)} has linked this account to ${nameOf(user)} in the tracker: Dwell takes you for them now.`,
    'If that is wrong, please say so to an admin.',
  );
}

function nameOf(user: User): string {
  return `*${escapeMrkdwn(user.name)}* (${escapeMrkdwn(loginOf(user))})`;
}
