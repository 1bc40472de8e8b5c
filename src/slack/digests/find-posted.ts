import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import type { Instant } from '../../model/issue.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';

/** What marks a message as ours: which period it is of, and which part of it. */
interface DigestMark {
  readonly run: string;
  readonly part: string;
}

const EVENT = 'dwell_digest';
const PAGE = 200;
const MOST_PAGES = 20;
/** The clocks of Slack and of this machine may be so far apart (ms) in a channel where more was said than a page holds. */
const APART_MS = 10 * millisecondsInMinute;

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
      if (cursor === '' || oldest < since - APART_MS) return null;
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
