import { type ChatPostMessageResponse, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import type { Message } from '../../block-kit/message.ts';
import { unescapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { memo } from '../../cache/memo.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import type { DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { SlackParts } from '../app/parts.ts';
import { postMessage } from '../app/post-message.ts';
import { explainRefusal, perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';

/** A pause that Slack wants is waited for in place up to this, and as often as it fits into the other. */
const SHORT_MS = 30_000;
const MOST_WAITED_MS = 120_000;

/** What is remembered of a period, and how a change of it is made durable. */
export interface DeliveryLog {
  note(): DigestNote;
  keep(changes: Partial<DigestNote>): Promise<void>;
}

/** A message of a period: `part` names it, `threadTs` is empty outside of threads. */
interface DigestPart {
  readonly run: string;
  readonly part: string;
  readonly channel: string;
  readonly threadTs: string;
  /** Made only when it is to be posted, and may refuse to be. */
  readonly make: () => Promise<Message>;
}

type PostingParts = Pick<SlackParts, 'web' | 'wait' | 'now' | 'pictures' | 'log'>;

/** Where a message stands. */
export interface Standing {
  readonly channel: string;
  readonly ts: string;
}

/**
 * Posts a message at most once, whatever became of an attempt before; null where nobody can tell whether it stands there
 * already. What Slack refuses is an AppError with what to do; `unavailable`: it has to be tried again.
 */
export async function postOnce(
  part: DigestPart,
  ledger: DeliveryLog,
  parts: PostingParts,
): Promise<Standing | null> {
  const { channel, threadTs } = part;
  const { trying, triedAt } = ledger.note();
  if (trying === part.part) {
    const found = await findPosted(part, { channel, threadTs, since: Number(triedAt) }, parts.web);
    if (found === 'unknown') return null;
    if (found !== null) return { channel, ts: found };
  }
  const message = await part.make();
  const queue = channelQueueOf(parts.web, parts.wait);
  const posted = await queue(channel, () => postPatiently(message, part, ledger, parts)).catch(
    (error: unknown): never => {
      const code = refusalOf(error);
      if (code !== null) throw new AppError('refused-by-slack', unescapeMrkdwn(explainPlace(code)));
      throw tryAgain(error);
    },
  );
  if (posted.ts === undefined) throw new AppError('slack-unavailable', 'Slack gave no answer.');
  return { channel: posted.channel ?? channel, ts: posted.ts };
}

/** Waits where Slack wants to be left alone for a little, so that others in the channel's queue wait as well. */
async function postPatiently(
  message: Message,
  part: DigestPart,
  ledger: DeliveryLog,
  parts: PostingParts,
): Promise<ChatPostMessageResponse> {
  for (let waitedMs = 0; ; ) {
    await ledger.keep({ trying: part.part, triedAt: String(parts.now()) });
    try {
      return await post(message, part, parts);
    } catch (error) {
      // Nothing was done, so nobody has to look later.
      if (!perhapsDone(error)) await ledger.keep({ trying: '', waitUntil: waitUntil(error, parts) });
      if (!(error instanceof WebAPIRateLimitedError)) throw error;
      const pauseMs = 1000 * error.retryAfter;
      if (pauseMs > SHORT_MS || waitedMs + pauseMs > MOST_WAITED_MS) throw error;
      await parts.wait(pauseMs);
      waitedMs += pauseMs;
    }
  }
}

function post(
  message: Message,
  { channel, threadTs, ...mark }: DigestPart,
  { web, pictures, log }: Pick<SlackParts, 'web' | 'pictures' | 'log'>,
): Promise<ChatPostMessageResponse> {
  const say = ({ text, blocks }: Message) =>
    web.chat.postMessage({
      channel,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      ...(threadTs === '' ? {} : { thread_ts: threadTs }),
      metadata: metadataOf(mark),
      unfurl_links: false,
      unfurl_media: false,
    });
  return postMessage(message, say, { pictures, log });
}

function waitUntil(error: unknown, { now }: Pick<SlackParts, 'now'>): string {
  return error instanceof WebAPIRateLimitedError ? String(now() + 1000 * error.retryAfter) : '';
}

/** Slack takes about one message a second in a channel. */
const POSTS_APART_MS = 1_100;

/** Runs posts into a channel one after the other, and never in quicker succession than Slack takes them. */
type ChannelQueue = <Result>(channel: string, post: () => Promise<Result>) => Promise<Result>;

/** Channels do not wait for each other. `elapsed` tells real time in ms, which no clock that is set changes. */
export function createChannelQueue({
  wait,
  elapsed,
}: {
  readonly wait: (ms: number) => Promise<void>;
  readonly elapsed: () => number;
}): ChannelQueue {
  const mutex = createLimitByKey<string>(1);
  const lastAt = new Map<string, number>();
  return (channel, post) =>
    mutex(channel, async () => {
      const left = (lastAt.get(channel) ?? Number.NEGATIVE_INFINITY) + POSTS_APART_MS - elapsed();
      if (left > 0) await wait(left);
      try {
        return await post();
      } finally {
        const now = elapsed();
        lastAt.set(channel, now);
        for (const [other, at] of lastAt) if (now - at > POSTS_APART_MS) lastAt.delete(other);
      }
    });
}

/** The one queue of everything that digests post through a client. */
export const channelQueueOf = memo(
  (_web: WebClient, wait: (ms: number) => Promise<void>): ChannelQueue =>
    createChannelQueue({ wait, elapsed: () => performance.now() }),
);

const note = z.object({
  /** The answer that is posted, so that its buttons can come back to it. */
  answer: z.string().default(''),
  /** What was begun last and is not known to have ended: `message`, or a part of its thread. */
  trying: z.string().default(''),
  /** When that began (ms). */
  triedAt: z.string().default(''),
  /** Where the message stands; empty before. */
  channel: z.string().default(''),
  ts: z.string().default(''),
  /** How many messages of the thread are done, posted or given up. */
  details: z.string().default('0'),
  /** The message of the thread that tells how far the file is; empty before. */
  fileTs: z.string().default(''),
  /** `yes`: nothing is left to do for the file. */
  file: z.enum(['', 'yes']).default(''),
  /** Slack wants to be left alone until then (ms). */
  waitUntil: z.string().default(''),
  /** `yes`: nobody can tell whether the message stands there. */
  unsure: z.enum(['', 'yes']).default(''),
});

/** What this door remembers of a period while it is posted. */
export type DigestNote = Readonly<z.output<typeof note>>;

/** From what was kept; only we write those. */
export function readDigestNote(kept: DigestRun['note']): DigestNote {
  return note.parse(kept);
}

/** What marks a message as ours: which period it is of, and which part of it. */
interface DigestMark {
  readonly run: string;
  readonly part: string;
}

const EVENT = 'dwell_digest';
const PAGE = 200;
const MOST_PAGES = 20;
/** The clocks of Slack and of this machine may be so far apart (ms) in a channel where more was said than a page holds. */
const CLOCKS_APART_MS = 10 * millisecondsInMinute;

const marked = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(EVENT),
    event_payload: z.object({ run: z.string(), part: z.string() }),
  }),
});

