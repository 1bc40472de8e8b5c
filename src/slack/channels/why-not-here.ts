import type { ChannelsApi } from '../../api/channels/channels-api.ts';
import type { PeopleApi } from '../../api/people/people-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { type AudienceScope, closedTo } from '../../model/request.ts';
import type { Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import type { ChannelFacts, Outsiders } from '../app/ports.ts';
import { someOf } from '../blocks/line-blocks.ts';
import { codeText } from '../blocks/mrkdwn.ts';
import { hasAdmins } from '../people/accounts.ts';
import { type Allowing, anybodyIn, trackerDecides, whoAllows } from './audience.ts';
import { isOurConversation } from './channel-facts.ts';

/** What the audience of an answer is judged by. */
export interface AudienceLookups {
  readonly channels: Pick<ChannelsApi, 'channel'>;
  readonly channelFacts: ChannelFacts;
  readonly reporting: Pick<ReportingApi, 'browseScope'>;
  readonly people: Pick<PeopleApi, 'tenant' | 'users'>;
}

/**
 * Why an answer with these contents cannot be shared in a place where others read it, in whole sentences (mrkdwn, with
 * what would help); none: it can. What is unknown counts as a no.
 */
export async function audienceProblem(
  contents: AudienceScope | null,
  channel: Place['channel'],
  { channels, channelFacts, reporting, people }: AudienceLookups,
): Promise<readonly string[]> {
  if (await isOurConversation(channel, channelFacts)) return [];
  if (isDirect(channel)) return ["I'm not part of this conversation, so I can't share anything here."];
  if (contents === null) {
    return ["I don't know which projects this is about, so it's only visible to you."];
  }
  const { projects: allowed } = await channels.channel(channel);
  const { withLevel } = contents;
  const allowing = async () => whoAllows(channel, await hasAdmins(people));
  // Without levels, an admin who lists a project for a channel vouches for all of its issues.
  if (withLevel === null && allowed === null) return aboutUnknownLevels(contents.projects, await allowing());
  const levels =
    withLevel === null || withLevel === 0
      ? []
      : [aboutLevels(contents.issues, withLevel, contents.withRoles ?? 0)];
  const guarded = async (keys: readonly string[]) => [
    ...levels,
    ...aboutOutsiders(keys, await channelFacts.outsidersIn(channel), await allowing()),
  ];
  if (allowed === null) {
    const scope = await reporting.browseScope(anybodyIn(people));
    const isClosed = closedTo(scope);
    const closed = contents.projects.filter((key) => isClosed?.(key));
    return closed.length === 0
      ? guarded(contents.projects)
      : [...levels, ...aboutClosed(closed, trackerDecides(scope), await allowing())];
  }
  const missing = contents.projects.filter((key) => !allowed.some((one) => one.key === key));
  if (missing.length > 0) return [...levels, ...aboutMissing(missing, await allowing())];
  const withoutGuests = contents.projects.filter(
    (key) => !allowed.some((one) => one.key === key && one.withGuests),
  );
  return withoutGuests.length === 0 ? levels : guarded(withoutGuests);
}

function aboutUnknownLevels(keys: readonly string[], { who, line }: Allowing): readonly string[] {
  return [
    "The time-in-status service doesn't say which issues have a security level or are restricted to roles, so this is only visible to you.",
    `${who} can add ${keys.length === 1 ? 'the project' : 'the projects'} to this channel's list if everyone here can see all ${keys.length === 1 ? 'its' : 'their'} issues: ${line(keys, false)}.`,
  ];
}

function aboutLevels(issues: number, withLevel: number, withRoles: number): string {
  const kinds = [
    ...(withRoles < withLevel ? [['a security level', 'AND level is EMPTY']] : []),
    ...(withRoles > 0 ? [['a restriction to roles', 'AND issuerestriction is EMPTY']] : []),
  ];
  const why = kinds.map(([kind]) => kind).join(' or ');
  const filters = kinds.map(([, filter]) => filter);
  if (issues === 1) return `The issue has ${why}, so it's not for everyone here.`;
  const [have, they] = withLevel === 1 ? ['has', "it's"] : ['have', "they're"];
  return `${withLevel} of the ${issues} issues ${have} ${why}, so ${they} not for everyone here. A filter with \`${filters.join(' ')}\` leaves such issues out.`;
}

/** Where the tracker says what each person can see, it says nothing of a channel. */
function aboutClosed(
  keys: readonly string[],
  byTracker: boolean,
  { who, line }: Allowing,
): readonly string[] {
  return [
    byTracker
      ? 'Nothing can be shared here until projects are chosen.'
      : `${named(keys)} not open to every Dwell user.`,
    `${who} can share ${them(keys)} in this channel: ${line(keys, false)}.`,
  ];
}

function aboutMissing(keys: readonly string[], { who, line }: Allowing): readonly string[] {
  return [
    `${named(keys)} not in the project list of this channel.`,
    `${who} can add ${them(keys)}: ${line(keys, false)}.`,
  ];
}

function aboutOutsiders(
  keys: readonly string[],
  outsiders: Outsiders,
  { who, line }: Allowing,
): readonly string[] {
  if (outsiders.kind === 'none') return [];
  const why =
    outsiders.kind === 'some'
      ? `This channel ${outsiders.what}, so ${outsiders.what === 'has guests' ? 'guests' : 'people outside this workspace'} would see it.`
      : `I don't know if guests can read this channel. ${outsiders.because}`;
  return [why, `${who} can still allow it: ${line(keys, true)}.`];
}

function named(keys: readonly string[]): string {
  return `${someOf(keys.map(codeText))} ${keys.length === 1 ? 'is' : 'are'}`;
}

function them(keys: readonly string[]): string {
  return keys.length === 1 ? 'it' : 'them';
}
