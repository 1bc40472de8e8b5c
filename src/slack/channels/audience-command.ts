import { allowProjects, forbidProjects, readProjectKeys } from '../../api/channels/create-channels.ts';
import type { Message } from '../../block-kit/message.ts';
import { closedTo } from '../../issues/browse-scope.ts';
import type { AllowedProject } from '../../model/chat.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { AudienceParts, LinkingParts, PeopleParts, SlackParts } from '../app/parts.ts';
import { refusal, typedSentences } from '../app/show-failure.ts';
import { identify } from '../people/identify.ts';
import { hasAdmins, resolvePrincipal } from '../people/principals.ts';
import type { AudienceChange } from './audience.ts';
import { anybodyIn, audienceLine, audienceText, trackerDecides, whoAllows } from './audience.ts';
import { isOurConversation } from './channel-facts.ts';

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
  { principal, place: { channel } }: SlashInvocation,
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
  asked: SlashInvocation,
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

/** Reads `[allow|forbid|reset] [PROJECT,PROJECT…] [with guests]`; what is wrong is a `bad-request`. */
function readAudienceWords(typed: string): AudienceChange {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  switch (verb.toLowerCase()) {
    case '':
      return { verb: 'show' };
    case 'reset':
      if (rest !== '') throw badRequestAs('unknown-parameter', `'${rest}' is too much. Try: reset alone.`);
      return { verb: 'reset' };
    case 'allow': {
      const bare = rest.replace(/(^|\s+)with\s+guests$/i, '');
      return { verb: 'allow', keys: keysIn('allow', bare), withGuests: bare !== rest };
    }
    case 'forbid':
      return { verb: 'forbid', keys: keysIn('forbid', rest) };
    default:
      throw badRequestAs(
        'unknown-name',
        `'${verb}' is not known. Try: allow, forbid, reset, or nothing to see the list.`,
      );
  }
}

function keysIn(verb: string, typed: string): readonly string[] {
  const keys = readProjectKeys(typed);
  if (keys.length === 0)
    throw badRequestAs('missing-value', `The project is missing behind ${verb}. Try: keys, such as WEB.`);
  return keys;
}

/** Changes what a channel may read of, and tells its list then. A project the principal cannot see is not allowed by them. */
async function changeAudience(
  change: Exclude<AudienceChange, { readonly verb: 'show' }>,
  {
    channel,
    account,
    principal,
  }: { readonly channel: string; readonly account: string; readonly principal: Principal },
  { channels, reporting }: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<readonly AllowedProject[] | null> {
  if (change.verb === 'allow') {
    for (const project of change.keys) {
      await reporting.check(
        ask({ principal, reportType: 'statusDuration', selection: { by: 'project', project } }),
      );
    }
  }
  const { projects: kept } = await channels.channel(channel);
  const { projects } = await channels.changeChannel(channel, { projects: listAfter(change, kept) }, account);
  return projects;
}

function listAfter(
  change: Parameters<typeof changeAudience>[0],
  kept: readonly AllowedProject[] | null,
): readonly AllowedProject[] | null {
  switch (change.verb) {
    case 'reset':
      return null;
    case 'allow':
      return allowProjects(kept, change.keys, change.withGuests);
    case 'forbid':
      return forbidProjects(kept, change.keys);
  }
}
