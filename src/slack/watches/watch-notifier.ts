import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ReminderVisit, WatchNotifier } from '../../api/watches/watches-api.ts';
import type { Watch } from '../../model/watch.ts';
import { shorten } from '../../output/readable-text.ts';
import type { PeopleParts, SlackParts, ViewParts } from '../app/parts.ts';
import { postMarked, sendDirectMessage } from '../app/post-message.ts';
import { perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { accountsOf, digestPrincipal } from '../people/accounts.ts';
import { deleteButton, ruleWords } from './describe-watch.ts';
import { reminderMessage } from './reminder-message.ts';

/** The parts that alerting people takes. */
export type WatchDoor = PeopleParts & ViewParts & Pick<SlackParts, 'pictures' | 'audit'>;

/** Alerts people to what is overdue, each in their conversation with the app. */
export function createWatchNotifier(parts: WatchDoor): WatchNotifier {
  const { people, web } = parts;
  return {
    principalOf: (account) => digestPrincipal(account, parts),
    async accountOf(user) {
      const known = (await people.users()).get(user);
      if (known === undefined) return null;
      for await (const account of accountsOf(known, parts)) {
        if ((await digestPrincipal(account, parts)) !== null) return account;
      }
      return null;
    },
    // Slack is not asked again here: the check a minute later does.
    async remind(reminder, account) {
      const visits = reminder.flatMap((group) =>
        group.visits.map(({ issue: { key }, dueSince }) => ({ key, dueSince })),
      );
      const place = { channel: account, threadTs: null };
      const facts = { issues: visits.length };
      try {
        await parts.audit.leaving({ subject: { kind: 'alert', id: account }, verb: 'posted', facts });
        await postMarked(reminderMessage(reminder, account), place, reminderMark(visits), parts);
        return 'sent';
      } catch (error) {
        const outcome = perhapsDone(error) ? 'unknown' : refusalOf(error) === null ? 'later' : 'refused';
        parts.log.warn({ err: error, account, outcome }, 'a reminder could not be sent');
        return outcome;
      }
    },
    wasReminded: (visit, account) => findReminder(visit, account, web),
    notifyOwner: async (watch) =>
      (await sendDirectMessage(watch.owner, troubleMessage(watch), parts)) !== 'refused',
  };
}

const EVENT = 'dwell_watch';
/** Slack keeps no more than about 8,000 characters beside a message. */
const MAX_MARKED = 100;
const PAGE = 200;

const marked = z.object({
  metadata: z.object({
    event_type: z.literal(EVENT),
    event_payload: z.object({ visits: z.string(), whole: z.string() }),
  }),
});

/** A stay by what it is alerted to but once. */
type MarkedVisit = Pick<ReminderVisit, 'dueSince'> & { readonly key: string };

/** The metadata that Slack keeps beside a message, where people do not see it: the stays it is about. */
function reminderMark(visits: readonly MarkedVisit[]) {
  const written = visits.slice(0, MAX_MARKED).map(write).join(' ');
  const whole = visits.length <= MAX_MARKED ? 'yes' : 'no';
  return { event_type: EVENT, event_payload: { visits: written, whole } };
}

/**
 * True if an account was reminded of a stay in its conversation with the app; null where Slack does not let us look, or
 * more was written there since than it gives at a time.
 */
async function findReminder(visit: MarkedVisit, account: string, web: WebClient): Promise<boolean | null> {
  try {
    const { channel } = await web.conversations.open({ users: account });
    const { messages = [], has_more: hasMore } = await web.conversations.history({
      channel: channel?.id ?? account,
      limit: PAGE,
      include_all_metadata: true,
    });
    const payloads = messages.flatMap((one) => marked.safeParse(one).data?.metadata.event_payload ?? []);
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

const REASON_LENGTH = 1_000;

/** The message to the owner of a watch when it cannot work any more. */
export function troubleMessage(watch: Watch): Message {
  const { id } = watch;
  const rule = escapeMrkdwn(ruleWords(watch));
  const why = escapeMrkdwn(shorten(watch.trouble ?? 'The reason is unknown.', REASON_LENGTH));
  const cure = 'Fix that and resume it, or create another one with `/tis watch new`.';
  return {
    text: `I paused your watch ${rule}. ${why} ${cure}`,
    blocks: [
      section(`I paused your watch *${rule}*.\n${why}`),
      actions(button('Resume', 'watch-resume', id), deleteButton('Delete', id)),
      context(cure),
    ],
  };
}
