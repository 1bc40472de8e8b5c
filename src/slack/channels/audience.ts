import {
  allowProjects,
  type ChannelsApi,
  forbidProjects,
  readProjectKeys,
} from '../../api/channels/create-channels.ts';
import type { PeopleApi } from '../../api/people/create-people.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { AllowedProject } from '../../model/chat.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import { reportIds } from '../../model/report-ids.ts';
import {
  type AudienceScope,
  ask,
  type BrowseScope,
  closedTo,
  type IsClosed,
  type Principal,
  principalIn,
} from '../../model/request.ts';
import type { Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import type { AudienceParts, ChannelFacts, Outsiders, SlackParts } from '../app/parts.ts';
import { oneOf } from '../ask/grammar/typed-words.ts';
import { someOf } from '../blocks/message.ts';
import { codeText, lineText, unescapeMrkdwn } from '../blocks/mrkdwn.ts';
import { hasAdmins } from '../people/accounts.ts';
import { isOurConversation } from './channel-facts.ts';

/**
 * The person who lists projects for a channel, as a sentence begins with them, and the line (mrkdwn) they type for it.
 */
interface Allowing {
  readonly who: string;
  line(keys: readonly string[], withGuests: boolean): string;
}

const TYPED = 20;

/** An admin of the tracker, in the channel; without admins the command line does their work. */
export function whoAllows(channel: string, hasAdmins: boolean): Allowing {
  return {
    who: hasAdmins ? 'An admin' : 'The person who runs Dwell',
    line(all, withGuests) {
      const keys = all.length > 0 && all.length <= TYPED ? all : ['PROJECT', 'PROJECT'];
      const typed = `/tis audience allow ${keys.join(',')}${withGuests ? ' with guests' : ''}`;
      return lineText(hasAdmins ? typed : audienceLine({ verb: 'allow', keys, withGuests }, channel));
    },
  };
}

/** More keys are too many to read in a line. */
const SHOWN = 30;

interface Audience {
  /** Null: it has no list. */
  readonly projects: readonly AllowedProject[] | null;
  readonly outsiders: Outsiders;
  /** The tracker itself says what each person can see, and nothing of channels. */
  readonly byTracker: boolean;
  readonly allowing: Allowing;
}

/** The projects that can be shared in a channel, and its readers. */
export async function audienceIn(
  channel: string,
  { channels, channelFacts, reporting, people }: AudienceParts,
): Promise<Audience> {
  const { projects } = await channels.channel(channel);
  return {
    projects,
    outsiders: await channelFacts.outsidersIn(channel),
    byTracker: trackerDecides(await reporting.browseScope(anybodyIn(people))),
    allowing: whoAllows(channel, await hasAdmins(people)),
  };
}

/** The same in whole sentences (mrkdwn), for a reader to whom some projects are closed (null: none). */
export function audienceText(
  { projects, outsiders, byTracker, allowing }: Audience,
  isClosed: IsClosed | null,
  isAdmin: boolean,
): readonly string[] {
  const without = withoutList(byTracker, outsiders);
  return [
    projects === null ? without : listText(projects, isClosed),
    ...outsidersText(outsiders),
    ...(isAdmin ? [] : [`${allowing.who} can change it: ${allowing.line(['PROJECT'], false)}.`]),
  ];
}

function listText(projects: readonly AllowedProject[], isClosed: IsClosed | null): string {
  if (projects.length === 0) return 'No project can be shared here.';
  const shown = projects.filter(({ key }) => !isClosed?.(key));
  const names = shown.map(({ key, withGuests }) => `${codeText(key)}${withGuests ? ' (with guests)' : ''}`);
  const unseen = projects.length - shown.length;
  const parts = [
    ...(names.length === 0 ? [] : [someOf(names, SHOWN)]),
    ...(unseen === 0 ? [] : [`${unseen} you can't see`]),
  ];
  return `Projects that can be shared here: ${parts.join(', and ')}.`;
}

function withoutList(byTracker: boolean, outsiders: Outsiders): string {
  return byTracker || outsiders.kind !== 'none'
    ? 'Nothing can be shared here until projects are chosen.'
    : 'Anything every Dwell user can see can be shared here. Choose projects to change that.';
}

function outsidersText(outsiders: Outsiders): readonly string[] {
  if (outsiders.kind === 'none') return [];
  return [
    outsiders.kind === 'some'
      ? `This channel ${outsiders.what}.`
      : `I don't know if guests can read this channel. ${outsiders.because}`,
  ];
}

/** No one in particular: they see what every user can see, and nothing where the tracker itself decides. */
function anybodyIn({ tenant }: { readonly tenant: string }): Principal {
  return principalIn(tenant, '');
}

/** True if a scope is one that the tracker itself opens. */
export function trackerDecides(scope: BrowseScope): boolean {
  return 'openProjects' in scope;
}

interface AudienceChange {
  readonly verb: 'allow' | 'forbid' | 'reset';
  readonly keys: readonly string[];
  readonly withGuests: boolean;
}

/** The line for a change, as typed on the command line. */
export function audienceLine({ verb, keys, withGuests }: AudienceChange, channel: string): string {
  const words = [verb, ...keys, ...(withGuests ? ['--with-guests'] : [])];
  return `npx dwell audience ${channel} ${words.join(' ')}`;
}

/** Reads `allow|forbid|reset [PROJECT,PROJECT…] [with guests]`; what is wrong is a `bad-request`. */
export function readAudienceChange(typed: string): AudienceChange {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  const verb = oneOf(['allow', 'forbid', 'reset'], word);
  if (verb === undefined)
    throw badRequestAs('unknown-name', `I don't understand "${word}". Try: allow, forbid, reset.`);
  const bare = verb === 'allow' ? rest.replace(/(^|\s+)with\s+guests$/i, '') : rest;
  if (verb === 'reset') {
    if (rest !== '') throw badRequestAs('unknown-parameter', 'reset takes nothing after it.');
    return { verb, keys: [], withGuests: false };
  }
  const keys = readProjectKeys(bare);
  if (keys.length === 0)
    throw badRequestAs('missing-value', `The project is missing after ${verb}. Try: keys, such as WEB.`);
  return { verb, keys, withGuests: bare !== rest };
}

/** A channel's list after a change. */
export function listAfter(
  { verb, keys, withGuests }: AudienceChange,
  current: readonly AllowedProject[] | null,
): readonly AllowedProject[] | null {
  if (verb === 'reset') return null;
  return verb === 'allow' ? allowProjects(current, keys, withGuests) : forbidProjects(current, keys);
}

/** Replaces a channel's list. A project that the principal cannot see is not added by them. */
export async function changeList(
  channel: string,
  { account, principal }: { readonly account: string; readonly principal: Principal },
  projects: readonly AllowedProject[] | null,
  { channels, reporting }: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<void> {
  const { projects: before } = await channels.channel(channel);
  for (const { key: project, withGuests } of projects ?? []) {
    if (before?.some((one) => one.key === project && one.withGuests === withGuests)) continue;
    await reporting.check(
      ask({ principal, reportType: reportIds.statusDuration, selection: { by: 'project', project } }),
    );
  }
  await channels.changeChannel(channel, { projects }, account);
}

/** Which projects are closed to a principal; null: none. */
export async function closedFor(
  principal: Principal,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<IsClosed | null> {
  return closedTo(await reporting.browseScope(principal));
}

/** The parts that the audience of an answer is judged by. */
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

/** The same, where what passes by itself is no answer but `unavailable`: the post waits for one. */
export async function lastingProblem(
  contents: AudienceScope | null,
  channel: Place['channel'],
  parts: AudienceLookups,
): Promise<readonly string[]> {
  const channelFacts: ChannelFacts = {
    async outsidersIn(place) {
      const outsiders = await parts.channelFacts.outsidersIn(place);
      if (outsiders.kind === 'unknown' && outsiders.passes)
        throw new AppError('slack-unavailable', unescapeMrkdwn(outsiders.because));
      return outsiders;
    },
  };
  return audienceProblem(contents, channel, { ...parts, channelFacts });
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

/** If the tracker says what each person can see, it says nothing of a channel. */
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
