import type { ActionsBlock } from '@slack/types';
import type {
  RecipientReason,
  Reminder,
  ReminderGroup,
  ReminderVisit,
} from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import { dayMsOf, dayNote } from '../../questions/view/day-length.ts';
import { countOf, timeText } from '../../questions/view/figure-words.ts';
import { momentText } from '../../questions/view/foot-text.ts';
import { say, type Wording } from '../../questions/view/wording.ts';
import { button } from '../app/message-texts.ts';
import { snoozeMenu } from './snooze.ts';
import { limitWords, ruleWords, thresholdWords } from './watch-rule.ts';

/** How many issues of a message have lines and buttons of their own; more nobody works through. */
export const MOST_SHOWN = 5;
const MOST_NAMED = 20;
const SUMMARY_LENGTH = 150;
const NAME_LENGTH = 60;

/** Who reads it. */
interface NudgeReader {
  readonly account: string;
  /** Whose watches they are, by account, as others know them. */
  readonly ownerNames: ReadonlyMap<string, string>;
}

/** What somebody is told of watches; `runs` are the kept questions behind *Why?*, by key. */
export function nudgeMessage(
  nudge: Reminder,
  reader: NudgeReader,
  runs: ReadonlyMap<string, string>,
): Message {
  let left = MOST_SHOWN;
  const messages = nudge.map((group) => {
    const shown = Math.min(left, group.visits.length);
    left -= shown;
    return groupMessage(group, shown, reader, runs);
  });
  return {
    text: messages.map(({ text }) => text).join('\n'),
    blocks: messages.flatMap(({ blocks }) => blocks),
  };
}

/** What a watch tells, with lines and buttons for so many issues. */
function groupMessage(
  { watch, visits, calendar, asOf, dataAsOf }: ReminderGroup,
  most: number,
  { account, ownerNames }: NudgeReader,
  runs: ReadonlyMap<string, string>,
): Message {
  const dayMs = dayMsOf(calendar);
  const shown = visits.slice(0, most);
  const more = visits.slice(most).map(({ issue }) => issue.key);
  const lines = shown.map((visit) => say((wording) => visitText(visit, watch.threshold, dayMs, wording)));
  const head = say(({ words, strong }) =>
    visits.length === 1 && shown.length === 1
      ? ''
      : `${strong(countOf(visits.length, 'issue'))} in ${strong(shorten(watch.status.name, NAME_LENGTH))} for longer than ${words(thresholdWords(watch.threshold))}.`,
  );
  const lead =
    shown.length === 0 ? countOf(more.length, 'issue') : `And ${countOf(more.length, 'more issue')}`;
  const rest = more.length === 0 ? '' : `${lead}: ${someOf(more, MOST_NAMED)}.`;
  const day = watch.threshold.by === 'time' && watch.threshold.weekdays ? null : dayNote(calendar);
  const rule = [
    `${account === watch.owner ? 'Your watch' : `Watch of ${shorten(ownerNames.get(watch.owner) ?? watch.owner, NAME_LENGTH)}`}: ${ruleWords(watch)}${day === null ? '' : `, where ${day}`}.`,
    'I tell of each stay once, and of watches at most once an hour.',
  ].join(' ');
  const foot = say((wording) =>
    dataAsOf === null
      ? wording.words(rule)
      : `${wording.words(rule)} Data as of ${momentText(dataAsOf, asOf, wording)}.`,
  );
  return {
    text: [head.plain, ...lines.map(({ plain }) => plain), rest, foot.plain]
      .filter((one) => one !== '')
      .map(escapeMrkdwn)
      .join('\n'),
    blocks: [
      ...(head.marked === '' ? [] : [section(head.marked)]),
      ...shown.flatMap((visit, i) => [
        section(lines[i]?.marked ?? ''),
        buttonsOf(visit, watch.id, runs.get(visit.issue.key)),
      ]),
      ...(rest === '' ? [] : [section(escapeMrkdwn(rest))]),
      context(foot.marked),
      {
        type: 'actions',
        elements: [
          account === watch.owner
            ? deleteButton('Stop this watch', watch.id)
            : button('No more from this watch', 'watch-mute', watch.id),
        ],
      },
    ],
  };
}

function visitText(
  { issue, thresholdMs, why }: ReminderVisit,
  threshold: ReminderGroup['watch']['threshold'],
  dayMs: number,
  wording: Wording,
): string {
  const { key, link, summary, status, since, ageMs } = issue;
  const { words, strong } = wording;
  return [
    `${wording.bold(wording.key(key, link))} ${words(shorten(summary, SUMMARY_LENGTH))}`,
    `${words(shorten(status.title, NAME_LENGTH))} since ${wording.date(since)}: ${strong(timeText(ageMs, dayMs))}, which is ${timeText(ageMs - thresholdMs, dayMs)} longer than ${words(limitWords(threshold, thresholdMs, dayMs))}.`,
    recipientReason(why, wording),
  ].join('\n');
}

function buttonsOf(
  { issue: { key, since, link } }: ReminderVisit,
  watchId: string,
  run: string | undefined,
): ActionsBlock {
  return {
    type: 'actions',
    elements: [
      snoozeMenu({ watchId, key, since }),
      ...(link === null ? [] : [{ ...button('Open', 'open-issue', key), url: link }]),
      ...(run === undefined ? [] : [button('Why?', 'why-answer', run)]),
    ],
  };
}

/** A button that takes a watch away, and asks before it does. */
export function deleteButton(text: string, id: string) {
  const plain = (words: string) => ({ type: 'plain_text', text: words }) as const;
  return {
    ...button(text, 'watch-delete', id),
    confirm: {
      title: plain('Stop this watch?'),
      text: plain('Nobody is told of it any more. It cannot be brought back.'),
      confirm: plain('Stop it'),
      deny: plain('Keep it'),
    },
  };
}

const PERSON_LENGTH = 80;

/** Why it is this person who is told, in a sentence. */
function recipientReason(why: RecipientReason, { words, date }: Wording): string {
  const name = 'person' in why ? words(shorten(why.person.name, PERSON_LENGTH)) : '';
  switch (why.kind) {
    case 'asked':
      return 'You asked to be told.';
    case 'inCharge':
      return 'It is with you.';
    case 'standsIn': {
      const until = why.until === null ? '' : ` until ${date(why.until)}`;
      return `It is with ${name}, who is away${until}; you stand in for them.`;
    }
    case 'nobodyInCharge':
      return 'It is with nobody, so I tell you, whose watch this is.';
    case 'notReached':
      return `It is with ${name}. ${reasons[why.because]}, so I tell you, whose watch this is.`;
  }
}

const reasons = {
  noAccount: 'I know no Slack account of them, or of who stands in for them',
  hidden: 'They, or who stands in for them, may not see it in the tracker',
  uncovered: 'They are away, and so is everybody who stands in for them',
  muted: 'They, or who stands in for them, want to hear no more of this watch',
  refused: 'Slack does not let me tell them, or who stands in for them',
} as const;
