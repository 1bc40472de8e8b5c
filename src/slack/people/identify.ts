import { typedAs, usersLike, usersNamed } from '../../api/people/create-people.ts';
import { unmistakableName } from '../../api/people/logins.ts';
import type { User } from '../../model/issue.ts';
import type { SyncProgress } from '../../model/sync.ts';
import { shorten } from '../../output/readable-text.ts';
import { isTimeZone } from '../../time/zones.ts';
import { siteText } from '../answers/view/sync-lines.ts';
import type { Person } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { Accounts, Called, LinkingParts, PeopleParts, SlackParts } from '../app/parts.ts';
import { Refused, runButton } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, codeText, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { hasAdmins, loginOf, type Member, principalOfUser, type Recognition, recognize } from './accounts.ts';

/** The person in the tracker. Where that is not certain it is `Refused`, with how to link the account. */
export async function identify({ principal, userName }: Person, parts: LinkingParts): Promise<Member> {
  const account = principal.account;
  const found = await recognize(account, parts);
  if (found.kind === 'known') {
    const { user } = found;
    return {
      account,
      user,
      typedAs: typedAs(user, await parts.people.users()),
      principal: principalOfUser(parts.people.tenant, found),
      timeZone: await timeZoneOf(account, user, parts),
      hasAdmins: await hasAdmins(parts.people),
    };
  }
  const several = 'Several people in Jira have the email address of your account.';
  const because = found.kind === 'unknown' ? found.because : several;
  const lead = `Your Slack account is not linked to a Jira user yet. ${escapeMrkdwn(because)}`;
  throw new Refused(await invite(lead, { account, name: userName }, parts));
}

/** The zone of a person in the tracker, else that of their Slack, else the tracker server's. */
export async function timeZoneOf(
  account: string | null,
  { timeZone }: User,
  parts: Pick<SlackParts, 'accounts' | 'timeZone'>,
): Promise<string> {
  if (timeZone !== undefined && isTimeZone(timeZone)) return timeZone;
  // A zone that cannot be looked up is no reason not to answer.
  const profile = account === null ? null : await parts.accounts.profileOf(account).catch(() => null);
  return profile?.timeZone ?? parts.timeZone;
}

/** A personal link with which people prove who they are, unless an admin has linked them. */
export async function invite(
  lead: string,
  invitation: { readonly account: string; readonly name: string },
  { people, sync, baseUrl }: Pick<SlackParts, 'people' | 'sync' | 'baseUrl'>,
): Promise<Message> {
  const { account } = invitation;
  const users = await people.users();
  if (users.size === 0 && !(await people.areHosted()))
    return notice(lead, noPeopleText(await sync.progress()));
  const link = await people.linkOf(account);
  if (link?.proof === null) {
    // Nothing they do themselves changes that.
    const login = (id: string) => escapeMrkdwn(loginOf(users.get(id) ?? { id }));
    return notice(
      `${lead} An admin (${login(link.by)}) linked your account to ${login(link.user)}. Ask an admin to change that.`,
    );
  }
  const token = baseUrl === null ? null : encodeURIComponent(await people.createLinkToken(invitation));
  const url = token === null ? null : `${baseUrl}/link?ticket=${token}`;
  return linkInvitation(lead, url, linkByOthers(account, await hasAdmins(people)));
}

/** Why there are no people yet, so that no link would help: in a sentence (mrkdwn). Null: nothing is kept in sync. */
export function noPeopleText(sync: SyncProgress | null): string {
  if (sync === null || sync.filled) {
    return 'There are no Jira users here yet. An admin can connect Jira (the `JIRA_*` settings) or import users.';
  }
  const state = sync.problem === null ? 'is running' : 'is paused';
  return `There are no Jira users here yet: they come with the initial sync${siteText(sync.site)}, which ${state}.`;
}

/** The way for others to link an account, as the rest of a sentence. */
export function linkByOthers(account: string, hasAdmins: boolean): string {
  const line = `\`npx dwell people --link ${account} --to USERNAME\``;
  return hasAdmins
    ? `an admin can run \`/delegates link @PERSON USERNAME\`, or ${line}.`
    : `it can be linked on the command line: ${line}.`;
}

