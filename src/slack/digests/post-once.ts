import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { memo } from '../../cache/namespace.ts';
import { createSpacedQueue } from '../../concurrency/concurrency-limit.ts';
import type { Digest, DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Place } from '../app/handler-types.ts';
import type { SlackParts, ViewParts } from '../app/parts.ts';
import { channelIdOf, postMarked } from '../app/post-message.ts';
import { explainRefusal, perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import type { Message } from '../blocks/message.ts';
import { unescapeMrkdwn } from '../blocks/mrkdwn.ts';

/** The note of a period, and a way to make changes of it durable. */
export interface DeliveryLog {
  note(): DigestNote;
  store(changes: Partial<DigestNote>): Promise<void>;
}

/** The mark by which a message is known as ours: its period, and its part of it. */
interface DigestMark {
  readonly run: string;
  readonly part: string;
}

/** The place of a message. */
export interface Posted {
  readonly channel: string;
  readonly ts: string;
}

/** It is unknown whether a message was posted; `because` says why, in sentences. */
interface PerhapsPosted {
  readonly because: string;
}

/**
 * Posts a message at most once, whatever became of an attempt before, unless it is unknown whether it was posted already.
 * It is made only when it is to be posted, and may refuse to be.
 * What Slack refuses is an AppError with what to do; `unavailable`: it has to be tried again.
 */
export async function postOnce(
  part: DigestMark & Place & { readonly make: () => Promise<Message> },
  deliveries: DeliveryLog,
  parts: ViewParts & Pick<SlackParts, 'now' | 'pictures'>,
): Promise<Posted | PerhapsPosted> {
  const { channel, threadTs } = part;
  const { trying, triedAt } = deliveries.note();
  if (trying === part.part) {
    const found = await findPosted(part, { channel, threadTs, since: Number(triedAt) }, parts.web);
    if (found !== null && typeof found === 'object') return found;
    if (found !== null) return { channel, ts: found };
  }
  const message = await part.make();
  const post = async () => {
    await deliveries.store({ trying: part.part, triedAt: String(parts.now()) });
    return postMarked(message, part, metadataOf(part), parts);
  };
  try {
    const posted = await channelQueueOf(parts.web, parts.wait)(channel, post);
    if (posted.ts !== undefined) return { channel: posted.channel ?? channel, ts: posted.ts };
  } catch (error) {
    // Nothing was posted, so there is nothing to look for later.
    if (!perhapsDone(error)) await deliveries.store({ trying: '' });
    const code = refusalOf(error);
    const why = code === null ? null : (explanations.get(code) ?? explainRefusal(code, error));
    throw why === null ? tryAgain(error) : new AppError('refused-by-slack', unescapeMrkdwn(why));
  }
  throw new AppError('slack-unavailable', "Slack didn't answer.");
}

/** The mark as Slack keeps it beside a message. */
export function metadataOf({ run, part }: DigestMark) {
  return { event_type: EVENT, event_payload: { run, part } };
}

/** Slack takes about one message a second in a channel. */
const POSTS_APART_MS = 1_100;

/** The one queue of everything that digests post through a client. */
export const channelQueueOf = memo((_web: WebClient, wait: (ms: number) => Promise<void>) =>
  createSpacedQueue(POSTS_APART_MS, { wait, elapsed: () => performance.now() }),
);

const note = z.object({
  /** The step that was begun last and is not known to have ended: `message`, or a part of its thread. */
  trying: z.string().default(''),
  /** When that began (ms). */
  triedAt: z.string().default(''),
  /** The place of the message; empty before. */
  channel: z.string().default(''),
  ts: z.string().default(''),
  /** The number of messages of the thread that are done, posted or given up. */
  details: z.string().default('0'),
  /** `yes`: nothing is left to do for the file. */
  file: z.enum(['', 'yes']).default(''),
});

/** The note that this door keeps of a period while it is posted. */
type DigestNote = Readonly<z.output<typeof note>>;

/** From what was stored; only we write those. */
export function readDigestNote(stored: DigestRun['note']): DigestNote {
  return note.parse(stored);
}

/** The log of a delivery that goes on from what was stored of it. */
export function createDeliveryLog(
  stored: DigestRun['note'],
  store: (note: DigestNote, before: DigestNote) => Promise<void>,
): DeliveryLog {
  let current = readDigestNote(stored);
  return {
    note: () => current,
    store(changes) {
      const before = current;
      current = { ...current, ...changes };
      return store(current, before);
    },
  };
}

/** True if a period failed without its message being posted, as far as is known. */
export function canPostAgain({ state, note: stored }: DigestRun): boolean {
  return state === 'failed' && readDigestNote(stored).ts === '';
}

const EVENT = 'dwell_digest';
const tooMany: PerhapsPosted = { because: "I can't check: too much was written there since." };
/** Slack gives no more at a time. */
const PAGE = 999;
/**
 * The most that the clocks of Slack and of this machine may be apart (ms) where a channel has more messages than a
 * page.
 */
const CLOCKS_APART_MS = 10 * millisecondsInMinute;

const marked = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(EVENT),
    event_payload: z.object({ run: z.string(), part: z.string() }),
  }),
});

/**
 * Looks for a message that was tried in a channel, or in a thread of it: its `ts`; null where it surely is not there; or
 * why that is unknown: Slack does not let us look, or more was written since than it gives at a time.
 */
export async function findPosted(
  mark: DigestMark,
  { channel, threadTs, since }: Place & { readonly since: Instant },
  web: WebClient,
): Promise<string | null | PerhapsPosted> {
  try {
    const place = { channel: await channelIdOf(channel, web), limit: PAGE, include_all_metadata: true };
    const { messages = [], has_more: hasMore } =
      threadTs === null
        ? await web.conversations.history(place)
        : await web.conversations.replies({ ...place, ts: threadTs });
    for (const message of messages) {
      const { data } = marked.safeParse(message);
      const payload = data?.metadata.event_payload;
      if (payload?.run === mark.run && payload.part === mark.part) return data?.ts ?? tooMany;
    }
    // Threads are read from their beginning, channels from their end.
    const reached = threadTs === null ? Number(messages.at(-1)?.ts ?? 0) * 1000 : Number.POSITIVE_INFINITY;
    return hasMore === true && reached > since - CLOCKS_APART_MS ? tooMany : null;
  } catch (error) {
    const code = refusalOf(error);
    if (code === null) throw tryAgain(error);
    return { because: `I can't check: ${explainRefusal(code, error)}` };
  }
}

const noOwner = "I can't write to its owner. Choose *Change owner* in `/tis digest`.";

/** Slack's words where the place is what is wrong with a digest, and what to do about it: whole sentences. */
const explanations: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', "I'm not in this channel. Type `/invite @Dwell` there."],
  [
    'channel_not_found',
    "I can't find this channel: it is gone, or private and I'm not in it. Type `/invite @Dwell` there, or choose another channel with *Edit*.",
  ],
  ['is_archived', 'This channel is archived. Choose another channel with *Edit*, or delete the digest.'],
  ['user_not_found', noOwner],
  ['cannot_dm_bot', noOwner],
]);

/** A period of a digest, as a button's value and as the mark of its messages. */
export function writePeriod(id: Digest['id'], due: Instant): string {
  return `${id} ${due}`;
}
