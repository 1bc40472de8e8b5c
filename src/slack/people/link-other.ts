import { unmistakableName } from '../../api/people/logins.ts';
import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Person } from '../command.ts';
import { linkNews } from '../messages/link-news.ts';
import { notice } from '../messages/notice.ts';
import type { LinkingParts, MessageParts, PeopleParts } from '../parts.ts';
import { type Told, tellDirectly } from '../tell-directly.ts';
import { accountTyped } from './account-typed.ts';
import { identify } from './identify.ts';
import { loginOf } from './login-of.ts';
import { usersLike, usersNamed } from './users-named.ts';
import { whyNobody } from './why-nobody.ts';

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
  const because = whyNobody(await parts.accounts.profileOf(account));
  if (because !== null) return notice(`I do not link <@${account}>. ${escapeMrkdwn(because)}`);
  await parts.people.link(account, user.id, admin.id);
  const linked = `<@${account}> is *${escapeMrkdwn(user.name)}* (${escapeMrkdwn(loginOf(user))}) in the tracker now.`;
  if (account === person.principal.account) return notice(linked);
  return notice(linked, toldWords[await tellDirectly(account, linkNews(admin, user), parts)]);
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
