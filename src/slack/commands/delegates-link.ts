import type { SlashCommand } from '../command.ts';
import { splitPerson } from '../delegations/split-person.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import { notice } from '../messages/notice.ts';
import { invite } from '../people/identify.ts';
import { linkOther } from '../people/link-other.ts';
import { recognize } from '../people/recognize.ts';

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
    const lead =
      found.kind === 'known'
        ? `You are *${escapeMrkdwn(found.user.name)}* (${escapeMrkdwn(found.user.id)}) in the tracker. If that is wrong, say who you are.`
        : 'Say who you are in the tracker.';
    return [await invite(lead, { account, name: asked.userName }, parts)];
  },
};
