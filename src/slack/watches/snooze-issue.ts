import type { StaticSelect } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import type { SnoozeEnd } from '../../api/watches/watches-api.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { OF_TARGET, type Snooze } from '../../model/watch.ts';
import { defineForm, field, type Wrong } from '../app/define-form.ts';
import { entered, input, optionOf, plainText } from '../app/form-inputs.ts';
import type { SlackAction, SlackModal } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openView } from '../app/open-view.ts';
import type { SlackParts } from '../app/parts.ts';
import type { Message } from '../blocks/message.ts';
import { context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';

/** The length (ms) of a snooze that a form proposes. */
export const DEFAULT_SNOOZE_MS = 3 * millisecondsInDay;

const MAX_MS = 30 * millisecondsInDay;

/** Why a snooze cannot end at an instant; null where it can. */
export function snoozeEndProblem(until: Instant, now: Instant): string | null {
  return until > now && until <= now + MAX_MS ? null : 'Choose a time within the next 30 days.';
}

/** *Snooze* beside an overdue issue: no more alerts about it for a while. */
export const snoozeVisit: SlackAction<Pick<SlackParts, 'now' | 'watches'>> = {
  id: 'snooze-visit',
  async run({ principal: { account }, value, open }, { watches, now }) {
    const [watchId = '', key = '', since = '', choice = ''] = value.split(' ');
    const visit = { watchId, key, since: Number(since) };
    const [, end] = choices.get(choice) ?? [];
    if (end === undefined) throw badRequest(`"${choice}" isn't in the menu. Try: another entry.`);
    if (end !== null) return [snoozedMessage(await watches.snooze({ ...visit, account, ends: end }))];
    const view = snoozeDateForm.view({ ...visit, until: now() + DEFAULT_SNOOZE_MS }, null);
    return openView(() => open(view), 'Please choose it again.');
  },
};

const visitSchema = z.object({ watchId: z.string(), key: z.string(), since: z.number() });

type SnoozedVisit = z.output<typeof visitSchema>;

/** Asks until when an issue is snoozed. */
const snoozeDateForm = defineForm({
  id: 'snooze-until',
  title: 'Snooze',
  submit: 'Snooze',
  carried: visitSchema,
  reads: { until: entered.instant },
  rows: ({ key, since }) => [
    section(`No alerts about *${escapeMrkdwn(key)}* until:`),
    field('until', 'Until', input.instant),
    context(
      since === OF_TARGET
        ? 'At most 30 days. No alert follows if the issue is finished by then.'
        : 'At most 30 days. The snooze ends when the issue moves on.',
    ),
  ],
});

/** The end of a snooze, submitted. */
export const snoozeUntil: SlackModal<Pick<SlackParts, 'watches'>> = snoozeDateForm.modal({
  meanwhile: 'Saving…',
  wrongAtOnce({ until }, now): Wrong {
    const problem = until === null ? null : snoozeEndProblem(until, now);
    return problem === null ? {} : { until: problem };
  },
  placeOf: (_, { principal }) => ({ channel: principal.account, threadTs: null }),
  async answer({ until, ...visit }, { principal: { account } }, { watches }) {
    if (until === null)
      throw badRequestAs('missing-value', 'The end is missing. Try: a time within the next 30 days.');
    return snoozedMessage(await watches.snooze({ ...visit, account, ends: { by: 'instant', until } }));
  },
});

/** The choices by the last word of the menu's values; null: the person enters a date next. */
const choices: ReadonlyMap<string, readonly [text: string, end: SnoozeEnd | null]> = new Map([
  ['day', ['For a day', { by: 'day' }]],
  ['workingDays', ['For 3 working days', { by: 'workingDays', days: 3 }]],
  ['week', ['For a week', { by: 'week' }]],
  ['date', ['Until a date…', null]],
]);

/** The menu beside an overdue issue; ids and keys hold no blanks. */
export function snoozeMenu({ watchId, key, since }: SnoozedVisit): StaticSelect {
  return {
    type: 'static_select',
    action_id: 'snooze-visit',
    placeholder: plainText('Snooze'),
    options: [...choices].map(([id, [text]]) => optionOf(text, `${watchId} ${key} ${since} ${id}`)),
  };
}

/** The message to a person who snoozed an issue. */
function snoozedMessage({ key, since, until }: Snooze): Message {
  const still = since === OF_TARGET ? 'it is not finished by then' : 'it is still there';
  return notice(
    `Snoozed. I'll remind you of ${escapeMrkdwn(key)} on ${dateMark(until)} or in the next working hours, if ${still}.`,
  );
}