/** The mark as Slack keeps it beside a message, where people do not see it. */
export function metadataOf({ run, part }: DigestMark) {
  return { event_type: EVENT, event_payload: { run, part } };
}

/**
 * Looks whether a message that was tried at `since` stands in a channel, or in a thread of it: its `ts`; null where it
 * surely does not; `unknown` where Slack does not let us look. The first page is read as a whole, whatever the clocks say.
 */
export async function findPosted(
  mark: DigestMark,
  {
    channel,
    threadTs,
    since,
  }: { readonly channel: string; readonly threadTs: string; readonly since: Instant },
  web: WebClient,
): Promise<string | null | 'unknown'> {
  let cursor = '';
  try {
    const place = { channel: await channelIdOf(channel, web), limit: PAGE, include_all_metadata: true };
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const at = cursor === '' ? place : { ...place, cursor };
      const { messages = [], response_metadata: next } =
        threadTs === ''
          ? await web.conversations.history(at)
          : await web.conversations.replies({ ...at, ts: threadTs });
      for (const message of messages) {
        const { data } = marked.safeParse(message);
        const payload = data?.metadata.event_payload;
        if (payload?.run === mark.run && payload.part === mark.part) return data?.ts ?? 'unknown';
      }
      cursor = next?.next_cursor ?? '';
      // Threads are told from their beginning, channels from their end.
      const oldest = threadTs === '' ? Number(messages.at(-1)?.ts ?? 0) * 1000 : since;
      if (cursor === '' || oldest < since - CLOCKS_APART_MS) return null;
    }
    return 'unknown';
  } catch (error) {
    if (refusalOf(error) !== null) return 'unknown';
    throw tryAgain(error);
  }
}

/** An account names the conversation with who has it when posting, but not when reading. */
async function channelIdOf(channel: string, web: WebClient): Promise<string> {
  if (!/^[UW]/.test(channel)) return channel;
  const { channel: opened } = await web.conversations.open({ users: channel });
  return opened?.id ?? channel;
}

/** What Slack's words mean where the place is what is wrong with a digest, and what to do about it: whole sentences. */
const explanations: Readonly<Record<string, string>> = {
  not_in_channel: 'I am not in this channel. Type `/invite @Dwell` there, and the next one will come.',
  channel_not_found:
    'I cannot find this channel: it is gone, or private and I am not in it. Type `/invite @Dwell` there, or choose another channel: `/tis digest`, *Edit*.',
  is_archived:
    'This channel is archived. Choose another channel with `/tis digest`, *Edit*, or delete the digest.',
  user_not_found: 'I cannot write to its owner any more. Hand the digest over to somebody else.',
  cannot_dm_bot: 'I cannot write to its owner. Hand the digest over to somebody else.',
};

/** Why Slack did not take a digest, in words, with what to do. */
function explainPlace(code: string): string {
  return Object.hasOwn(explanations, code) ? (explanations[code] ?? '') : explainRefusal(code);
}
