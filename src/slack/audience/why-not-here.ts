import type { ChannelsApi } from '../../api/channels.ts';
import type { ReportingApi } from '../../api/reporting.ts';
import { closedTo } from '../../model/access.ts';
import type { AllowedProject } from '../../model/channel.ts';
import type { Contents } from '../../model/contents.ts';
import type { Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import { codeText, lineText } from '../messages/code-text.ts';
import { someOf } from '../messages/some-of.ts';
import { anybody, trackerDecides } from './anybody.ts';
import type { ChannelFacts } from './channel-facts.ts';
import { isOurConversation } from './is-our-conversation.ts';
import type { Outsiders } from './outsiders.ts';

/** What the audience of an answer is judged by. */
export interface AudienceParts {
  readonly channels: Pick<ChannelsApi, 'channel'>;
  readonly channelFacts: ChannelFacts;
  readonly reporting: Pick<ReportingApi, 'scope'>;
}

/**
 * Why an answer with these contents may not be told in a place where others read it, in whole sentences (mrkdwn, with
 * what would help); none: it may. Whatever cannot be found out counts as a no.
 */
export async function whyNotHere(
  contents: Contents | null,
  channel: Place['channel'],
  { channels, channelFacts, reporting }: AudienceParts,
): Promise<readonly string[]> {
  if (await isOurConversation(channel, channelFacts)) return [];
  if (isDirect(channel))
    return ['I have no part in this conversation, so I can tell nothing to both of you.'];
  if (contents === null) {
    return ['Nobody can tell which projects this is about, so it is for you alone.'];
  }
  const { projects: allowed } = await channels.channel(channel);
  const { withLevel } = contents;
  // Where nobody tells levels, an admin who lists a project for a channel vouches for all of its issues.
  if (withLevel === null && allowed === null) return aboutUntoldLevels(contents.projects);
  const levels = withLevel === null || withLevel === 0 ? [] : [aboutLevels(contents.issues, withLevel)];
  if (allowed === null) {
    const scope = await reporting.scope(anybody);
    const isClosed = closedTo(scope);
    const closed = contents.projects.filter((key) => isClosed?.(key));
    if (closed.length > 0) return [...levels, ...aboutClosed(closed, trackerDecides(scope))];
    return [...levels, ...aboutOutsiders(contents.projects, await channelFacts.outsidersIn(channel))];
  }
  const missing = contents.projects.filter((key) => !allowed.some((one) => one.key === key));
  if (missing.length > 0) return [...levels, ...aboutMissing(missing)];
  const withoutGuests = contents.projects.filter((key) => !isForGuests(key, allowed));
  if (withoutGuests.length === 0) return levels;
  return [...levels, ...aboutOutsiders(withoutGuests, await channelFacts.outsidersIn(channel))];
}

function isForGuests(key: string, allowed: readonly AllowedProject[]): boolean {
  return allowed.some((one) => one.key === key && one.withGuests);
}

function aboutUntoldLevels(keys: readonly string[]): readonly string[] {
  return [
    'The time-in-status service does not tell which issues have a security level, so this is for you alone.',
    `Where all issues of ${keys.length === 1 ? 'the project' : 'the projects'} may be read by everybody here, an admin of the tracker can say so: ${allow(keys, false)}.`,
  ];
}

function aboutLevels(issues: number, withLevel: number): string {
  if (issues === 1) return 'The issue has a security level, so it is not for everybody here.';
  const has = withLevel === 1 ? 'has a security level, so it is' : 'have a security level, so they are';
  const cure = 'A filter with `AND level is EMPTY` leaves such issues out.';
  return `${withLevel} of the ${issues} issues ${has} not for everybody here. ${cure}`;
}

/** Where the tracker says what each person may see, it says nothing of a channel. */
function aboutClosed(keys: readonly string[], byTracker: boolean): readonly string[] {
  if (byTracker) {
    return [
      'The tracker itself decides who may see what, so nothing is shared here before an admin has said what this channel may read of.',
      `An admin of the tracker does so with ${allow(keys, false)}.`,
    ];
  }
  return [
    `${named(keys)} not open to everybody who may ask.`,
    `An admin of the tracker can open ${them(keys)} to this channel: ${allow(keys, false)}.`,
  ];
}

function aboutMissing(keys: readonly string[]): readonly string[] {
  return [
    `${named(keys)} not among the projects this channel may read of.`,
    `An admin of the tracker can add ${them(keys)}: ${allow(keys, false)}.`,
  ];
}

function aboutOutsiders(keys: readonly string[], outsiders: Outsiders): readonly string[] {
  const cure = `An admin of the tracker can allow it all the same: ${allow(keys, true)}.`;
  switch (outsiders.kind) {
    case 'none':
      return [];
    case 'some':
      return [`This channel ${outsiders.what}, so not only people of this workspace would read it.`, cure];
    case 'unknown':
      return [`Guests may read it here. ${outsiders.because}`, cure];
  }
}

function named(keys: readonly string[]): string {
  return `${someOf(keys.map(codeText))} ${keys.length === 1 ? 'is' : 'are'}`;
}

function them(keys: readonly string[]): string {
  return keys.length === 1 ? 'it' : 'them';
}

/** So many keys fit well into a line that is to be typed. */
const TYPED = 20;

function allow(keys: readonly string[], withGuests: boolean): string {
  const list = keys.length === 0 || keys.length > TYPED ? 'PROJECT,PROJECT' : keys.join(',');
  return lineText(`/tis audience allow ${list}${withGuests ? ' with guests' : ''}`);
}
