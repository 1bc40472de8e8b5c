import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { millisecondsInMinute } from 'date-fns/constants';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { AgingIssue } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { agingKind } from '../../questions/aging/aging-kind.ts';
import { issueKind, issueQuestion } from '../../questions/issue/issue-kind.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { whyNotHere } from '../audience/why-not-here.ts';
import { hoursHere } from '../hours-here.ts';
import type { UnfurlParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { isLinkOf, linkKey } from './link-key.ts';
import { unfurlBlocks } from './unfurl-blocks.ts';

/** Whoever pastes that many means a list, which nobody wants to see unfold. */
const TOO_MANY_LINKS = 3;

/**
 * Shows the time in status of issues whose links are posted, in channels that want it. Whatever speaks against it keeps
 * it silent: there is nobody to tell.
 */
export function unfurlLinks(parts: UnfurlParts) {
  const recent = createRecentUnfurls(parts.now, parts.stored);
  return async ({
    event,
    body,
  }: SlackEventMiddlewareArgs<'link_shared'> & AllMiddlewareArgs): Promise<void> => {
    const { channel, links, message_ts: ts, user } = event;
    // What is still being written stands nowhere yet.
    if (event.source === 'composer' || links.length >= TOO_MANY_LINKS) return;
    try {
      if (!(await recent.beginEvent(body.event_id))) return;
      if (!(await parts.channels.channel(channel)).unfurls) return;
      const principal = await resolvePrincipal(user, parts);
      const hours = await hoursHere({ channel }, user, parts);
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

/** Null where who posted it cannot see the issue, where others may not, and where it is another tracker's link. */
async function show(
  url: string,
  key: string,
  { channel, principal, hours }: Shown,
  parts: UnfurlParts,
): Promise<KnownBlock[] | null> {
  try {
    const { value, contents } = await parts.answers.ask(issueKind, principal, issueQuestion(key, hours));
    if (!isLinkOf(url, value.link)) return null;
    if ((await whyNotHere(contents, channel, parts)).length > 0) return null;
    return unfurlBlocks(value, await pace(key, { channel, principal, hours }, parts));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** What is usual is learnt from other issues; null where that is not for everybody here, or nobody knows. */
async function pace(
  key: string,
  { channel, principal, hours }: Shown,
  parts: UnfurlParts,
): Promise<AgingIssue | null> {
  const selection = { by: 'keys', keys: [key] } as const;
  const question = { kind: 'aging', selection, ...hours } as const;
  const { value, contents } = await parts.answers.ask(agingKind, principal, question);
  if ((await whyNotHere(contents, channel, parts)).length > 0) return null;
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
