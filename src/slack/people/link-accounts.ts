import { unmistakableName } from '../../api/people/logins.ts';
import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { bringsAdmin } from '../../model/chat.ts';
import type { User } from '../../model/issue.ts';
import { sendDirectMessage, type Told } from '../app/direct-message.ts';
import type { Person, SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { LinkingParts, MessageParts, PeopleParts } from '../app/parts.ts';
import { accountProblem, loginOf } from './accounts.ts';
import { accountTyped, splitPerson, usersLike, usersNamed } from './find-person.ts';
import { identify, invite } from './identify.ts';
import { type Recognition, recognize } from './recognize.ts';

/** `/tis link`: the same as `/delegates link`, for who looks for it here. */
export const tisLink: SlashCommand<LinkingParts & MessageParts> = {
  root: '/tis',
  word: 'link',
  usage: '/tis link [@PERSON USERNAME]',
  summary: 'say who you are in the tracker; admins say it of others',
  examples: ['/tis link @bob bob'],
  details:
    'Answers are given with your rights in the tracker. Dwell knows you by your e-mail address in Slack, where exactly one user of the tracker has it; where that fails, a link of your own and a token of Dwell prove who you are.',
  answer: (asked, parts) => answerLink('/tis link @PERSON USERNAME', asked, parts),
};

/** `/delegates link`: says who somebody is in the tracker, by themselves or by an admin. */
export const delegatesLink: SlashCommand<LinkingParts & MessageParts> = {
  root: '/delegates',
  word: 'link',
  usage: '/delegates link [@PERSON USERNAME]',
  summary: 'say who you are in the tracker; admins say it of others',
  examples: ['/delegates link @bob bob'],
  details:
    'Dwell knows you by your e-mail address in Slack, where exactly one user of the tracker has it. Where that fails, a link of your own and a token of Dwell prove who you are.',
  answer: (asked, parts) => answerLink('/delegates link @PERSON USERNAME', asked, parts),
};

/** Says who somebody is in the tracker, by themselves or by an admin; `usage` is how it was asked for. */
async function answerLink(
  usage: string,
  asked: SlashInvocation,
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

/** More people nobody chooses among. */
const MOST_NAMED = 10;

/** An account and the name behind it, or both as they were typed, beginning with an `@`. */
type Whom =
  | { readonly account: string; readonly name: string }
  | { readonly typed: string; readonly usage: string };

/** An admin says who somebody is in the tracker, which the account is told; it has to be of who works here. */
export async function linkOther(
  person: Person,
  whom: Whom,
  parts: LinkingParts & MessageParts,
): Promise<Message> {
  const identified = await identify(person, parts);
  if ('refusal' in identified) return identified.refusal;
  const { user: admin, principal, hasAdmins } = identified.member;
  if (principal.rights !== 'admin') {
    const who = hasAdmins
      ? 'Only an admin can say who others are in the tracker.'
      : `Dwell knows no admins of the tracker, so who others are is said on the command line: \`npm run --silent dwell -- people --link ${'account' in whom ? whom.account : 'ACCOUNT'} --to USERNAME\`.`;
    return notice(who, 'You yourself: `/delegates link`.');
  }
  const chosen = 'account' in whom ? whom : await accountOf(whom, parts);
  if ('text' in chosen) return chosen;
  const { account, name } = chosen;
  const plain = name.trim();
  if (plain === '') return notice('Type their user name of the tracker behind the mention.');
  const users = await parts.people.users();
  const named = usersNamed(plain, users);
  const [user = await parts.people.hostedUser(plain), ...others] = named;
  if (user === null || others.length > 0) {
    const candidates = user === null ? usersLike(plain, users) : [user, ...others].slice(0, 10);
    const shown = candidates.map((one) => codeText(unmistakableName(one, users) ?? loginOf(one))).join(', ');
    const lead =
      user === null
        ? `The tracker knows nobody called ${codeText(plain)}.`
        : `Several people are called ${codeText(plain)}.`;
    return notice(lead, ...(shown === '' ? [] : [`Did you mean the user name ${shown}?`]));
  }
  const because = accountProblem(await parts.accounts.profileOf(account));
  if (because !== null) return notice(`I do not link <@${account}>. ${escapeMrkdwn(because)}`);
  await parts.people.link(account, user.id, admin.id);
  const linked = `<@${account}> is *${escapeMrkdwn(user.name)}* (${escapeMrkdwn(loginOf(user))}) in the tracker now.`;
  if (account === person.principal.account) return notice(linked);
  return notice(linked, toldWords[await sendDirectMessage(account, linkNews(admin, user), parts)]);
}

/** The account that is meant by a mention in plain text; where that is not certain, what there is to read instead. */
async function accountOf(
  { typed, usage }: Extract<Whom, { readonly typed: string }>,
  { accounts, people }: PeopleParts,
): Promise<Extract<Whom, { readonly account: string }> | Message> {
  const found = await accountTyped(typed, accounts);
  const [only, ...others] = found?.called ?? [];
  if (found === null || only === undefined) {
    return notice(
      `Nobody in Slack is called ${codeText(found?.name ?? typed)}. Mention the person: \`${usage}\`.`,
    );
  }
  if (others.length === 0) {
    const users = await people.users();
    const isUser = (rest: string) => rest !== '' && usersNamed(rest, users).length > 0;
    const name = found.rests.find(isUser) ?? found.rests.find((rest) => rest !== '') ?? '';
    return { account: only.account, name };
  }
  const handles = [only, ...others]
    .slice(0, MOST_NAMED)
    .map(({ account, handle }) => `<@${account}> is ${codeText(`@${handle}`)}`);
  return notice(
    `Several people in Slack are called ${codeText(found.name)}: ${handles.join(', ')}.`,
    'Type one of these names, or mention the person behind `/delegates link`, where Slack says which account is meant.',
  );
}

const toldWords: Readonly<Record<Told, string>> = {
  told: 'They are told.',
  refused: 'Slack did not take my message to them. Please tell them yourself.',
  unknown: 'I do not know whether my message reached them. Please ask them.',
};

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

/** The link under which somebody says who they are: the browser follows it, Slack only wants to be heard. */
export const openLinkPage: SlackAction<object> = {
  id: 'open-link-page',
  run: async () => [],
};
