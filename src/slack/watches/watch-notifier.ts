import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type {
  Reminder,
  ReminderOutcome,
  ReminderVisit,
  WatchNotifier,
} from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Watch } from '../../model/watch.ts';
import { sendDirectMessage } from '../app/direct-message.ts';
import { button } from '../app/message-texts.ts';
import type { SlackParts } from '../app/parts.ts';
import { postMessage } from '../app/post-message.ts';
import { perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { digestPrincipal } from '../people/principals.ts';
import { accountsOf } from '../people/recognize.ts';
import { deleteButton, MOST_SHOWN, nudgeMessage } from './nudge-message.ts';
import { ruleWords } from './watch-rule.ts';

/** What telling people of watches draws on. */
export type WatchDoor = Pick<
  SlackParts,
  'people' | 'accounts' | 'answers' | 'web' | 'wait' | 'pictures' | 'log'
>;

/** Tells people of what sits too long, each in their conversation with the app. */
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
    async remind(nudge, account) {
      const owners = new Set(nudge.map(({ watch }) => watch.owner));
      const ownerNames = new Map<string, string>();
      for (const owner of owners) ownerNames.set(owner, (await parts.accounts.profileOf(owner)).name);
      const runs = await keepRuns(nudge, account, parts);
      return post(nudgeMessage(nudge, { account, ownerNames }, runs), nudge, account, parts);
    },
    wasReminded: (visit, account) => findNudge(visit, account, web),
    async notifyOwner(watch) {
      const told = await sendDirectMessage(watch.owner, troubleMessage(watch), parts);
      return told !== 'refused';
    },
  };
}

/** What *Why?* asks again, with the rights of whoever presses it. */
async function keepRuns(
  nudge: Reminder,
  account: string,
  { answers }: WatchDoor,
): Promise<ReadonlyMap<string, string>> {
  const runs = new Map<string, string>();
  const shown = nudge.flatMap((group) => group.visits.map((visit) => ({ ...group, visit })));
  for (const { watch, visit, asOf } of shown.slice(0, MOST_SHOWN)) {
    const { calendar, timeZone } = watch;
    const question = { kind: 'issue', key: visit.issue.key, calendar, timeZone } as const;
    runs.set(visit.issue.key, (await answers.storeRun(account, { question, asOf })).id);
  }
  return runs;
}

/** Slack is not asked again here: who looks a minute later does. */
async function post(
  message: Message,
  nudge: Reminder,
  account: string,
  { web, pictures, log }: WatchDoor,
): Promise<ReminderOutcome> {
  const visits = nudge.flatMap((group) => group.visits);
  const marks = visits.map(({ issue: { key }, dueSince }) => ({ key, dueSince }));
  try {
    await postMessage(
      message,
      ({ text, blocks }) =>
        web.chat.postMessage({
          channel: account,
          text,
          ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
          metadata: nudgeMark(marks),
          unfurl_links: false,
          unfurl_media: false,
        }),
      { pictures, log },
    );
    return 'sent';
  } catch (error) {
    const outcome = perhapsDone(error) ? 'unknown' : refusalOf(error) === null ? 'later' : 'refused';
    log.warn({ err: error, account, outcome }, 'somebody could not be told of a watch');
    return outcome;
  }
}

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
function nudgeMark(visits: readonly MarkedVisit[]) {
  const written = visits.slice(0, MOST_MARKED).map(write).join(' ');
  const whole = visits.length <= MOST_MARKED ? 'yes' : 'no';
  return { event_type: EVENT, event_payload: { visits: written, whole } };
}

/**
 * Whether a visit was told in somebody's conversation with the app; null where Slack does not let us look, or more was
 * said there since than it tells at once.
 */
async function findNudge(visit: MarkedVisit, account: string, web: WebClient): Promise<boolean | null> {
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

const REASON_LENGTH = 1_000;

/** What the owner of a watch is told when it cannot work any more. */
export function troubleMessage(watch: Watch): Message {
  const rule = escapeMrkdwn(ruleWords(watch));
  const why = escapeMrkdwn(shorten(watch.trouble ?? 'Nobody knows why.', REASON_LENGTH));
  const cure =
    'Put that right and press Resume, or stop this watch and make another with `/tis watch new`. `/tis watch` shows all of yours.';
  return {
    text: `Your watch of ${rule} is paused: ${why} ${cure}`,
    blocks: [
      section(`Your watch of *${rule}* is paused.\n${why}`),
      {
        type: 'actions',
        elements: [button('Resume', 'watch-resume', watch.id), deleteButton('Stop this watch', watch.id)],
      },
      context(cure),
    ],
  };
}
