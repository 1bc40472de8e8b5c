import { bringsAdmin } from '../../model/person-link.ts';
import type { SlashCommand } from '../command.ts';
import { splitPerson } from '../delegations/split-person.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import { invite } from '../people/identify.ts';
import { linkOther } from '../people/link-other.ts';
import { loginOf } from '../people/login-of.ts';
import { type Recognition, recognize } from '../people/recognize.ts';

/** `/delegates link`: says who somebody is in the tracker, by themselves or by an admin. */
export const delegatesLink: SlashCommand = {
  root: '/delegates',
  word: 'link',
  usage: '/delegates link [@PERSON USERNAME]',
  summary: 'say who you are in the tracker; admins say it of others',
  examples: ['/delegates link @bob bob'],
  details:
    'Dwell knows you by your e-mail address in Slack, where exactly one user of the tracker has it. Where that fails, a link of your own and a token of Dwell prove who you are.',
  async answer(asked, parts) {
    const split = splitPerson(asked.text, new Map());
    if (split !== null && !('account' in split.person)) {
      return [
        notice('Mention the person: `/delegates link @PERSON USERNAME`. Without anybody it is about you.'),
      ];
    }
    if (split !== null && 'account' in split.person) {
      return [await linkOther(asked, { account: split.person.account, name: split.rest }, parts)];
    }
    const account = asked.asker.user;
    const found = await recognize(account, parts);
    return [await invite(leadOf(found), { account, name: asked.userName }, parts)];
  },
};

function leadOf(found: Recognition): string {
  if (found.kind !== 'known') return 'Say who you are in the tracker.';
  const { user, link } = found;
  const known = `You are *${escapeMrkdwn(user.name)}* (${escapeMrkdwn(loginOf(user))}) in the tracker.`;
  if (link?.proof === null) return known;
  return user.admin === true && link !== undefined && !bringsAdmin(link)
    ? `${known} Your rights as an admin do not hold here: you proved who you are with a token without them. A token issued with \`--admin\` brings them.`
    : `${known} If that is wrong, say who you are.`;
}
