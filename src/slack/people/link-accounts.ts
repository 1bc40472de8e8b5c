import { usersLike, usersNamed } from '../../api/people/create-people.ts';
import { unmistakableName } from '../../api/people/logins.ts';
import type { User } from '../../model/issue.ts';
import type { Person, SlackAction, SlashCommand } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { LinkingParts, MessageParts, PeopleParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import type { Message } from '../blocks/message.ts';
import { codeText, escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { loginOf, principalOfUser, type Recognition, recognize } from './accounts.ts';
import { accountTyped, identify, invite, splitPerson } from './identify.ts';
import { accountProblem } from './members.ts';

/** `/tis link`: links an account; one's own or, by an admin, another person's. */
export const tisLink: SlashCommand<LinkingParts & MessageParts> = linkCommand('/tis');

/** `/delegates link`: the same. */
export const delegatesLink: SlashCommand<LinkingParts & MessageParts> = linkCommand('/delegates');

function linkCommand(root: string): SlashCommand<LinkingParts & MessageParts> {
  return {
    root,
    word: 'link',
    isInSettings: true,
    usage: `${root} link [@PERSON USERNAME]`,
    summary: 'link a Slack account to a Jira user',
    examples: [`${root} link @bob bob`],
    details:
      'You see what your Jira user can see. Dwell finds it by your email address in Slack; if that fails, link it yourself with a Dwell token, or ask an admin.',
    async answer(invocation, parts) {
      const usage = `${root} link @PERSON USERNAME`;
      const split = splitPerson(invocation.text, new Map());
      if (split !== null) {
        const { person, remainder } = split;
        if ('account' in person)
          return [await linkOther(invocation, { account: person.account, name: remainder }, parts)];
        return invocation.text.startsWith('@')
          ? [await linkOther(invocation, { typed: invocation.text, usage }, parts)]
          : [notice(`Mention the person: \`${usage}\`. Without one, you link your own account.`)];
      }
      const { account } = invocation.principal;
      const found = await recognize(account, parts);
      return [await invite(leadOf(found, parts), { account, name: invocation.userName }, parts)];
    },
  };
}

function leadOf(found: Recognition, { people }: PeopleParts): string {
  if (found.kind !== 'known') return 'Link your Slack account to your Jira user.';
  const { user, link } = found;
  const known = `Linked to Jira user ${nameOf(user)}. You see what ${escapeMrkdwn(user.name)} can see in Jira.`;
  if (link?.proof === null) return known;
  return user.admin === true && principalOfUser(people.tenant, found).rights !== 'admin'
    ? `${known} You don't have admin rights here: the token you linked with has none. Link again with a token issued with \`--admin\`.`
    : `${known} Not you? Link another user.`;
}

/** More accounts of one name than people choose from. */
const MAX_NAMED = 10;

/** An account and the user name for it, or both as they were typed, beginning with an `@`. */
type LinkTarget =
  | { readonly account: string; readonly name: string }
  | { readonly typed: string; readonly usage: string };

/** An admin links the account of another person, who is notified; it has to be a member of this workspace. */
async function linkOther(
  person: Person,
  target: LinkTarget,
  parts: LinkingParts & MessageParts,
): Promise<Message> {
  const { user: admin, principal, hasAdmins } = await identify(person, parts);
  if (principal.rights !== 'admin') {
    const who = hasAdmins
      ? 'Only an admin can link other people.'
      : `No Dwell admin yet. On the server: \`npx dwell people --link ${'account' in target ? target.account : 'ACCOUNT'} --to USERNAME\`.`;
    return notice(who, 'To link your own account: `/delegates link`.');
  }
  const chosen = 'account' in target ? target : await accountOf(target, parts);
  if ('text' in chosen) return chosen;
  const { account } = chosen;
  const name = chosen.name.trim();
  if (name === '') return notice('Add their Jira user name after the mention.');
  const users = await parts.people.users();
  const [user = await parts.people.hostedUser(name), ...others] = usersNamed(name, users);
  if (user === null || others.length > 0) {
    const candidates = user === null ? usersLike(name, users) : [user, ...others].slice(0, MAX_NAMED);
    const shown = candidates.map((one) => codeText(unmistakableName(one, users) ?? loginOf(one))).join(', ');
    const lead =
      user === null ? `I can't find ${codeText(name)} in Jira.` : `Several people match ${codeText(name)}.`;
    return notice(lead, ...(shown === '' ? [] : [`Did you mean the user name ${shown}?`]));
  }
  const because = accountProblem(await parts.accounts.profileOf(account));
  if (because !== null) return notice(`<@${account}> can't be linked. ${escapeMrkdwn(because)}`);
  await parts.people.link(account, user.id, admin.id);
  const linked = `<@${account}> is linked to Jira user ${nameOf(user)}.`;
  if (account === person.principal.account) return notice(linked);
  switch (await sendDirectMessage(account, linkNews(admin, user), parts)) {
    case 'posted':
      return notice(linked, 'They were notified.');
    case 'refused':
      return notice(linked, "Slack didn't deliver my message to them. Please let them know.");
    case 'unknown':
      return notice(linked, 'My message to them may not have arrived. Please let them know.');
  }
}

/** The account meant by a mention in plain text; where that is not certain, what to type instead. */
async function accountOf(
  { typed, usage }: Extract<LinkTarget, { readonly typed: string }>,
  { accounts, people }: PeopleParts,
): Promise<Extract<LinkTarget, { readonly account: string }> | Message> {
  const found = await accountTyped(typed, accounts);
  const [only, ...others] = found?.called ?? [];
  if (found === null || only === undefined) {
    const name = codeText(found?.name ?? typed);
    return notice(`No one in Slack is called ${name}. Mention the person: \`${usage}\`.`);
  }
  if (others.length === 0) {
    const users = await people.users();
    const isUser = (remainder: string) => remainder !== '' && usersNamed(remainder, users).length > 0;
    const name =
      found.remainders.find(isUser) ?? found.remainders.find((remainder) => remainder !== '') ?? '';
    return { account: only.account, name };
  }
  const handles = [only, ...others]
    .slice(0, MAX_NAMED)
    .map(({ account, handle }) => `<@${account}> is ${codeText(`@${handle}`)}`);
  return notice(
    `Several people in Slack are called ${codeText(found.name)}: ${handles.join(', ')}.`,
    'Type one of these names, or mention the person after `/delegates link`.',
  );
}

/** The message to the owner of an account when an admin links it. */
function linkNews(admin: User, user: User): Message {
  return notice(
    `${nameOf(admin)} linked your Slack account to Jira user ${nameOf(user)}. You see what ${escapeMrkdwn(user.name)} can see in Jira.`,
    'If that is wrong, ask an admin to change it.',
  );
}

function nameOf(user: User): string {
  return `*${escapeMrkdwn(user.name)}* (${escapeMrkdwn(loginOf(user))})`;
}

/** The button that opens the link page: the browser follows it, Slack only expects an answer. */
export const openLinkPage: SlackAction<object> = { id: 'open-link-page', run: async () => [] };
