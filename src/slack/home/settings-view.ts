import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Preferences } from '../../model/chat.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { MOST_PROJECTS } from './most-projects.ts';

/** Long enough for five keys. */
const TYPED_LENGTH = 200;

/** What somebody can choose from. `projects`: keys of all they may see; null where nobody tells. */
export interface SettingsChoices {
  readonly calendars: readonly CalendarDefinition[];
  readonly projects: readonly string[] | null;
}

/** The form of somebody's settings. A menu takes a hundred options; where there are more projects, keys are typed. */
export function settingsView(
  { projects, calendar }: Preferences,
  { calendars, projects: all }: SettingsChoices,
): ModalView {
  const chosen = projects ?? [];
  return {
    type: 'modal',
    callback_id: 'home-settings',
    title: plain('Settings'),
    submit: plain('Save'),
    close: plain('Cancel'),
    blocks: [
      projectsInput(chosen, all ?? []),
      ...calendarInput(calendar, calendars),
      context(
        'They count on your Home tab and in our conversation. Channels have their own: `/tis calendar` there.',
      ),
    ],
  };
}

function projectsInput(chosen: readonly string[], all: readonly string[]): InputBlock {
  const [first, ...others] = all.map((key) => option(key, key));
  const hint = plain(`At most ${MOST_PROJECTS}. None: those most of your issues are in.`);
  const label = 'Projects whose week is told';
  if (first === undefined || others.length >= limits.select.options) {
    return {
      ...input(label, 'project-keys', {
        type: 'plain_text_input',
        max_length: TYPED_LENGTH,
        placeholder: plain('Keys, with blanks between'),
        ...(chosen.length === 0 ? {} : { initial_value: chosen.join(' ').slice(0, TYPED_LENGTH) }),
      }),
      optional: true,
      hint,
    };
  }
  const options = [first, ...others];
  // Of a project that is gone, or closed to them now, nothing can be shown.
  const initial = options.filter(({ value }) => value !== undefined && chosen.includes(value));
  return {
    ...input(label, 'projects', {
      type: 'multi_static_select',
      options,
      max_selected_items: MOST_PROJECTS,
      ...(initial.length === 0 ? {} : { initial_options: initial.slice(0, MOST_PROJECTS) }),
    }),
    optional: true,
    hint,
  };
}

function calendarInput(chosen: string | null, calendars: readonly CalendarDefinition[]): InputBlock[] {
  const options = calendars
    .slice(0, limits.select.options)
    .map((one) => option(one.id === null ? 'Around the clock' : one.name, calendarIdOf(one)));
  const [first, ...others] = options;
  if (first === undefined) return [];
  const usual = calendars.filter(({ isDefault }) => isDefault).map(calendarIdOf)[0];
  const initial = options.find(({ value }) => value === (chosen ?? usual)) ?? first;
  return [
    {
      ...input('Hours that count', 'calendar', {
        type: 'static_select',
        options: [first, ...others],
        initial_option: initial,
      }),
      hint: plain('Ages and cycle times are told in this calendar.'),
    },
  ];
}

function input<Element extends InputBlock['element']>(
  label: string,
  id: string,
  element: Element,
): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element: { ...element, action_id: id } };
}

function option(text: string, value: string): PlainTextOption {
  return { text: plain(shorten(text, limits.option.text)), value };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}
