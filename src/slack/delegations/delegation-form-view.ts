import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Category } from '../../model/delegation.ts';
import type { DelegationForm } from './delegation-form.ts';

/** As many as the register takes. */
const MOST_DELEGATES = 20;
const NOTES_LENGTH = 2_000;

/** The form, filled in; `wrong` is why it is shown again. Only with a delegator it asks whose work it is. */
export function delegationFormView(
  form: DelegationForm,
  { categories, wrong }: { readonly categories: readonly Category[]; readonly wrong: string | null },
): ModalView {
  return {
    type: 'modal',
    callback_id: 'set-delegation',
    private_metadata: JSON.stringify(form.place),
    title: plain('Hand work over'),
    submit: plain('Set'),
    close: plain('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(wrong)}`)]),
      ...(form.delegator === null ? [] : [delegatorInput(form.delegator)]),
      delegatesInput(form.delegates),
      input('From', 'from', { type: 'datetimepicker', initial_date_time: form.from / 1000 }),
      input('To', 'to', { type: 'datetimepicker', initial_date_time: form.to / 1000 }),
      ...categoriesInput(form.categoryIds, categories),
      notesInput(form.notes),
      context('Both sides are told in a direct message.'),
    ],
  };
}

function delegatorInput(delegator: string): InputBlock {
  return input('For whom', 'for', { type: 'users_select', initial_user: delegator });
}

function delegatesInput(delegates: readonly string[]): InputBlock {
  return {
    ...input('Who stands in', 'who', {
      type: 'multi_users_select',
      max_selected_items: MOST_DELEGATES,
      ...(delegates.length === 0 ? {} : { initial_users: [...delegates] }),
    }),
    hint: plain('In the order in which they are to be asked.'),
  };
}

/** A menu takes a hundred options; it is not offered where there is nothing to choose. */
function categoriesInput(chosen: readonly number[], categories: readonly Category[]): KnownBlock[] {
  const most = limits.select.options;
  const [first, ...others] = categories.slice(0, most).map(option);
  if (first === undefined) return [];
  const options: PlainTextOption[] = [first, ...others];
  const initial = options.filter(({ value }) => chosen.includes(Number(value)));
  return [
    {
      ...input('Categories', 'categories', {
        type: 'multi_static_select',
        options,
        ...(initial.length === 0 ? {} : { initial_options: initial }),
      }),
      optional: true,
      hint: plain('None chosen means everything.'),
    },
    ...(categories.length > most
      ? [context(`${most} of ${categories.length} categories are offered here; the others over REST.`)]
      : []),
  ];
}

function notesInput(notes: string): InputBlock {
  return {
    ...input('Notes', 'notes', {
      type: 'plain_text_input',
      multiline: true,
      max_length: NOTES_LENGTH,
      ...(notes === '' ? {} : { initial_value: notes }),
    }),
    optional: true,
  };
}

function input<Element extends InputBlock['element']>(
  label: string,
  id: string,
  element: Element,
): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element: { ...element, action_id: id } };
}

function option({ id, name }: Category): PlainTextOption {
  return { text: plain(shorten(name, limits.option.text)), value: String(id) };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}
