import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { millisecondsInMinute } from 'date-fns/constants';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { AgingIssue } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { durationWords } from '../../output/duration-text.ts';
import { agingKind } from '../../questions/aging/aging-kind.ts';
import { issueKind, issueQuestion } from '../../questions/issue/issue-kind.ts';
import type { IssueSummary } from '../../questions/issue/issue-summary.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { dayMsOf } from '../../questions/view/day-length.ts';
import { provenanceText } from '../../questions/view/foot-text.ts';
import { marked } from '../../questions/view/wording.ts';
import { hoursShown } from '../app/hours-here.ts';
import type { UnfurlParts } from '../app/parts.ts';
import { resolvePrincipal } from '../people/principals.ts';
import { audienceProblem } from './why-not-here.ts';

/** So many links are a list, which no one wants to see unfold. */
const TOO_MANY_LINKS = 3;

/**
 * Shows the time in status of issues whose links are posted, in channels that want it. Whatever speaks against it keeps
 * it silent.
 */
export function unfurlLinks(parts: UnfurlParts) {
  const recent = createRecentUnfurls(parts.now, parts.stored);
  return async ({
    event,
    body,
  }: SlackEventMiddlewareArgs<'link_shared'> & AllMiddlewareArgs): Promise<void> => {
    const { channel, links, message_ts: ts, user } = event;
    // What is still being written is not posted yet.
    if (event.source === 'composer' || links.length >= TOO_MANY_LINKS) return;
    try {
      if (!(await recent.beginEvent(body.event_id))) return;
      if (!(await parts.channels.channel(channel)).unfurls) return;
      const principal = await resolvePrincipal(user, parts);
      const hours = await hoursShown({ channel }, user, parts);
      const begun: string[] = [];
      const unfurls: Record<string, { blocks: KnownBlock[] }> = {};
      for (const { url } of links) {
        const key = linkKey(url);
        if (key === null || !(await recent.beginIssue(channel, key))) continue;
        begun.push(key);
        const blocks = await show(url, key, { channel, principal, hours }, parts);
        if (blocks !== null) unfurls[url] = { blocks };
        else await recent.forget(channel, key);
      }
      if (Object.keys(unfurls).length === 0) return;
      await parts.web.chat.unfurl({ channel, ts, unfurls }).catch(async (error: unknown) => {
        for (const key of begun) await recent.forget(channel, key);
        throw error;
      });
    } catch (error) {
      parts.log.warn({ err: error, channel }, 'a link to an issue was not unfurled');
    }
  };
}

interface Shown {
  readonly channel: string;
  readonly principal: Principal;
  readonly hours: Hours;
}

