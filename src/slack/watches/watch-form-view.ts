import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';

/** What stands in the form of a new watch. `place` is the channel it was opened in. */
export interface WatchForm {
  readonly place: string;
  readonly status: string;
  readonly threshold: string;
  readonly filter: string;
  readonly calendar: string;
  readonly tells: 'assignee' | 'owner';
}

/** What can be chosen in it; `wrong` is why it is shown again. */
interface WatchFormChoices {
  /** Names. */
  readonly statuses: readonly string[];
  readonly calendars: readonly CalendarDefinition[];
  readonly wrong: string | null;
}

/** The form of a new watch, filled in. */
export function watchFormView(form: WatchForm, { statuses, calendars, wrong }: WatchFormChoices): ModalView {
  return {
    type: 'modal',
    callback_id: 'watch-form',
    private_metadata: JSON.stringify({ channel: form.place }),
    title: plain('New watch'),
    submit: plain('Watch'),
    close: plain('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(shorten(wrong, 1_000))}`)]),
      ...statusInput(form.status, statuses),
      {
        ...textInput('Longer than', 'threshold', form.threshold),
        hint: plain(
          '3 working days, 2 days, 6 hours, or usual: what 85 % of the visits there did not exceed.',
        ),
      },
      {
        ...textInput('Issues', 'filter', form.filter),
        optional: true,
        hint: plain(
          'A project, sprint NAME, filter NAME, assignee NAME, or jql QUERY; empty: what is usual here.',
        ),
      },
      menu(
        'Measured in',
        'calendar',
        calendars.map((one) =>
          option(one.id === null ? 'All hours, around the clock' : one.name, calendarIdOf(one)),
        ),
        form.calendar,
      ),
      menu(
        'Tell',
        'tells',
        [option('Who is in charge, or stands in for them', 'assignee'), option('Me', 'owner')],
        form.tells,
      ),
      context('Everybody is told in a direct message, in working hours, once for each stay.'),
    ],
  };
}

/** More statuses than a menu holds are typed. */
function statusInput(status: string, names: readonly string[]): KnownBlock[] {
  if (names.length === 0 || names.length > limits.select.options) {
    return [textInput('Status', 'status', status)];
  }
  const options = names.map((name) => option(name, shorten(name, limits.option.value)));
  return [menu('Status', 'status', options, status)];
}

function textInput(label: string, id: string, initial: string): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    element: {
      type: 'plain_text_input',
      action_id: id,
      max_length: limits.plainTextInput,
      ...(initial === '' ? {} : { initial_value: initial }),
    },
  };
}

function menu(label: string, id: string, options: PlainTextOption[], usual: string): InputBlock {
  const offered = options.slice(0, limits.select.options);
  const initial = offered.find(({ value }) => value === usual);
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    element: {
      type: 'static_select',
      action_id: id,
      options: offered,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

function option(text: string, value: string): PlainTextOption {
  return { text: plain(shorten(text, limits.option.text)), value };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}
