import type { ViewStateValue } from '@slack/bolt';
import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { Instant } from '../../model/issue.ts';
import { shorten } from '../../output/readable-text.ts';
import { limits } from '../blocks/limits.ts';
import type { Choice, Inputs } from './handler-types.ts';

type Filled<Value> = (value: Value) => InputBlock['element'];

interface TextOptions {
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly multiline?: true;
}

/** The inputs of forms. A menu for several takes `max` options; without it as many as Slack does. */
export const input = {
  /** Slack takes no text that is longer than its field. */
  text({ maxLength = limits.plainTextInput, placeholder, multiline }: TextOptions = {}): Filled<string> {
    return (text) => ({
      type: 'plain_text_input',
      ...(multiline && { multiline }),
      max_length: maxLength,
      ...(text !== '' && { initial_value: text.length > maxLength ? shorten(text, maxLength) : text }),
      ...(placeholder !== undefined && { placeholder: plainText(placeholder) }),
    });
  },

  menu(all: readonly PlainTextOption[]): Filled<string | number> {
    const options = all.slice(0, limits.select.options);
    return (value) => ({ type: 'static_select', options, ...chosenOf(options, value) });
  },

  groupedMenu(groups: readonly (readonly [label: string, options: PlainTextOption[]])[]): Filled<string> {
    const option_groups = groups.map(([name, options]) => ({ label: plainText(name), options }));
    const all = groups.flatMap(([, options]) => options);
    return (value) => ({ type: 'static_select', option_groups, ...chosenOf(all, value) });
  },

  menuForSeveral(options: PlainTextOption[]): Filled<readonly (string | number)[]> {
    return (values) => ({
      type: 'multi_static_select',
      options,
      ...allChosenOf(options, values.map(String)),
    });
  },

  radioButtons(options: PlainTextOption[]): Filled<string> {
    return (value) => ({ type: 'radio_buttons', options, ...chosenOf(options, value) });
  },

  /** A menu that is searched by the SlackMenu of its `action_id`; `choice` names a value. */
  search(placeholder: string, choice = ownChoice): Filled<string> {
    const menu = {
      type: 'external_select',
      min_query_length: 0,
      placeholder: plainText(placeholder),
    } as const;
    return (value) => ({ ...menu, ...chosenOf(optionsOf([choice(value)]), value) });
  },

  searchForSeveral(placeholder: string, max?: number, choice = ownChoice): Filled<readonly string[]> {
    return (values) => ({
      type: 'multi_external_select',
      min_query_length: 0,
      placeholder: plainText(placeholder),
      ...(max !== undefined && { max_selected_items: max }),
      ...allChosenOf(optionsOf(values.map(choice)).slice(0, limits.select.options), values),
    });
  },

  /** One box; `value` is that of its option. */
  checkbox(text: string, value: string): Filled<boolean> {
    const options = [optionOf(text, value)];
    return (isChecked) => ({ type: 'checkboxes', options, ...(isChecked && { initial_options: options }) });
  },

  /** Several boxes; each has its option's value. */
  checkboxes(options: PlainTextOption[]): Filled<readonly string[]> {
    return (values) => ({ type: 'checkboxes', options, ...allChosenOf(options, values) });
  },

  /** yyyy-MM-dd; empty: no day. */
  day: (day: string) => ({ type: 'datepicker', ...(day !== '' && { initial_date: day }) }) as const,

  /** Slack takes no part of a second. */
  instant: (at: Instant | null) =>
    ({
      type: 'datetimepicker',
      ...(at !== null && { initial_date_time: Math.floor(at / 1000) }),
    }) as const,

  account: (account: string | null) =>
    ({ type: 'users_select', ...(account !== null && { initial_user: account }) }) as const,
};

const ownChoice = (value: string): Choice => [value, value];

function chosenOf(options: readonly PlainTextOption[], value: string | number) {
  const chosen = options.find((option) => option.value === String(value));
  return chosen && { initial_option: chosen };
}

function allChosenOf(options: readonly PlainTextOption[], values: readonly string[]) {
  const chosen = options.filter(({ value }) => values.includes(value ?? ''));
  return chosen.length > 0 && { initial_options: chosen };
}

/** Schemas of what is entered in inputs, with its default where nothing was entered. */
export const entered = {
  /** A text, a day or an option. */
  text: z.string().default(''),
  /** Options or accounts, in the order of choosing. */
  list: z.array(z.string()).readonly().default([]),
  check: z.array(z.string()).transform((checked) => checked.length > 0),
  account: z
    .tuple([z.string()])
    .transform(([account]) => account)
    .nullable()
    .default(null),
  instant: z.number().nullable().default(null),
};

/** A label, a title, a hint: text without marks. */
export function plainText(text: string) {
  return { type: 'plain_text', text } as const;
}

/** A choice of a menu; a long name is shortened. */
export function optionOf(name: string, value: string): PlainTextOption {
  return { text: plainText(shorten(name, limits.option.text)), value };
}

/** The inputs of a modal, from the state Slack sends with it. */
export function readInputs(
  state: Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>,
): Inputs {
  const entries = Object.values(state).flatMap((block) => Object.entries(block));
  const collect = <Value>(read: (value: ViewStateValue) => Value | null | undefined) =>
    Object.fromEntries(
      entries.flatMap(([id, entered]) => {
        const value = read(entered);
        return value === null || value === undefined ? [] : [[id, value]];
      }),
    );
  return {
    chosen: collect(
      ({ selected_option: option, selected_conversation: conversation }) => option?.value ?? conversation,
    ),
    chosenAll: collect(({ selected_options: options }) => options?.map(({ value }) => value)),
    accounts: collect(({ selected_user: one, selected_users: several }) => several ?? (one ? [one] : null)),
    instants: collect(({ selected_date_time: seconds }) => (seconds ? seconds * 1000 : null)),
    texts: collect(({ value, selected_date: day }) => value ?? day),
  };
}

/** Choices as options, without those that no menu can hold. */
export function optionsOf(choices: readonly Choice[]): PlainTextOption[] {
  return choices
    .filter(([, value]) => value.trim() !== '' && value.length <= limits.option.value)
    .map(([title, value]) => optionOf(title.replaceAll(/\s+/g, ' ').trim() || value, value));
}
