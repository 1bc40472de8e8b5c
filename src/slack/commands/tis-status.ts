import { anybodyIn, trackerDecides } from '../audience/anybody.ts';
import { isOurConversation } from '../audience/is-our-conversation.ts';
import { whoAllows } from '../audience/who-allows.ts';
import { inForce } from '../calendars/in-force.ts';
import type { SlashCommand } from '../command.ts';
import { usageRefusal } from '../messages/usage-refusal.ts';
import type { AudienceParts, SlackParts } from '../parts.ts';
import { hasAdmins } from '../people/has-admins.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { asFarAsTold } from '../status/as-far-as-told.ts';
import { gatherStatus } from '../status/gather-status.ts';
import { type PlaceStatus, statusMessage } from '../status/status-message.ts';

/** `/tis status`: how Dwell is, as far as it matters here. */
export const tisStatus: SlashCommand<
  AudienceParts &
    Pick<
      SlackParts,
      'accounts' | 'digests' | 'now' | 'settings' | 'sync' | 'timeZone' | 'version' | 'watches' | 'web'
    >
> = {
  root: '/tis',
  word: 'status',
  usage: '/tis status',
  summary: 'how fresh the data is, what counts in this channel, and who you are to me',
  details:
    'The tracker and its issues, which histories are cut, the calendar and zone here, what may be told to all in this channel, and which of your digests failed.',
  async answer(asked, parts) {
    if (asked.text !== '') return [usageRefusal(asked.text, tisStatus.usage)];
    const { place } = asked;
    const account = asked.principal.account;
    const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
    const [status, { text: hours }, audience] = await Promise.all([
      gatherStatus(account, parts),
      inForce(place, account, calendars, parts),
      audienceOf(place.channel, parts),
    ]);
    return [statusMessage(status, { hours, audience }, parts.version)];
  },
};

async function audienceOf(
  channel: string,
  { channels, channelFacts, reporting, people }: AudienceParts,
): Promise<PlaceStatus['audience']> {
  if (await isOurConversation(channel, channelFacts)) return 'direct';
  const { projects } = await channels.channel(channel);
  const open = await asFarAsTold(reporting.browseScope(anybodyIn(people)));
  return {
    projects,
    outsiders: await channelFacts.outsidersIn(channel),
    byTracker: open.value !== null && trackerDecides(open.value),
    allowing: whoAllows(channel, await hasAdmins(people)),
  };
}
