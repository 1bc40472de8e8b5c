import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { bringsAdmin } from '../../model/chat.ts';
import type { User } from '../../model/issue.ts';
import { principalIn } from '../../model/principal.ts';
import { isTimeZone } from '../../time/zones.ts';
import type { Person } from '../command.ts';
import { linkInvitation } from '../messages/link-invitation.ts';
import { notice } from '../messages/notice.ts';
import type { LinkingParts, SlackParts } from '../parts.ts';
import { hasAdmins } from './has-admins.ts';
import type { Member } from './member.ts';
import { nobodyKnown } from './nobody-known.ts';
import { recognize } from './recognize.ts';
import { saidByAdmin } from './said-by-admin.ts';
import { typedAs } from './typed-as.ts';

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
  if (isNobodyKnown) return notice(lead, nobodyKnown(await sync.status()));
  const said = await people.linkOf(account);
  if (said?.proof === null) return saidByAdmin(lead, said, await people.users());
  const withAdmins = await hasAdmins(people);
  if (baseUrl === null) return linkInvitation(lead, { link: null, account, hasAdmins: withAdmins });
  const ticket = encodeURIComponent(await people.createLinkToken(invitation));
  return linkInvitation(lead, { link: `${baseUrl}/link?ticket=${ticket}`, account, hasAdmins: withAdmins });
}
