import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Reminder, ReminderGroup, ReminderVisit, WatchNotifier } from '../../api/watches/watches-api.ts';
import type { Watch } from '../../model/watch.ts';
import { countOf, inStatus, timeText } from '../../output/figure-words.ts';
import { shorten } from '../../output/readable-text.ts';
import { dayMsOf, dayNote, type Wording } from '../../output/wording.ts';
import { momentText } from '../answers/view/answer-warnings.ts';
import { wordedText } from '../answers/view/marked-wording.ts';
import type { PeopleParts, SlackParts, ViewParts } from '../app/parts.ts';
import { channelIdOf, postMarked, sendDirectMessage } from '../app/post-message.ts';
import { perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { type Message, someOf } from '../blocks/message.ts';
import { actions, button, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { accountsOf, digestPrincipal } from '../people/accounts.ts';
import { deleteButton, NAME_LENGTH, ruleWords, thresholdWords } from './describe-watch.ts';
import { snoozeMenu } from './snooze-issue.ts';

/** The parts that alerting people takes. */
type WatchDoor = PeopleParts & ViewParts & Pick<SlackParts, 'pictures' | 'audit'>;

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
    const { messages = [], has_more: hasMore } = await web.conversations.history({
      channel: await channelIdOf(account, web),
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
function troubleMessage(watch: Watch): Message {
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

/** The number of issues of a message that have lines and buttons of their own; no one works through more. */
const MAX_SHOWN = 5;

const MAX_NAMED = 20;

const SUMMARY_LENGTH = 150;

const PERSON_LENGTH = 80;

/** The message that reminds an account: watch by watch, each issue with what can be done. */
function reminderMessage(reminder: Reminder, account: string): Message {
  let left = MAX_SHOWN;
  const messages = reminder.map((group) => {
    const shown = Math.min(left, group.visits.length);
    left -= shown;
    return groupMessage(group, shown, account);
  });
  return {
    text: messages.map(({ text }) => text).join('\n'),
    blocks: messages.flatMap(({ blocks }) => blocks),
  };
}

function groupMessage(group: ReminderGroup, max: number, account: string): Message {
  const { watch, visits } = group;
  const shown = visits.slice(0, max);
  const more = visits.slice(max).map(({ issue }) => issue.key);
  const isOne = visits.length === 1 && shown.length === 1;
  const head = wordedText(({ words, strong }) =>
    isOne
      ? ''
      : watch.status === null
        ? `${strong(`${countOf(visits.length, 'issue')} missed`)} ${thresholdWords(watch.threshold)}`
        : `${strong(`${countOf(visits.length, 'issue')} ${inStatus(shorten(watch.status.name, NAME_LENGTH))}`)} longer than ${words(thresholdWords(watch.threshold))}`,
  );
  const lines = shown.map((visit) => wordedText((wording) => visitText(visit, group, wording)));
  const others = more.length === 0 ? '' : `${shown.length === 0 ? '' : 'And '}${someOf(more, MAX_NAMED)}.`;
  const footer = wordedText((wording) => footText(group, wording));
  const isOwn = account === watch.owner;
  const whose = isOwn ? 'Your watch' : `Watch of <@${escapeMrkdwn(watch.owner)}>`;
  const mute = isOwn
    ? deleteButton('Delete watch', watch.id)
    : button(isOne ? 'Mute' : 'Mute this watch', 'watch-mute', watch.id);
  const texts = [head, ...lines].map(({ plain }) => plain);
  const plainFoot = `${isOwn ? 'Your watch' : 'Watch'}: ${footer.plain}`;
  const paragraphs = [...texts, others, plainFoot].filter((one) => one !== '');
  return {
    text: paragraphs.map(escapeMrkdwn).join('\n'),
    blocks: [
      ...(isOne ? [] : [section(head.marked)]),
      ...shown.flatMap(({ issue: { key, link }, since }, i) => [
        section(lines[i]?.marked ?? ''),
        actions(
          ...(link === null ? [] : [{ ...button('Open issue', 'open-issue', key), url: link }]),
          snoozeMenu({ watchId: watch.id, key, since }),
          ...(isOne ? [mute] : []),
        ),
      ]),
      ...(others === '' ? [] : [section(escapeMrkdwn(others))]),
      context(`${whose}: ${footer.marked}`),
      ...(isOne ? [] : [actions(mute)]),
    ],
  };
}

function visitText(visit: ReminderVisit, group: ReminderGroup, wording: Wording): string {
  const { key, link, summary } = visit.issue;
  return [
    `${wording.bold(wording.key(key, link))} ${wording.words(shorten(summary, SUMMARY_LENGTH))}`,
    group.watch.threshold.by === 'target'
      ? missedText(visit, group, wording)
      : stayText(visit, group, wording),
    ...reasonText(visit.why, wording),
  ].join('\n');
}

/** `In Review for 3d 2h since Nov 3 · limit 2 days`. */
function stayText(
  { issue: { status, since, ageMs }, thresholdMs }: ReminderVisit,
  { watch: { threshold }, calendar }: ReminderGroup,
  { words, strong, date }: Wording,
): string {
  const dayMs = dayMsOf(calendar);
  const usual = `usual up to ${timeText(thresholdMs, dayMs)}`;
  const limit = threshold.by === 'time' ? `limit ${words(threshold.words)}` : usual;
  return `${strong(`${shorten(status.name, NAME_LENGTH)} for ${timeText(ageMs, dayMs)}`)} since ${date(since)} · ${limit}`;
}

/** `Missed its target of 8d on Nov 3 · 9d 2h since its start · In Review`; of a learned one also its source. */
function missedText(
  { issue: { status, workMs, target }, thresholdMs }: ReminderVisit,
  { calendar }: ReminderGroup,
  { words, strong, date }: Wording,
): string {
  const dayMs = dayMsOf(calendar);
  const learned = target?.source === 'learned' ? ` (${target.percent}% of the last 90 days)` : '';
  const on = target === null || target.dueAt === null ? '' : ` on ${date(target.dueAt)}`;
  return [
    `${strong(`Missed its target of ${timeText(thresholdMs, dayMs)}`)}${learned}${on}`,
    `${timeText(workMs, dayMs)} since its start`,
    words(shorten(status.name, NAME_LENGTH)),
  ].join(' · ');
}

function footText({ watch, calendar, asOf, dataAsOf }: ReminderGroup, wording: Wording): string {
  const day = watch.threshold.by === 'time' && watch.threshold.weekdays ? null : dayNote(calendar);
  return [
    wording.words(ruleWords(watch)),
    ...(day === null ? [] : [wording.words(day)]),
    ...(dataAsOf === null ? [] : [`data as of ${momentText(dataAsOf, asOf, wording)}`]),
  ].join(' · ');
}

/** Why it is this person who gets it; none where they asked for it themselves. */
function reasonText(why: ReminderVisit['why'], { words, date }: Wording): readonly string[] {
  const name = 'person' in why ? words(shorten(why.person.name, PERSON_LENGTH)) : '';
  switch (why.kind) {
    case 'owner':
      return [];
    case 'assignee':
      return ['You get this because it is assigned to you.'];
    case 'covers': {
      const until = why.until === null ? '' : ` until ${date(why.until)}`;
      return [`You get this because you cover for ${name}${until}.`];
    }
    case 'unassigned':
      return ['You get this because it has no assignee and the watch is yours.'];
    case 'notReached':
      return [`It is assigned to ${name}. You get this because ${reasons[why.because]}.`];
  }
}

const reasons = {
  noAccount: "I can't find their Slack account, or that of the person who covers for them",
  hidden: "they, or the person who covers for them, can't see it in the tracker",
  uncovered: 'they are away, and so is everyone who covers for them',
  muted: 'they, or the person who covers for them, muted this watch',
  refused: "Slack doesn't let me write to them, or to the person who covers for them",
} as const;