/**
 * An invitation to link an account; `link` is null where Dwell has no address that people reach. Expects an escaped
 * lead.
 */
export function linkInvitation(lead: string, link: string | null, others: string): Message {
  if (link === null) {
    const how = 'Linking it yourself works once an admin sets `BASE_URL`, the address of Dwell.';
    return {
      text: `${lead} ${how} Until then, ${others}`,
      blocks: [section(`${lead}\n${how}`), context(`Until then, ${others}`)],
    };
  }
  const how =
    'Open your link and enter a Dwell token; the person who runs Dwell can issue one. The link works for 15 minutes.';
  const open = button('Link my account', 'open-link-page', 'link');
  return {
    text: `${lead} ${how} <${link}|Link my account> Or ${others}`,
    blocks: [
      section(`${lead}\n${how}`),
      actions({ ...open, url: link, style: 'primary' }),
      context(`Or ${others}`),
    ],
  };
}

/** A person as they were typed: a mention's account, or a name. */
type TypedPerson = { readonly account: string } | { readonly name: string };

/** Which user of the tracker a member means; `me` is the member. */
async function findPerson(
  typed: TypedPerson,
  { user: self }: Pick<Member, 'user'>,
  parts: PeopleParts,
): Promise<Recognition> {
  if ('account' in typed) return recognize(typed.account, parts);
  if (typed.name.toLowerCase() === 'me') return { kind: 'known', user: self };
  const users = await parts.people.users();
  const [user, ...others] = usersNamed(typed.name, users);
  if (user === undefined) {
    const hostedUser = await parts.people.hostedUser(typed.name);
    if (hostedUser !== null) return { kind: 'known', user: hostedUser };
    const because = 'No one has this user name, id or full name.';
    return { kind: 'unknown', because, similar: usersLike(typed.name, users) };
  }
  return others.length === 0 ? { kind: 'known', user } : { kind: 'several', users: [user, ...others] };
}

/** Names can have blanks; none has more words. */
const MAX_WORDS = 6;

/** The Slack name a line begins with after an `@`; `remainders` are what comes after, the longest name first. */
interface TypedAccount {
  readonly name: string;
  readonly called: readonly Called[];
  readonly remainders: readonly string[];
}

/**
 * The accounts a line can begin with; null without an `@`. Names can have blanks, and anyone can call themselves as a line
 * about another person goes on: where a shorter and a longer name belong to different people, all of them are returned.
 */
export async function accountTyped(text: string, accounts: Accounts): Promise<TypedAccount | null> {
  const [, typed] = /^@(\S.*)$/s.exec(text.trim()) ?? [];
  if (typed === undefined) return null;
  const words = typed.split(/\s+/);
  const called = new Map<string, Called>();
  const found: { readonly name: string; readonly remainder: string }[] = [];
  for (let count = Math.min(MAX_WORDS, words.length); count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const some = await accounts.called(name);
    for (const one of some) called.set(one.account, one);
    if (some.length > 0) found.push({ name, remainder: words.slice(count).join(' ') });
  }
  const name = found[0]?.name ?? words[0] ?? '';
  return { name, called: [...called.values()], remainders: found.map(({ remainder }) => remainder) };
}

/** The person a line begins with: a mention, a name of the tracker, or after an `@` a name of Slack; null for an empty line. */
export async function personTyped(
  text: string,
  member: Pick<Member, 'user'>,
  parts: PeopleParts,
): Promise<(Split & { readonly found: Recognition }) | null> {
  const split = splitPerson(text, await parts.people.users());
  if (split === null) return null;
  const found = await findPerson(split.person, member, parts);
  if (found.kind !== 'unknown' || 'account' in split.person) return { ...split, found };
  // If Slack gives no answer, the name stays unknown.
  const typed = await accountTyped(text, parts.accounts).catch(() => null);
  const [only, ...others] = typed?.called ?? [];
  if (typed === null || only === undefined || others.length > 0) return { ...split, found };
  const person = { account: only.account };
  return { person, remainder: typed.remainders[0] ?? '', found: await findPerson(person, member, parts) };
}

