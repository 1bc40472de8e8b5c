import { typedAs } from '../../api/people/create-people.ts';
import type { User } from '../../model/issue.ts';
import type { SyncProgress } from '../../model/sync.ts';
import { isTimeZone } from '../../time/zones.ts';
import { siteText } from '../answers/view/sync-lines.ts';
import type { Person } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { LinkingParts, SlackParts } from '../app/parts.ts';
import { Refused } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { hasAdmins, loginOf, type Member, principalOfUser, recognize } from './accounts.ts';

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
      timeZone: await zoneOf(account, user, parts),
      hasAdmins: await hasAdmins(parts.people),
    };
  }
  const several = 'Several people in Jira have the email address of your account.';
  const because = found.kind === 'unknown' ? found.because : several;
  const lead = `Your Slack account is not linked to a Jira user yet. ${escapeMrkdwn(because)}`;
  throw new Refused(await invite(lead, { account, name: userName }, parts));
}

/** The zone of a person in the tracker, else that of their Slack, else the tracker server's. */
export async function zoneOf(
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
