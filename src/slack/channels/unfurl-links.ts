import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { millisecondsInMinute } from 'date-fns/constants';
import { issueKind, issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import type { IssueAnswer } from '../../api/answers/issue/issue-summary.ts';
import { type Backing, createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import { isLinkOf, linkKey } from '../../model/issues/issue-link.ts';
import type { Hours } from '../../model/question.ts';
import type { AudienceScope, Principal } from '../../model/request.ts';
import { assumedOnly } from '../../output/assumed-categories.ts';
import { durationWords, shorten } from '../../output/readable-text.ts';
import { dayMsOf } from '../../output/wording.ts';
import { issueState, issueTitle } from '../answers/issue/issue-state.ts';
import { footText } from '../answers/view/answer-warnings.ts';
import { marked, withMentions } from '../answers/view/marked-wording.ts';
import { hoursShown } from '../app/hours-here.ts';
import type { UnfurlParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import { context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import { audienceProblem, projectsForAll } from './audience.ts';

/** Later than that no event comes but after a failure: Slack repeats it at once, in a minute and in five. */
const LATE_MS = 10 * millisecondsInMinute;

/** From this number on, links are a list, which no one wants to see unfold. */
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
    // A message in the composer is still being written and not posted yet.
    if (event.source === 'composer' || links.length >= TOO_MANY_LINKS) return;
    try {
      if (!(await recent.beginEvent(body.event_id))) return;
      if (!(await parts.channels.channel(channel)).unfurls) return;
      const principal = await resolvePrincipal(user, parts);
      const hours = await hoursShown({ channel }, user, parts);
      // A late unfurl still stands below its old message, so it shows the state of that time.
      const posted = Math.floor(Number(ts) * 1000);
      const asOf = parts.now() - posted > LATE_MS ? posted : null;
      const begun: string[] = [];
      const unfurls: Record<string, { blocks: KnownBlock[] }> = {};
      for (const { url } of links) {
        const key = linkKey(url);
        if (key === null || !(await recent.beginIssue(channel, key))) continue;
        begun.push(key);
        const shown = show(url, key, { channel, principal, hours, asOf }, parts);
        const blocks = await orElse(shown, () => null);
        if (blocks !== null) unfurls[url] = { blocks };
        else await recent.forget(channel, key);
      }
      if (Object.keys(unfurls).length === 0) return;
      const post = async () => {
        const subject = { kind: 'preview', id: ts } as const;
        await parts.audit.leaving({
          subject,
          verb: 'posted',
          facts: { channel, issues: Object.keys(unfurls).length },
        });
        await parts.web.chat.unfurl({ channel, ts, unfurls });
      };
      await post().catch(async (error: unknown) => {
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
  /** Null: now. */
  readonly asOf: Instant | null;
}

/** Null where the person who posted it cannot see the issue, where others cannot, and for another tracker's link. */
async function show(
  url: string,
  key: string,
  { channel, principal, hours, asOf }: Shown,
  parts: UnfurlParts,
): Promise<KnownBlock[] | null> {
  const question = issueQuestion(key, hours);
  const whole = await parts.answers.ask(issueKind, principal, question, asOf);
  if (!isLinkOf(url, whole.value.link)) return null;
  const isForAll = async (scope: AudienceScope | null) =>
    (await audienceProblem(scope, channel, parts)).length === 0;
  if (await isForAll(whole.contents)) return unfurlBlocks(whole.value, hours.timeZone);
  if (whole.contents === null) return null;
  // Not everyone can see all issues that it is linked to.
  const linksWithin = await projectsForAll(whole.contents, channel, parts);
  const { answers } = parts;
  const { value } = await answers.ask(issueKind, principal, question, whole.asOf, undefined, linksWithin);
  // The usual times are learned from other issues.
  return (await isForAll(value.ownScope)) ? unfurlBlocks({ ...value, usual: null }, hours.timeZone) : null;
}

/** An issue that was just shown needs no second showing. */
const APART_MS = 30 * millisecondsInMinute;
const MAX_ISSUES = 5_000;

/** Slack repeats an event within the hour; more than so many will not come between. */
const MAX_EVENTS = 1_000;

/** The events and issues of links that were shown lately, in the store. */
export function createRecentUnfurls(now: () => Instant, stored: Backing | undefined) {
  const events = createNamespace<true>({
    name: 'unfurl-event',
    ttlMs: null,
    maxEntries: MAX_EVENTS,
    now,
    backing: stored,
  });
  const shown = createNamespace<true>({
    name: 'unfurl',
    ttlMs: APART_MS,
    maxEntries: MAX_ISSUES,
    now,
    backing: stored,
    fromFuture: 'good',
  });
  const keyOf = (channel: string, key: string) => `${channel} ${key}`;
  return {
    /** False for an event that came before: Slack repeats them. */
    beginEvent: (id: string) => events.add(id, true),
    /** False where the issue was shown in the channel within half an hour. */
    beginIssue: (channel: string, key: string) => shown.add(keyOf(channel, key), true),
    /** The view was not shown. */
    forget: (channel: string, key: string) => shown.delete(keyOf(channel, key)),
  };
}

/** More statuses no line holds. */
const SHOWN = 5;

const NAME_LENGTH = 40;

/**
 * The blocks for a link to an issue: how long it took or where it is, against what is usual, and where its time went.
 */
export function unfurlBlocks(issue: IssueAnswer, timeZone: string): KnownBlock[] {
  const lines = [issueTitle(issue, marked), issueState(issue, timeZone, marked), timesText(issue)];
  const shown = withMentions(lines.filter((line) => line !== '').join('\n'), () => undefined);
  const footer = footText({ ...issue.provenance, complete: issue.history.complete }, marked);
  const assumed = assumedOnly(issue.provenance, marked.words);
  return [section(shown), context(assumed === null ? footer : `${footer}\n${assumed}`)];
}

function timesText({ stages, provenance }: IssueAnswer): string {
  const dayMs = dayMsOf(provenance.calendar);
  const longest = stages.filter(({ spentMs: ms }) => ms > 0).toSorted((a, b) => b.spentMs - a.spentMs);
  const shown = longest.slice(0, SHOWN);
  const times = stages
    .filter((time) => shown.includes(time))
    .map(
      ({ name: status, spentMs: ms }) =>
        `${escapeMrkdwn(shorten(status, NAME_LENGTH))} ${durationWords(ms, dayMs)}`,
    );
  const more = longest.length - shown.length;
  return `${times.join(' · ')}${more > 0 ? ` and ${more} more` : ''}`;
}
