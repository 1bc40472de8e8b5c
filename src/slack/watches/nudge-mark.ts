import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ReminderVisit } from '../../api/watches/watches-api.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';

const EVENT = 'dwell_watch';
/** Slack keeps no more than about 8,000 characters beside a message. */
const MOST_MARKED = 100;
const PAGE = 200;

const marked = z.object({
  metadata: z.object({
    event_type: z.literal(EVENT),
    event_payload: z.object({ visits: z.string(), whole: z.string() }),
  }),
});

/** A visit by what it is told of but once. */
type MarkedVisit = Pick<ReminderVisit, 'dueSince'> & { readonly key: string };

/** What Slack keeps beside a message, where people do not see it: which visits it tells of. */
export function nudgeMark(visits: readonly MarkedVisit[]) {
  const written = visits.slice(0, MOST_MARKED).map(write).join(' ');
  const whole = visits.length <= MOST_MARKED ? 'yes' : 'no';
  return { event_type: EVENT, event_payload: { visits: written, whole } };
}

/**
 * Whether a visit was told in somebody's conversation with the app; null where Slack does not let us look, or more was
 * said there since than it tells at once.
 */
export async function findNudge(
  visit: MarkedVisit,
  account: string,
  web: WebClient,
): Promise<boolean | null> {
  try {
    const { channel } = await web.conversations.open({ users: account });
    const { messages = [], has_more: hasMore } = await web.conversations.history({
      channel: channel?.id ?? account,
      limit: PAGE,
      include_all_metadata: true,
    });
    const payloads = messages.flatMap((message) => {
      const { data } = marked.safeParse(message);
      return data === undefined ? [] : [data.metadata.event_payload];
    });
    if (payloads.some(({ visits }) => visits.split(' ').includes(write(visit)))) return true;
    return hasMore === true || payloads.some(({ whole }) => whole === 'no') ? null : false;
  } catch (error) {
    if (refusalOf(error) !== null) return null;
    throw tryAgain(error);
  }
}

function write({ key, dueSince }: MarkedVisit): string {
  return `${key}@${dueSince}`;
}
