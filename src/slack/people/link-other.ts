import type { DoorParts, Person } from '../command.ts';
import type { Message } from '../message.ts';
import { codeText } from '../messages/code-text.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import { identify } from './identify.ts';
import { usersLike, usersNamed } from './users-named.ts';

/** An admin says who somebody is in the tracker. */
export async function linkOther(
  person: Person,
  { account, name }: { readonly account: string; readonly name: string },
  parts: DoorParts,
): Promise<Message> {
  const identified = await identify(person, parts);
  if ('refusal' in identified) return identified.refusal;
  const { user: admin, asker } = identified.member;
  if (!asker.admin) {
    return notice('Only an admin can say who others are in the tracker.', 'You yourself: `/delegates link`.');
  }
  const plain = name.trim();
  if (plain === '') return notice('Type their user name of the tracker behind the mention.');
  const users = await parts.people.users();
  const [user, ...others] = usersNamed(plain, users);
  if (user === undefined || others.length > 0) {
    const candidates = user === undefined ? usersLike(plain, users) : [user, ...others].slice(0, 10);
    const shown = candidates.map(({ id }) => codeText(id)).join(', ');
    const lead =
      user === undefined
        ? `The tracker knows nobody called ${codeText(plain)}.`
        : `Several people are called ${codeText(plain)}.`;
    return notice(lead, ...(shown === '' ? [] : [`Did you mean the user name ${shown}?`]));
  }
  await parts.people.link(account, user.id, admin.id);
  return notice(
    `<@${account}> is *${escapeMrkdwn(user.name)}* (${escapeMrkdwn(user.id)}) in the tracker now.`,
  );
}
