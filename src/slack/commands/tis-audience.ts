import type { Message } from '../../block-kit/message.ts';
import { closedTo } from '../../issues/browse-scope.ts';
import { AppError } from '../../model/error.ts';
import { anybodyIn, trackerDecides } from '../audience/anybody.ts';
import { audienceLine } from '../audience/audience-line.ts';
import { audienceText } from '../audience/audience-text.ts';
import { changeAudience } from '../audience/change-audience.ts';
import { isOurConversation } from '../audience/is-our-conversation.ts';
import { type AudienceChange, readAudienceWords } from '../audience/read-audience-words.ts';
import { whoAllows } from '../audience/who-allows.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import { notice } from '../messages/notice.ts';
import { refusal } from '../messages/refusal.ts';
import type { AudienceParts, LinkingParts, PeopleParts } from '../parts.ts';
import { hasAdmins } from '../people/has-admins.ts';
import { identify } from '../people/identify.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { typedSentences } from '../questions/typed-sentences.ts';

const USAGE = '/tis audience [allow PROJECT[,PROJECT…] [with guests] | forbid PROJECT | reset]';

/** `/tis audience`: of which projects a channel may read; admins of the tracker say so, everybody may see it. */
export const tisAudience: SlashCommand<AudienceParts & LinkingParts> = {
  root: '/tis',
  word: 'audience',
  usage: USAGE,
  summary: 'of which projects this channel may read',
  examples: ['/tis audience', '/tis audience allow WEB', '/tis audience allow WEB,APP with guests'],
  details:
    'Before I post anything where others read it, I look whether all of them may. Without a list I share what everybody who may ask may see, and nothing where guests or other workspaces read; where Jira decides who may see what, nothing at all.',
  async answer(asked, parts) {
    if (isDirect(asked.place.channel)) {
      const ours = await isOurConversation(asked.place.channel, parts.channelFacts);
      const lead = ours ? 'Only you and I read here.' : 'I have no part in this conversation.';
      return [notice(lead, 'Type this in the channel it is about.')];
    }
    try {
      const change = readAudienceWords(asked.text);
      return [change.verb === 'show' ? await show(asked, parts) : await changeShown(change, asked, parts)];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      return [refusal(typedSentences(error), `Type \`${USAGE}\`.`)];
    }
  },
};

async function show(
  { principal, place: { channel } }: Asked,
  parts: AudienceParts & PeopleParts,
): Promise<Message> {
  const { projects } = await parts.channels.channel(channel);
  const isClosed = closedTo(
    await parts.reporting.browseScope(await resolvePrincipal(principal.account, parts)),
  );
  const outsiders = await parts.channelFacts.outsidersIn(channel);
  const byTracker = trackerDecides(await parts.reporting.browseScope(anybodyIn(parts.people)));
  const allowing = whoAllows(channel, await hasAdmins(parts.people));
  const isShut = projects === null && byTracker;
  return notice(
    ...audienceText({ projects, outsiders, byTracker, allowing }, isClosed),
    // Of one that is shut that is told already.
    ...(isShut ? [] : [`${allowing.who} can change it: ${allowing.line(['PROJECT'], false)}.`]),
  );
}

async function changeShown(
  change: Exclude<AudienceChange, { readonly verb: 'show' }>,
  asked: Asked,
  parts: AudienceParts & LinkingParts,
): Promise<Message> {
  const { channel } = asked.place;
  const identified = await identify(asked, parts);
  if ('refusal' in identified) return identified.refusal;
  const { account, principal, hasAdmins: someAreAdmins } = identified.member;
  if (principal.rights !== 'admin') {
    return notice(
      someAreAdmins
        ? 'Only an admin of the tracker can say what a channel may read of.'
        : `Dwell knows no admins of the tracker, so this is said on the command line: \`${audienceLine(change, channel)}\`.`,
    );
  }
  const projects = await changeAudience(change, { channel, account, principal }, parts);
  const outsiders = await parts.channelFacts.outsidersIn(channel);
  const byTracker = trackerDecides(await parts.reporting.browseScope(anybodyIn(parts.people)));
  return notice(
    'From now on:',
    ...audienceText({ projects, outsiders, byTracker, allowing: whoAllows(channel, true) }, null),
  );
}
