import type { ModalView, StaticSelect } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import type { SnoozeEnd } from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section, utcText } from '../../block-kit/mrkdwn.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Snooze } from '../../model/watch.ts';
import type { SlackAction, SlackModal } from '../app/handler-types.ts';
import { openView } from '../app/open-view.ts';
import type { SlackParts } from '../app/parts.ts';

/** What stands in the form before anything is chosen: three days on. */
const USUAL_DAYS = 3;

/** *Snooze* beside an issue that sits too long: nothing more of it for a while. */
export const snoozeVisit: SlackAction<Pick<SlackParts, 'now' | 'watches'>> = {
  id: 'snooze-visit',
  async run({ principal: { account }, value, open }, { watches, now }) {
    const { visit, end } = readSnooze(value);
    if (end !== null) return [snoozedMessage(await watches.snooze({ ...visit, account, ends: end }))];
    const usual = now() + USUAL_DAYS * millisecondsInDay;
    return openView(() => open(snoozeDateView(visit, usual)), 'Please choose it again.');
  },
};

const MOST_MS = 30 * millisecondsInDay;

/** Until when somebody wants to hear nothing of an issue, submitted. */
export const snoozeUntil: SlackModal<Pick<SlackParts, 'watches'>> = {
  id: 'snooze-until',
  title: 'Snooze',
  meanwhile: 'Remembering it…',
  wrongAtOnce({ instants: { until } }, now): Readonly<Record<string, string>> {
    if (until === undefined || (until > now && until <= now + MOST_MS)) return {};
    return { until: 'Choose a time to come, at most 30 days from now.' };
  },
  placeOf: ({ principal }) => ({ channel: principal.account, threadTs: null }),
  async answer({ principal: { account }, metadata, instants: { until } }, { watches }) {
    if (until === undefined)
      throw badRequestAs('missing-value', 'The end is missing. Try: at most 30 days from now.');
    return snoozedMessage(
      await watches.snooze({ ...readVisit(metadata), account, ends: { by: 'instant', until } }),
    );
  },
};

/** A visit of an issue, and the watch that told of it. */
interface SnoozedVisit {
  readonly watchId: string;
  readonly key: string;
  readonly since: Instant;
}

/** Until when somebody may want to hear nothing of it; `date` asks for one. */
const ends = {
  day: { text: 'For a day', end: { by: 'day' } },
  workingDays: { text: 'For 3 working days', end: { by: 'workingDays', days: 3 } },
  week: { text: 'For a week', end: { by: 'week' } },
  date: { text: 'Until a date…', end: null },
} as const satisfies Record<string, { readonly text: string; readonly end: SnoozeEnd | null }>;

/** The menu beside an issue that sits too long. */
export function snoozeMenu(visit: SnoozedVisit): StaticSelect {
  return {
    type: 'static_select',
    action_id: 'snooze-visit',
    placeholder: { type: 'plain_text', text: 'Snooze' },
    options: Object.entries(ends).map(([choice, { text }]) => ({
      text: { type: 'plain_text', text },
      value: `${writeVisit(visit)} ${choice}`,
    })),
  };
}

/** What was chosen in it; `end` null: until a date that is to be asked for. */
function readSnooze(value: string): { readonly visit: SnoozedVisit; readonly end: SnoozeEnd | null } {
  const [watchId = '', key = '', since = '', choice = ''] = value.split(' ');
  const chosen = Object.entries(ends).find(([id]) => id === choice);
  if (chosen === undefined) throw badRequest(`'${choice}' is no end of a snooze. Try: those of the menu.`);
  return { visit: { watchId, key, since: Number(since) }, end: chosen[1].end };
}

/** A visit as a value of a menu; ids and keys hold no blanks. */
function writeVisit({ watchId, key, since }: SnoozedVisit): string {
  return `${watchId} ${key} ${since}`;
}

/** The same, read again. */
function readVisit(written: string): SnoozedVisit {
  const [watchId = '', key = '', since = ''] = written.split(' ');
  return { watchId, key, since: Number(since) };
}

/** Asks until when somebody wants to hear nothing of an issue. */
export function snoozeDateView(visit: SnoozedVisit, usual: Instant): ModalView {
  return {
    type: 'modal',
    callback_id: 'snooze-until',
    private_metadata: writeVisit(visit),
    title: plain('Snooze'),
    submit: plain('Snooze'),
    close: plain('Cancel'),
    blocks: [
      section(`Nothing of *${escapeMrkdwn(visit.key)}* before then.`),
      {
        type: 'input',
        block_id: 'until',
        label: plain('Until'),
        element: {
          type: 'datetimepicker',
          action_id: 'until',
          initial_date_time: Math.floor(usual / 1000),
        },
      },
      context('At most 30 days. When the issue moves on, the snooze is over.'),
    ],
  };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

/** What somebody reads who wants to hear nothing of an issue for a while. */
export function snoozedMessage({ key, until }: Snooze): Message {
  const [before, after] = [
    `You hear of ${escapeMrkdwn(key)} again`,
    'if it still sits there, in working hours.',
  ];
  return {
    text: `${before} on ${utcText(until)} ${after}`,
    blocks: [section(`${before} on ${dateMark(until)} ${after}`)],
  };
}
