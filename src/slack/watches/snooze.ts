import type { ModalView, StaticSelect } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import type { SnoozeEnd, SnoozeInput } from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Snooze } from '../../model/watch.ts';
import { inputBlock, optionOf, plainText } from '../app/form-blocks.ts';
import type { SlackAction, SlackModal } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openView } from '../app/open-view.ts';
import type { SlackParts } from '../app/parts.ts';

/** What the form begins with. */
const DEFAULT_MS = 3 * millisecondsInDay;
const MOST_MS = 30 * millisecondsInDay;

/** *Snooze* beside an overdue issue: no more alerts about it for a while. */
export const snoozeVisit: SlackAction<Pick<SlackParts, 'now' | 'watches'>> = {
  id: 'snooze-visit',
  async run({ principal: { account }, value, open }, { watches, now }) {
    const { visit, choice } = readValue(value);
    const [, end] = choices.get(choice) ?? [];
    if (end === undefined) throw badRequest(`"${choice}" isn't in the menu. Try: another entry.`);
    if (end !== null) return [snoozedMessage(await watches.snooze({ ...visit, account, ends: end }))];
    return openView(() => open(snoozeDateView(visit, now() + DEFAULT_MS)), 'Please choose it again.');
  },
};

/** The end of a snooze, submitted. */
export const snoozeUntil: SlackModal<Pick<SlackParts, 'watches'>> = {
  id: 'snooze-until',
  title: 'Snooze',
  meanwhile: 'Saving…',
  wrongAtOnce({ instants: { until } }, now): Readonly<Record<string, string>> {
    if (until === undefined || (until > now && until <= now + MOST_MS)) return {};
    return { until: 'Choose a time within the next 30 days.' };
  },
  placeOf: ({ principal }) => ({ channel: principal.account, threadTs: null }),
  async answer({ principal: { account }, metadata, instants: { until } }, { watches }) {
    if (until === undefined)
      throw badRequestAs('missing-value', 'The end is missing. Try: a time within the next 30 days.');
    const ends = { by: 'instant', until } as const;
    return snoozedMessage(await watches.snooze({ ...readValue(metadata).visit, account, ends }));
  },
};

/** A stay of an issue, and the watch that alerted about it. */
type SnoozedVisit = Pick<SnoozeInput, 'watchId' | 'key' | 'since'>;

/** By what the menu's values end with; null: a date is asked for. */
const choices: ReadonlyMap<string, readonly [text: string, end: SnoozeEnd | null]> = new Map([
  ['day', ['For a day', { by: 'day' }]],
  ['workingDays', ['For 3 working days', { by: 'workingDays', days: 3 }]],
  ['week', ['For a week', { by: 'week' }]],
  ['date', ['Until a date…', null]],
]);

/** The menu beside an overdue issue. */
export function snoozeMenu(visit: SnoozedVisit): StaticSelect {
  return {
    type: 'static_select',
    action_id: 'snooze-visit',
    placeholder: plainText('Snooze'),
    options: [...choices].map(([id, [text]]) => optionOf(text, `${writeVisit(visit)} ${id}`)),
  };
}

/** As a menu and a form carry it; ids and keys hold no blanks. */
const writeVisit = ({ watchId, key, since }: SnoozedVisit) => `${watchId} ${key} ${since}`;

function readValue(value: string): { readonly visit: SnoozedVisit; readonly choice: string } {
  const [watchId = '', key = '', since = '', choice = ''] = value.split(' ');
  return { visit: { watchId, key, since: Number(since) }, choice };
}

/** Asks until when an issue is snoozed. */
export function snoozeDateView(visit: SnoozedVisit, proposed: Instant): ModalView {
  return {
    type: 'modal',
    callback_id: 'snooze-until',
    private_metadata: writeVisit(visit),
    title: plainText('Snooze'),
    submit: plainText('Snooze'),
    close: plainText('Cancel'),
    blocks: [
      section(`No alerts about *${escapeMrkdwn(visit.key)}* until:`),
      inputBlock('until', 'Until', {
        type: 'datetimepicker',
        action_id: 'until',
        initial_date_time: Math.floor(proposed / 1000),
      }),
      context('At most 30 days. The snooze ends when the issue moves on.'),
    ],
  };
}

/** What a person reads who snoozed an issue. */
export function snoozedMessage({ key, until }: Snooze): Message {
  return notice(
    `Snoozed. I'll remind you of ${escapeMrkdwn(key)} on ${dateMark(until)} or in the next working hours, if it is still there.`,
  );
}
