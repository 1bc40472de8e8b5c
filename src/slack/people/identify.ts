import { holdersOf, unmistakableName } from '../../api/people/logins.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { bringsAdmin, type PersonLink } from '../../model/chat.ts';
import type { User } from '../../model/issue.ts';
import { principalIn } from '../../model/principal.ts';
import type { SyncStatus } from '../../model/sync.ts';
import { isTimeZone } from '../../time/zones.ts';
import type { Person } from '../app/handler-types.ts';
import { button, notice } from '../app/message-texts.ts';
import type { LinkingParts, SlackParts } from '../app/parts.ts';
import { siteText } from '../app/sync-lines.ts';
import { loginOf, type Member } from './accounts.ts';
import { hasAdmins } from './principals.ts';
import { recognize } from './recognize.ts';

/** Who asks, as the tracker knows them; where that is not certain, what they read instead: how to say who they are. */
export async function identify(
  { principal, userName }: Person,
  parts: LinkingParts,
): Promise<{ readonly member: Member } | { readonly refusal: Message }> {
  const account = principal.account;
  const found = await recognize(account, parts);
  if (found.kind === 'known') {
    const { user, link } = found;
    const admin = user.admin === true && (link === undefined || bringsAdmin(link));
    const member = {
      account,
      user,
      typedAs: typedAs(user, await parts.people.users()),
      principal: principalIn(parts.people.tenant, user.id, admin ? 'admin' : 'user'),
      timeZone: await zoneOf(account, user, parts),
      hasAdmins: await hasAdmins(parts.people),
    };
    return { member };
  }
  const because =
    found.kind === 'unknown'
      ? found.because
      : 'Several people in the tracker have the e-mail address that Slack tells.';
  const lead = `I do not know who you are in the tracker. ${escapeMrkdwn(because)}`;
  return { refusal: await invite(lead, { account, name: userName }, parts) };
}

/** The zone the tracker knows of somebody, else that of their Slack, else the tracker server's. */
async function zoneOf(account: string, { timeZone }: User, parts: LinkingParts): Promise<string> {
  if (timeZone !== undefined && isTimeZone(timeZone)) return timeZone;
  // Of somebody linked nothing else is asked of Slack; a zone is no reason not to answer them.
  const profile = await parts.accounts.profileOf(account).catch(() => null);
  return profile?.timeZone ?? parts.timeZone;
}

/** A personal link under which somebody proves who they are, unless an admin has said it. */
export async function invite(
  lead: string,
  invitation: { readonly account: string; readonly name: string },
  { people, sync, baseUrl }: Pick<SlackParts, 'people' | 'sync' | 'baseUrl'>,
): Promise<Message> {
  const { account } = invitation;
  const isNobodyKnown = (await people.users()).size === 0 && !(await people.areHosted());
  if (isNobodyKnown) return notice(lead, noPeopleText(await sync.status()));
  const said = await people.linkOf(account);
  if (said?.proof === null) return linkedByAdminText(lead, said, await people.users());
  const withAdmins = await hasAdmins(people);
  if (baseUrl === null) return linkInvitation(lead, { link: null, account, hasAdmins: withAdmins });
  const ticket = encodeURIComponent(await people.createLinkToken(invitation));
  return linkInvitation(lead, { link: `${baseUrl}/link?ticket=${ticket}`, account, hasAdmins: withAdmins });
}

/** Why nobody in the tracker is known yet, so that no link would help: in a sentence (mrkdwn). Null: nothing is kept fresh. */
export function noPeopleText(sync: SyncStatus | null): string {
  if (sync === null || sync.filled) {
    return 'I know nobody in the tracker yet: people come from Jira (an admin sets `JIRA_*`, also beside `TIS_*`) or from an import.';
  }
  const state = sync.problem === null ? 'is under way' : 'stands still';
  return `I know nobody in the tracker yet: people come with the first fill${siteText(sync.site)}, which ${state}.`;
}

/** What somebody reads whom an admin has linked: nothing of their own would change that. Expects an escaped lead. */
function linkedByAdminText(
  lead: string,
  { user, by }: Pick<PersonLink, 'user' | 'by'>,
  users: ReadonlyMap<string, User>,
): Message {
  const nameOf = (id: string) => escapeMrkdwn(loginOf(users.get(id) ?? { id }));
  return notice(
    `${lead} An admin (${nameOf(by)}) has linked your account to ${nameOf(user)}; ask them, or another admin, to change that.`,
  );
}

/**
 * How somebody is typed on the command line so that nobody else is meant: by login, id or e-mail address. Where none of
 * them will do, the word that stands for a user name.
 */
export function typedAs(user: User, users: ReadonlyMap<string, User>): string {
  const { email } = user;
  const address = email !== undefined && holdersOf(email, users).length === 0 ? email : null;
  return unmistakableName(user, users) ?? address ?? 'USERNAME';
}

/** How somebody says who they are: by a link of their own, or through others. */
interface LinkWays {
  /** Null where this Dwell has no address that others reach. */
  readonly link: string | null;
  readonly account: string;
  /** Whether the tracker has admins; else the command line does their work. */
  readonly hasAdmins: boolean;
}

/** How somebody says who they are in the tracker. Expects an escaped lead. */
export function linkInvitation(lead: string, { link, account, hasAdmins }: LinkWays): Message {
  const line = `\`npm run --silent dwell -- people --link ${account} --to USERNAME\``;
  const others = hasAdmins
    ? `an admin says it: \`/delegates link @you USERNAME\`, or ${line}.`
    : `it is said on the command line: ${line}.`;
  if (link === null) {
    const how =
      'For a link of your own an admin has to set `BASE_URL`, the address at which people reach Dwell.';
    return {
      text: `${lead} ${how} Until then ${others}`,
      blocks: [section(`${lead}\n${how}`), context(`Until then ${others}`)],
    };
  }
  const how = 'Open your link and prove who you are with a token of Dwell; it works for 15 minutes.';
  return {
    text: `${lead} ${how} <${link}|Link my account> Or ${others}`,
    blocks: [
      section(`${lead}\n${how}`),
      {
        type: 'actions',
        elements: [{ ...button('Link my account', 'open-link-page', 'link'), url: link, style: 'primary' }],
      },
      context(`Or ${others}`),
    ],
  };
}
