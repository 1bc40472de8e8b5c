import type { ActionsBlock } from '@slack/types';
import type { Nudge, NudgedVisit } from '../../api/watches.ts';
import { countOf } from '../answers/count-words.ts';
import { dayMsOf, dayNote } from '../answers/day-length.ts';
import { timeText } from '../answers/value-text.ts';
import { say, type Wording } from '../answers/wording.ts';
import type { Message } from '../message.ts';
import { button } from '../messages/button.ts';
import { context, escapeMrkdwn, section } from '../messages/mrkdwn.ts';
import { shorten } from '../messages/shorten.ts';
import { someOf } from '../messages/some-of.ts';
import { limitWords, ruleWords, thresholdWords } from './rule-words.ts';
import { snoozeMenu } from './snooze-menu.ts';
import { whyToldWords } from './why-told-words.ts';

/** How many issues have lines and buttons of their own; more nobody works through in a message. */
export const MOST_TOLD = 5;
const MOST_NAMED = 20;
const SUMMARY_LENGTH = 150;
const NAME_LENGTH = 60;

/** Who reads it. */
export interface NudgeReader {
  readonly account: string;
  /** Whose watch it is, as others know them. */
  readonly ownerName: string;
}

/** What somebody is told of a watch; `runs` are the kept questions behind *Why?*, by key. */
export function nudgeMessage(
  nudge: Nudge,
  { account, ownerName }: NudgeReader,
  runs: ReadonlyMap<string, string>,
): Message {
  const { watch, visits, calendar } = nudge;
  const dayMs = dayMsOf(calendar);
  const shown = visits.slice(0, MOST_TOLD);
  const more = visits.slice(MOST_TOLD).map(({ issue }) => issue.key);
  const lines = shown.map((visit) => say((wording) => visitText(visit, watch.threshold, dayMs, wording)));
  const head = say(({ words, strong }) =>
    visits.length === 1
      ? ''
      : `${strong(countOf(visits.length, 'issue'))} in ${strong(shorten(watch.status.name, NAME_LENGTH))} for longer than ${words(thresholdWords(watch.threshold))}.`,
  );
  const rest =
    more.length === 0 ? '' : `And ${countOf(more.length, 'more issue')}: ${someOf(more, MOST_NAMED)}.`;
  const day = dayNote(calendar);
  const foot = [
    `${account === watch.owner ? 'Your watch' : `Watch of ${shorten(ownerName, NAME_LENGTH)}`}: ${ruleWords(watch)}.`,
    calendar.continuous
      ? 'Every hour counts.'
      : `Measured in ${shorten(calendar.name, NAME_LENGTH)}${day === null ? '' : `, where ${day}`}.`,
    'I tell of each stay once.',
  ].join(' ');
  return {
    text: [head.plain, ...lines.map(({ plain }) => plain), rest, foot]
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
      context(escapeMrkdwn(foot)),
      ...(account === watch.owner ? [stopButton(watch.id)] : []),
    ],
  };
}

function visitText(
  { issue, thresholdMs, why }: NudgedVisit,
  threshold: Nudge['watch']['threshold'],
  dayMs: number,
  wording: Wording,
): string {
  const { key, link, summary, status, since, ageMs } = issue;
  const { words, strong } = wording;
  return [
    `${wording.bold(wording.key(key, link))} ${words(shorten(summary, SUMMARY_LENGTH))}`,
    `${words(shorten(status.title, NAME_LENGTH))} since ${wording.date(since)}: ${strong(timeText(ageMs, dayMs))}, which is ${timeText(ageMs - thresholdMs, dayMs)} longer than ${words(limitWords(threshold, thresholdMs, dayMs))}.`,
    whyToldWords(why, wording),
  ].join('\n');
}

function buttonsOf(
  { issue: { key, since, link } }: NudgedVisit,
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

function stopButton(id: string): ActionsBlock {
  return { type: 'actions', elements: [deleteButton('Stop this watch', id)] };
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
