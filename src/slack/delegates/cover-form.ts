import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { limits } from '../../block-kit/limits.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Category } from '../../model/delegation.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { firstInstantFrom, instantOf, wallOf } from '../../time/wall-clock.ts';
import type { Place, SlackModal, SlashCommand, Submission } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { DelegationParts } from '../app/parts.ts';
import { usageRefusal } from '../app/show-failure.ts';
import { identify } from '../people/identify.ts';
import { admit } from './cover-words.ts';
import type { DelegationForm } from './set-cover.ts';
import { setCover } from './set-cover.ts';

/** `/delegates set`: a form in which work is handed over. */
export const delegatesSet: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'set',
  usage: '/delegates set',
  summary: 'hand work over for a while; both sides are told',
  details:
    'A form asks who stands in, from when to when, and in which categories (none: everything), and takes notes. Who may edit all is also asked for whom. Everybody concerned gets a direct message, and you are warned of who is away too and who else stands in then.',
  async answer(asked, parts) {
    if (asked.text !== '') return [usageRefusal(asked.text, delegatesSet.usage)];
    const make = async () => {
      const admitted = await admit(asked, parts);
      if ('refusal' in admitted) return admitted.refusal;
      const { member, right } = admitted;
      const { principal, timeZone, account } = member;
      const categories = await parts.delegations.categories(principal);
      const form = newForm(asked.place, right === 'edit' ? account : null, { now: parts.now(), timeZone });
      return delegationFormView(form, { categories, wrong: null });
    };
    const late = {
      title: 'Hand work over',
      meanwhile: 'Getting the form…',
      advice: 'Please type `/delegates set` again.',
      make,
    };
    return openLateView(late, asked.open, parts);
  },
};

/** The form in which work is handed over, submitted; it comes back as it was filled in when something is wrong. */
export const setDelegation: SlackModal<DelegationParts> = {
  id: 'set-delegation',
  title: 'Hand work over',
  meanwhile: 'Setting it and telling both sides…',
  wrongAtOnce: wrongInForm,
  placeOf: formPlace,
  async answer(submission, parts) {
    const identified = await identify(submission, parts);
    if ('refusal' in identified) return identified.refusal;
    const { member } = identified;
    const form = readForm(submission);
    // The form comes back with them, and they could not be asked for any more when the register has just failed.
    const categories = await parts.delegations.categories(member.principal);
    try {
      return await setCover(member, { form, categories }, parts);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      // Whoever pressed *Set* once more might set it twice, so the form does not come back.
      if (error.reason === 'outcome-unknown') return notice(...[message, ...details].map(escapeMrkdwn));
      const wrong = error.code === 'bad-request' ? labelled(error) : [message, ...details].join(' ');
      return {
        ...notice(`Nothing is set. ${escapeMrkdwn(wrong)}`),
        again: delegationFormView(form, { categories, wrong }),
      };
    }
  },
};

/** What the form calls the members of a delegation. */
const labels: ReadonlyMap<string, string> = new Map([
  ['delegator', 'For whom'],
  ['delegates', 'Who stands in'],
  ['categoryIds', 'Categories'],
  ['startDate', 'From'],
  ['endDate', 'To'],
  ['notes', 'Notes'],
]);

/** What is wrong, for who looks at the form. */
function labelled({ parts }: AppError): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const label = labels.get(part.field);
      return label === undefined ? `${part.field}${part.problem}` : `${label}:${part.problem}`;
    })
    .join(' ');
}

const placeSchema = z.object({ channel: z.string(), threadTs: z.string().nullable() });

/** From the next full hour on, for a week. */
export function newForm(
  place: Place,
  delegator: string | null,
  { now, timeZone }: { readonly now: Instant; readonly timeZone: string },
): DelegationForm {
  const hour = millisecondsInHour;
  const wall = (Math.floor(wallOf(now, timeZone) / hour) + 1) * hour;
  return {
    place,
    delegator,
    delegates: [],
    from: firstInstantFrom(wall, timeZone),
    to: instantOf(wall + 7 * millisecondsInDay, timeZone),
    categoryIds: [],
    notes: '',
  };
}

/** Where the form was asked for. */
function formPlace({ metadata }: Submission): Place {
  return placeSchema.parse(JSON.parse(metadata));
}

/** The form as somebody submitted it. Slack lets nobody submit it without people or times. */
function readForm(submission: Submission): DelegationForm {
  const { accounts, instants, chosenAll, texts } = submission;
  const { from, to } = instants;
  if (from === undefined) throw badRequestAs('missing-value', 'from is missing. Try: a day and a time.');
  if (to === undefined) throw badRequestAs('missing-value', 'to is missing. Try: a day and a time.');
  return {
    place: formPlace(submission),
    delegator: accounts.for?.[0] ?? null,
    delegates: accounts.who ?? [],
    from,
    to,
    categoryIds: (chosenAll.categories ?? []).map(Number),
    notes: texts.notes ?? '',
  };
}

/** What is wrong at first sight, by field. */
function wrongInForm(submission: Submission, now: Instant): Readonly<Record<string, string>> {
  const { accounts, instants } = submission;
  const { from = 0, to = 0 } = instants;
  const delegator = accounts.for?.[0] ?? submission.principal.account;
  return {
    ...(accounts.who?.includes(delegator) ? { who: 'Nobody can stand in for themselves.' } : {}),
    ...(from % millisecondsInMinute === 0 ? {} : { from: 'Whole minutes only.' }),
    ...(to % millisecondsInMinute === 0 ? {} : { to: 'Whole minutes only.' }),
    ...endProblem(from, to, now),
  };
}

function endProblem(from: Instant, to: Instant, now: Instant): { readonly to?: string } {
  if (to <= from) return { to: 'This must be after the start.' };
  return to <= now ? { to: 'This is over already.' } : {};
}

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
