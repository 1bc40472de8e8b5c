import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { bringsAdmin } from '../../model/chat.ts';
import type { Asked } from '../command.ts';
import { notice } from '../messages/notice.ts';
import type { LinkingParts, MessageParts } from '../parts.ts';
import { invite } from '../people/identify.ts';
import { linkOther } from '../people/link-other.ts';
import { loginOf } from '../people/login-of.ts';
import { type Recognition, recognize } from '../people/recognize.ts';
import { splitPerson } from './split-person.ts';

/** Says who somebody is in the tracker, by themselves or by an admin; `usage` is how it was asked for. */
export async function answerLink(
  usage: string,
  asked: Asked,
  parts: LinkingParts & MessageParts,
): Promise<readonly Message[]> {
  const split = splitPerson(asked.text, new Map());
  if (split !== null) {
    const { person, rest } = split;
    if ('account' in person) return [await linkOther(asked, { account: person.account, name: rest }, parts)];
    return asked.text.startsWith('@')
      ? [await linkOther(asked, { typed: asked.text, usage }, parts)]
      : [notice(`Mention the person: \`${usage}\`. Without anybody it is about you.`)];
  }
  const account = asked.principal.account;
  const found = await recognize(account, parts);
  return [await invite(leadOf(found), { account, name: asked.userName }, parts)];
}

function leadOf(found: Recognition): string {
  if (found.kind !== 'known') return 'Say who you are in the tracker.';
  const { user, link } = found;
  const known = `You are *${escapeMrkdwn(user.name)}* (${escapeMrkdwn(loginOf(user))}) in the tracker.`;
  if (link?.proof === null) return known;
  return user.admin === true && link !== undefined && !bringsAdmin(link)
    ? `${known} Your rights as an admin do not hold here: you proved who you are with a token without them. A token issued with \`--admin\` brings them.`
    : `${known} If that is wrong, say who you are.`;
}
