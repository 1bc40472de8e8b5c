import type { AnswersApi } from '../../api/answers/answers-api.ts';
import { flowsAs, forPosts, kindOf } from '../../api/answers/index.ts';
import type { ChannelsApi } from '../../api/channels/create-channels.ts';
import type { PeopleApi } from '../../api/people/create-people.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Answer } from '../../model/answer.ts';
import type { AllowedProject } from '../../model/chat.ts';
import { AppError } from '../../model/error.ts';
import {
  type AudienceScope,
  type BrowseScope,
  closedTo,
  type IsClosed,
  type Principal,
  principalIn,
} from '../../model/request.ts';
import type { Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import type { AudienceParts, ChannelFacts, Outsiders, SlackParts } from '../app/parts.ts';
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
function whoAllows(channel: string, hasAdmins: boolean): Allowing {
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

/** The projects that can be shared in a channel, and its other readers, in whole sentences (mrkdwn) for one reader. */
export async function audienceText(
  channel: string,
  reader: Principal,
  { channels, channelFacts, reporting, people }: AudienceParts,
): Promise<readonly string[]> {
  const { projects } = await channels.channel(channel);
  const outsiders = await channelFacts.outsidersIn(channel);
  const byTracker = trackerDecides(await reporting.browseScope(anybodyIn(people)));
  const isClosed = await closedFor(reader, { reporting });
  const { who, line } = whoAllows(channel, await hasAdmins(people));
  const without =
    byTracker || outsiders.kind !== 'none'
      ? 'Nothing can be shared here until projects are chosen.'
      : 'Anything every Dwell user can see can be shared here. Choose projects to change that.';
  return [
    projects === null ? without : listText(projects, isClosed),
    ...(outsiders.kind === 'none' ? [] : [outsidersText(outsiders)]),
    ...(reader.rights === 'admin' ? [] : [`${who} can change it: ${line(['PROJECT'], false)}.`]),
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

function outsidersText(outsiders: Exclude<Outsiders, { readonly kind: 'none' }>): string {
  return outsiders.kind === 'some'
    ? `This channel ${outsiders.what}.`
    : `I don't know if guests can read this channel. ${outsiders.because}`;
}

/** No one in particular: they see what every user can see, and nothing where the tracker itself decides. */
function anybodyIn({ tenant }: { readonly tenant: string }): Principal {
  return principalIn(tenant, '');
}

/** True if a scope is one that the tracker itself opens. */
function trackerDecides(scope: BrowseScope): boolean {
  return 'openProjects' in scope;
}

/** A change of the projects that may be shown in a channel: which, and by what verb. */
export interface AudienceChange {
  readonly verb: 'allow' | 'forbid' | 'reset';
  readonly keys: readonly string[];
  readonly withGuests: boolean;
}

/** The line for a change, as typed on the command line. */
export function audienceLine({ verb, keys, withGuests }: AudienceChange, channel: string): string {
  const words = [verb, ...keys, ...(withGuests ? ['--with-guests'] : [])];
  return `npx dwell audience ${channel} ${words.join(' ')}`;
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
export async function lastingAudienceProblem(
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
      : outsidersText(outsiders);
  return [why, `${who} can still allow it: ${line(keys, true)}.`];
}

function named(keys: readonly string[]): string {
  return `${someOf(keys.map(codeText))} ${keys.length === 1 ? 'is' : 'are'}`;
}

function them(keys: readonly string[]): string {
  return keys.length === 1 ? 'it' : 'them';
}

/** Why contents cannot be shared in a channel; none: they can. */
type ProblemOf = typeof audienceProblem;

/** An answer, and why it cannot be shared in a channel (mrkdwn); none: it can. */
export interface JudgedAnswer {
  readonly answer: Answer;
  readonly reasons: readonly string[];
  /** The only projects whose links count in it; absent: it is whole. */
  readonly linksWithin?: readonly string[];
}

/** The projects of some contents whose issues everyone in a channel can see, unless they are restricted. */
export async function projectsForAll(
  { projects }: AudienceScope,
  channel: string,
  parts: AudienceLookups,
  problemOf: ProblemOf = audienceProblem,
): Promise<readonly string[]> {
  const open: string[] = [];
  for (const key of projects) {
    const reasons = await problemOf({ projects: [key], issues: 1, withLevel: 0 }, channel, parts);
    if (reasons.length === 0) open.push(key);
  }
  return open;
}

/**
 * An answer as it can be shared in a channel: where not everyone there can see all that it is about, it is given again without
 * the links to issues that they cannot see, as of the same instant.
 */
export async function answerForAll(
  whole: Answer,
  principal: Principal,
  channel: string,
  { answers, ...parts }: AudienceLookups & { readonly answers: Pick<AnswersApi, 'answer' | 'audienceScope'> },
  problemOf: ProblemOf = audienceProblem,
): Promise<JudgedAnswer> {
  const scope = await answers.audienceScope(principal, whole);
  const found = {
    answer: await withoutPrivate(whole, channel, parts),
    reasons: await problemOf(scope, channel, parts),
  };
  if (found.reasons.length === 0 || scope === null) return found;
  const linksWithin = await projectsForAll(scope, channel, parts, problemOf);
  // Links are not the reason if each issue is for all.
  if (linksWithin.length === scope.projects.length && scope.withLevel === 0) return found;
  const again = await answers.answer(principal, whole.question, whole.asOf, undefined, linksWithin);
  const answer = await withoutPrivate(flowsAs(whole, again), channel, parts);
  const reasons = await problemOf(await answers.audienceScope(principal, answer), channel, parts);
  return { answer, reasons, linksWithin };
}

/** An answer without what not everyone in a channel can see who sees its issues. */
async function withoutPrivate(
  answer: Answer,
  channel: string,
  { channelFacts }: AudienceLookups,
): Promise<Answer> {
  // Slack is asked only where that matters.
  if (kindOf(answer.question).forPosts === undefined) return answer;
  const { kind } = await channelFacts.outsidersIn(channel);
  return forPosts(answer, { toOutsiders: kind !== 'none' });
}
