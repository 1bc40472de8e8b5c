import type { ViewStateValue } from '@slack/bolt';
import type { PlainTextOption } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { optionOf } from './form-blocks.ts';
import type { Choice, Inputs } from './handler-types.ts';

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