/** The person a line begins with, as they were typed, and the rest of the line. */
interface Split {
  readonly person: TypedPerson;
  readonly remainder: string;
}

/** A mention, a name in quotes, the longest name the tracker knows, or else the first word; null for an empty line. */
export function splitPerson(typed: string, users: ReadonlyMap<string, User>): Split | null {
  const text = linkLabels(typed);
  const [, account, afterMention = ''] = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>\s*(.*)$/s.exec(text) ?? [];
  if (account !== undefined) return { person: { account }, remainder: afterMention };
  const plain = text.replace(/^@/, '');
  const [, quoted, afterQuotes = ''] = /^["“„]([^"“”]+)["“”]\s*(.*)$/s.exec(plain) ?? [];
  if (quoted !== undefined)
    return { person: { name: quoted.trim().replace(/\s+/g, ' ') }, remainder: afterQuotes };
  const words = plain.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const prefix = (count: number) => words.slice(0, count).join(' ');
  let count = Math.min(MAX_WORDS, words.length);
  while (count > 1 && usersNamed(prefix(count), users).length === 0) count -= 1;
  return { person: { name: prefix(count) }, remainder: words.slice(count).join(' ') };
}

/** The text as it was typed: Slack makes links of e-mail addresses, and of names with a dot in them. */
export function linkLabels(text: string): string {
  return text.replace(
    /<((?:mailto|https?|tel):[^<>|]*)(?:\|([^<>]*))?>/g,
    (_, address: string, label?: string) => label ?? address,
  );
}

/** The typed form of a person's name that means no one else: `@ada`; null where their names mean others as well. */
export function typedName(user: User, users: ReadonlyMap<string, User>): string | null {
  const name = unmistakableName(user, users);
  return name === null ? null : `@${/\s/.test(name) ? `"${name}"` : name}`;
}

/** Asks which person was meant, with a button for each that runs the line about them. */
interface WhichPerson {
  readonly hasAdmins: boolean;
  readonly users: ReadonlyMap<string, User>;
  lineAbout(name: string): string;
}

/** The message where it is not certain which person is meant: the candidates, or how an account is linked. */
export function askWhich(
  typed: TypedPerson,
  found: Exclude<Recognition, { readonly kind: 'known' }>,
  choice: WhichPerson,
): Message {
  const called = 'account' in typed ? `<@${typed.account}>` : codeText(typed.name);
  if (found.kind === 'several')
    return personChoice(`Several people match ${called}. Which one?`, found.users, choice);
  const lead = `I can't find ${called} in Jira. ${escapeMrkdwn(found.because)}`;
  const { similar = [] } = found;
  if (similar.length > 0) return personChoice(`${lead} Did you mean:`, similar, choice);
  const how =
    'name' in typed
      ? 'Mention the person, or type a Jira user name or full name.'
      : `They can link their account with \`/delegates link\`, or ${linkByOthers(typed.account, choice.hasAdmins)} You can also type their Jira user name.`;
  return notice(`${lead} ${how}`);
}

const SHOWN = 10;
const NAME_LENGTH = 60;

function personChoice(lead: string, candidates: readonly User[], { users, lineAbout }: WhichPerson): Message {
  const shown = candidates.slice(0, SHOWN).map((user) => {
    const text = `*${escapeMrkdwn(shorten(user.name, NAME_LENGTH))}* (${escapeMrkdwn(shorten(loginOf(user), NAME_LENGTH))})`;
    const name = typedName(user, users);
    return name === null ? section(text) : section(text, runButton(lineAbout(name), 'Choose'));
  });
  const more = candidates.length - SHOWN;
  const footer = more > 0 ? [context(`… and ${more} more. Type the user name instead.`)] : [];
  return {
    text: [lead, ...shown.map((one) => one.text?.text ?? '')].join('\n'),
    blocks: [section(lead), ...shown, ...footer],
  };
}