/** Null where the person who posted it cannot see the issue, where others cannot, and for another tracker's link. */
async function show(
  url: string,
  key: string,
  { channel, principal, hours }: Shown,
  parts: UnfurlParts,
): Promise<KnownBlock[] | null> {
  try {
    const { value, contents } = await parts.answers.ask(issueKind, principal, issueQuestion(key, hours));
    if (!isLinkOf(url, value.link)) return null;
    if ((await audienceProblem(contents, channel, parts)).length > 0) return null;
    return unfurlBlocks(value, await pace(key, { channel, principal, hours }, parts));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** What is usual comes from other issues; null where that is not for everyone here, or unknown. */
async function pace(
  key: string,
  { channel, principal, hours }: Shown,
  parts: UnfurlParts,
): Promise<AgingIssue | null> {
  const selection = { by: 'keys', keys: [key] } as const;
  const question = { kind: 'aging', selection, ...hours } as const;
  const { value, contents } = await parts.answers.ask(agingKind, principal, question);
  if ((await audienceProblem(contents, channel, parts)).length > 0) return null;
  return value.issues.find((issue) => issue.key === key) ?? null;
}

/** An issue that was just shown needs no second showing. */
const APART_MS = 30 * millisecondsInMinute;
const MOST_KEPT = 5_000;

/** Slack repeats an event within the hour; more than so many will not come between. */
const MOST_EVENTS = 1_000;

/** What was shown lately, so that links are no firehose. */
interface RecentUnfurls {
  /** False for an event that came before: Slack repeats them. */
  beginEvent(id: string): Promise<boolean>;
  /** False where the issue was shown in the channel within half an hour. */
  beginIssue(channel: string, key: string): Promise<boolean>;
  /** It was not shown after all. */
  forget(channel: string, key: string): Promise<void>;
}

/** What was shown within half an hour, in the store. */
export function createRecentUnfurls(now: () => Instant, stored: Backing | undefined): RecentUnfurls {
  const events = createNamespace<true>({
    ...{ name: 'unfurl-event', ttlMs: null, most: MOST_EVENTS, now, backing: stored },
  });
  const shown = createNamespace<true>({
    ...{ name: 'unfurl', ttlMs: APART_MS, most: MOST_KEPT, now, backing: stored },
    fromFuture: 'good',
  });
  const keyOf = (channel: string, key: string) => `${channel} ${key}`;
  return {
    beginEvent: (id) => events.add(id, true),
    beginIssue: (channel, key) => shown.add(keyOf(channel, key), true),
    forget: (channel, key) => shown.delete(keyOf(channel, key)),
  };
}

const SUMMARY_LENGTH = 150;
const NAME_LENGTH = 40;

/** More statuses no line holds. */
const SHOWN = 5;

/** What a link to an issue shows: what it is doing since when, where its time went, and how that is against what is usual. */
export function unfurlBlocks(story: IssueSummary, aging: AgingIssue | null): KnownBlock[] {
  return [
    section(
      [titleText(story), nowText(story, aging), timesText(story)].filter((line) => line !== '').join('\n'),
    ),
    context(provenanceText({ ...story.provenance, complete: story.history.complete }, marked)),
  ];
}

function titleText({ key, link, summary }: IssueSummary): string {
  return `*${marked.key(key, link)}* ${escapeMrkdwn(shorten(summary, SUMMARY_LENGTH))}`.trim();
}

function nowText(story: IssueSummary, aging: AgingIssue | null): string {
  const { current, statusNow } = story;
  if (current === null || current.since === null || current.forMs === null) {
    return statusNow === null ? '' : `*${nameText(statusNow)}*, since an unknown time.`;
  }
  const dayMs = dayMsOf(story.provenance.calendar);
  const since = `*${nameText(current.title)}* for *${durationWords(current.forMs, dayMs)}*, since ${marked.date(current.since)}`;
  const usual = aging?.baseline ?? null;
  if (usual === null) return `${since}.`;
  const most = durationWords(usual.p85, dayMs);
  return current.forMs > usual.p85
    ? `${since}: longer than usual (p85 ${most}).`
    : `${since}, usual up to ${most}.`;
}

function timesText({ statuses, provenance }: IssueSummary): string {
  const dayMs = dayMsOf(provenance.calendar);
  const longest = statuses.filter(({ ms }) => ms > 0).toSorted((a, b) => b.ms - a.ms);
  const shown = longest.slice(0, SHOWN);
  const times = statuses
    .filter((time) => shown.includes(time))
    .map(({ status, ms }) => `${nameText(status)} ${durationWords(ms, dayMs)}`);
  const more = longest.length - shown.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return times.length === 0 ? '' : `${times.join(' · ')}${rest}`;
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, NAME_LENGTH));
}

const issueKey = '([a-z][a-z0-9_]*-\\d+)';
/** Ends of the paths of an issue: its own page, and that of its project. */
const pages = new RegExp(`/(?:browse|issues)/${issueKey}$`, 'i');
const wholeKey = new RegExp(`^${issueKey}$`, 'i');

/** The issue a link leads to, be it on a board: its key, upper case; null where it leads to something else. */
export function linkKey(url: string): string | null {
  const read = readUrl(url);
  if (read === null) return null;
  const [, selected] = wholeKey.exec(read.searchParams.get('selectedIssue') ?? '') ?? [];
  const [, key = selected] = pages.exec(read.pathname) ?? [];
  return key === undefined ? null : key.toUpperCase();
}

/** Whether a link leads to an issue of the same tracker: below the address that the issue's own link is below. */
export function isLinkOf(url: string, link: string | null): boolean {
  const [given, own] = [readUrl(url), readUrl(link ?? '')];
  if (given === null || own === null || given.host !== own.host) return false;
  const root = own.pathname.toLowerCase().replace(/\/browse\/[^/]*$/, '');
  const path = given.pathname.toLowerCase();
  return linkKey(url) === linkKey(link ?? '') && path.startsWith(`${root}/`) && !hasOtherRoot(path, root);
}

/** Jira's own pages begin below its root; before `browse` there is nothing else. */
function hasOtherRoot(path: string, root: string): boolean {
  const at = path.lastIndexOf('/browse/');
  return at >= 0 && at !== root.length;
}

/** Without a slash at its end. */
function readUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
