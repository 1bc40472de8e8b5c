import type { DoorParts, Person } from '../command.ts';
import type { Message } from '../message.ts';
import { linkInvitation } from '../messages/link-invitation.ts';
import { escapeMrkdwn } from '../messages/mrkdwn.ts';
import type { Member } from './member.ts';
import { recognize } from './recognize.ts';

/** Who asks, as the tracker knows them; where that is not certain, what they read instead: how to say who they are. */
export async function identify(
  { asker, userName }: Person,
  parts: DoorParts,
): Promise<{ readonly member: Member } | { readonly refusal: Message }> {
  const account = asker.user;
  const found = await recognize(account, parts);
  if (found.kind === 'known') {
    const { user } = found;
    const timeZone = user.timeZone ?? parts.timeZone;
    const member = { account, user, timeZone, asker: { user: user.id, admin: user.admin === true } };
    return { member };
  }
  const because =
    found.kind === 'unknown'
      ? found.because
      : 'Several people in the tracker have the e-mail address that Slack tells.';
  const lead = `I do not know who you are in the tracker. ${escapeMrkdwn(because)}`;
  return { refusal: await invite(lead, { account, name: userName }, parts) };
}

/** A personal link under which somebody proves who they are. */
export async function invite(
  lead: string,
  invitation: { readonly account: string; readonly name: string },
  { people, baseUrl }: Pick<DoorParts, 'people' | 'baseUrl'>,
): Promise<Message> {
  const ticket = encodeURIComponent(await people.invite(invitation));
  return linkInvitation(lead, `${baseUrl}/link?ticket=${ticket}`, invitation.account);
}
