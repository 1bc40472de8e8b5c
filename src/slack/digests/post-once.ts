import { type ChatPostMessageResponse, WebAPIRateLimitedError } from '@slack/web-api';
import { AppError } from '../../model/error.ts';
import type { DoorParts } from '../command.ts';
import { mayBeDone, refusalOf, tryAgain } from '../exports/refusal.ts';
import type { Message } from '../message.ts';
import { unescapeMrkdwn } from '../messages/mrkdwn.ts';
import { postMessage } from '../post-message.ts';
import type { DigestNote } from './digest-note.ts';
import { explainPlace } from './explain-place.ts';
import { findPosted, metadataOf } from './find-posted.ts';

/** What is remembered of a period, and how a change of it is made durable. */
export interface Ledger {
  note(): DigestNote;
  keep(changes: Partial<DigestNote>): Promise<void>;
}

/** A message of a period: `part` names it, `threadTs` is empty outside of threads. */
export interface DigestPart {
  readonly run: string;
  readonly part: string;
  readonly channel: string;
  readonly threadTs: string;
  /** Made only when it is to be posted, and may refuse to be. */
  readonly make: () => Promise<Message>;
}

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
  parts: Pick<DoorParts, 'web' | 'now' | 'pictures' | 'log'>,
): Promise<Standing | null> {
  const { channel, threadTs } = part;
  const { trying, triedAt } = ledger.note();
  if (trying === part.part) {
    const found = await findPosted(part, { channel, threadTs, since: Number(triedAt) }, parts.web);
    if (found === 'unknown') return null;
    if (found !== null) return { channel, ts: found };
  }
  const message = await part.make();
  await ledger.keep({ trying: part.part, triedAt: String(parts.now()) });
  const posted = await post(message, part, parts).catch(async (error: unknown): Promise<never> => {
    // Nothing was done, so nobody has to look later.
    if (!mayBeDone(error)) await ledger.keep({ trying: '', waitUntil: waitUntil(error, parts) });
    const code = refusalOf(error);
    if (code !== null) throw new AppError('not-allowed', unescapeMrkdwn(explainPlace(code)));
    throw tryAgain(error);
  });
  if (posted.ts === undefined) throw new AppError('unavailable', 'Slack gave no answer.');
  return { channel: posted.channel ?? channel, ts: posted.ts };
}

function post(
  message: Message,
  { channel, threadTs, ...mark }: DigestPart,
  { web, pictures, log }: Pick<DoorParts, 'web' | 'pictures' | 'log'>,
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

function waitUntil(error: unknown, { now }: Pick<DoorParts, 'now'>): string {
  return error instanceof WebAPIRateLimitedError ? String(now() + 1000 * error.retryAfter) : '';
}
