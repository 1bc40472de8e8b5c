import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { User } from '../../model/issue.ts';
import { loginOf } from '../people/login-of.ts';
import { button } from './button.ts';

const SHOWN = 10;
const NAME_LENGTH = 60;

/** Who of several is meant, each with a button whose value tells how to go on. Expects the lead to be escaped. */
export function personChoice(lead: string, users: readonly User[], toValue: (user: User) => string): Message {
  const shown = users.slice(0, SHOWN).map((user) => ({
    user,
    text: `*${escapeMrkdwn(shorten(user.name, NAME_LENGTH))}* (${escapeMrkdwn(shorten(loginOf(user), NAME_LENGTH))})`,
  }));
  const rest = users.length - shown.length;
  const more = `… and ${rest} more; type the user name instead.`;
  return {
    text: [lead, ...shown.map(({ text }) => text), ...(rest > 0 ? [more] : [])].join('\n'),
    blocks: [
      section(lead),
      ...shown.map(({ user, text }) => ({
        ...section(text),
        accessory: button('This one', 'choose-person', toValue(user)),
      })),
      ...(rest > 0 ? [context(more)] : []),
    ],
  };
}
