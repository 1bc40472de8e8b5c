import { type ChatPostMessageResponse, WebAPIRateLimitedError } from '@slack/web-api';
import type { Message } from '../../block-kit/message.ts';
import { unescapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { mayBeDone, refusalOf, tryAgain } from '../exports/refusal.ts';
import type { SlackParts } from '../parts.ts';
import { postMessage } from '../post-message.ts';
import { channelQueueOf } from './channel-queue.ts';
import type { DigestNote } from './digest-note.ts';
import { explainPlace } from './explain-place.ts';
import { findPosted, metadataOf } from './find-posted.ts';

/** A pause that Slack wants is waited for in place up to this, and as often as it fits into the other. */
const SHORT_MS = 30_000;
const MOST_WAITED_MS = 120_000;

/** What is remembered of a period, and how a change of it is made durable. */
export interface Ledger {
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
  ledger: Ledger,
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
  ledger: Ledger,
  parts: PostingParts,
): Promise<ChatPostMessageResponse> {
  for (let waitedMs = 0; ; ) {
    await ledger.keep({ trying: part.part, triedAt: String(parts.now()) });
    try {
      return await post(message, part, parts);
    } catch (error) {
      // Nothing was done, so nobody has to look later.
      if (!mayBeDone(error)) await ledger.keep({ trying: '', waitUntil: waitUntil(error, parts) });
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
