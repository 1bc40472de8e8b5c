import type { InputBlock } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { type Choice, optionsOf } from '../choice-options.ts';
import type { BuilderForm } from './builder-form.ts';

/** Slack keeps what was entered where a field keeps its id, so a form that is filled anew has new ids. */
export type Fill = Pick<BuilderForm, 'filled'>;

/** An element, and the id of the block it stands in. */
export interface Placed {
  readonly id: string;
  readonly element: InputBlock['element'];
}

/** An element under a label. */
export function labelled(label: string, { id, element }: Placed): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element };
}

/** A menu of few choices with one of them chosen; a choice of another door's is offered beside them. */
export function menu(id: string, choices: readonly Choice[], chosen: string, { filled }: Fill): Placed {
  const isOffered = choices.some(([, value]) => value === chosen);
  const options = optionsOf(isOffered ? choices : [...choices, [capitalized(chosen), chosen]]);
  const initial = options.find(({ value }) => value === chosen);
  return {
    id: `${id}.${filled}`,
    element: {
      type: 'static_select',
      action_id: id,
      options: options.slice(0, limits.select.options),
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
  };
}

/** A menu of any number of choices: where Slack's does not hold them all, they are searched. */
export function search(
  id: string,
  choices: readonly Choice[],
  chosen: string,
  placeholder: string,
  { filled }: Fill,
): Placed {
  const options = optionsOf(choices);
  const initial = options.find(({ value }) => value === chosen);
  const start = initial === undefined ? {} : { initial_option: initial };
  const shared = { action_id: id, placeholder: plain(placeholder), ...start };
  return {
    id: `${id}.${filled}`,
    element:
      options.length <= limits.select.options
        ? { type: 'static_select', options, ...shared }
        : { type: 'external_select', min_query_length: 0, ...shared },
  };
}

/** A day (yyyy-MM-dd; empty: none yet). */
export function dayInput(label: string, id: string, day: string, { filled }: Fill): InputBlock {
  return labelled(label, {
    id: `${id}.${filled}`,
    element: { type: 'datepicker', action_id: id, ...(day === '' ? {} : { initial_date: day }) },
  });
}

/** Text in which nothing is a mark. */
export function plain(text: string) {
  return { type: 'plain_text', text } as const;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
