import type { ViewStateValue } from '@slack/bolt';
import type { InputBlock, PlainTextOption } from '@slack/types';
import { shorten } from '../../output/readable-text.ts';
import { limits } from '../blocks/limits.ts';
import type { Choice, Inputs } from './handler-types.ts';

/** A label, a title, a hint: text without marks. */
export function plainText(text: string) {
  return { type: 'plain_text', text } as const;
}

/** A choice of a menu; a long name is shortened. */
export function optionOf(name: string, value: string): PlainTextOption {
  return { text: plainText(shorten(name, limits.option.text)), value };
}

interface InputOptions {
  readonly hint?: string;
  readonly optional?: boolean;
}

/** An input of a modal around an element; `id` names its block, and its element where that has no name of its own. */
export function inputBlock(
  id: string,
  label: string,
  element: InputBlock['element'],
  { hint, optional = false }: InputOptions = {},
): InputBlock {
  return {
    type: 'input',
    block_id: id,
    label: plainText(label),
    optional,
    element: { action_id: id, ...element },
    ...(hint === undefined ? {} : { hint: plainText(hint) }),
  };
}

/** What was entered in a modal, from the state Slack sends with it. */
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
