import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { codeText } from '../../block-kit/code-text.ts';
import { limits } from '../../block-kit/limits.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Category, TimeSpan } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { isoDay, readIsoDay } from '../../time/iso-dates.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type {
  Inputs,
  Place,
  SlackAction,
  SlackModal,
  SlashCommand,
  SlashInvocation,
  Submission,
} from '../app/handler-types.ts';
import { button, notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { DelegationParts, PeopleParts } from '../app/parts.ts';
import type { Member } from '../people/accounts.ts';
import { runButton } from '../people/find-person.ts';
import { identify, linkByOthers, zoneOf } from '../people/identify.ts';
import { recognize } from '../people/recognize.ts';
import { admit, coverNoun, coverWords, everyoneText, readerFacts, suggest } from './cover-words.ts';
import {
  nameToType,
  readParties,
  readPeriod,
  spanOfPeriod,
  type TypedPeriod,
  wholeDay,
} from './read-cover.ts';
import { setCover } from './set-cover.ts';

/** `/delegates set`: a form; with a person and dates a question to confirm. */
export const delegatesSet: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'set',
  usage: '/delegates set [@PERSON] [for @PERSON] [DATES]',
  summary: 'set cover while you are out; both sides are notified',
  async answer(asked, parts) {
    if (asked.text === '') return openForm(asked, {}, parts);
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const { member } = admitted;
    const today = dayAt(parts.now(), member.timeZone);
    const isRest = (text: string) => readPeriod(text, today) !== null;
    const read = await readParties(asked.text, admitted, { line: '/delegates set', isRest }, parts);
    if ('refusal' in read) return [read.refusal];
    const { delegate, owner, rest } = read;
    const period = readPeriod(rest, today);
    const facts = await readerFacts(member, parts);
    const isSelf = owner.user.id === member.user.id;
    const line = [
      '/delegates set',
      ...(delegate === null ? [] : [nameToType(delegate.user, facts.users)]),
      ...(isSelf ? [] : ['for', nameToType(owner.user, facts.users)]),
    ].join(' ');
    if (rest !== '' && period === null) {
      const text = `I can't read ${codeText(rest)} as dates. Dates are, for example, \`dec 19 to jan 2\`, \`until friday\` or \`next week\`.`;
      return [suggest(text, `${line} next week`)];
    }
    if (delegate?.user.id === owner.user.id)
      return [suggest('No one can cover for themselves.', '/delegates set', 'Set cover')];
    const times = period !== null && (period.first.time !== null || period.last.time !== null);
    const days = await zoneOf(owner.account, owner.user, parts);
    const span = period === null ? null : spanOfPeriod(period, { days, times: member.timeZone });
    if (delegate === null || span === null) {
      if (delegate !== null && delegate.account === null) {
        const name = escapeMrkdwn(delegate.user.name);
        return [
          suggest(
            `I can't find ${name}'s Slack account to fill in the form. Add the dates.`,
            `${line} next week`,
          ),
        ];
      }
      const delegates = delegate?.account ? [delegate.account] : [];
      const filled = span === null || period === null ? {} : { period: times ? span : period };
      return openForm(asked, { delegates, owner: isSelf ? null : owner.account, ...filled }, parts);
    }
    const problem = endProblem(span, parts.now());
    if (problem !== null) return [suggest(`${problem} You typed ${codeText(rest)}.`, line, 'Open the form')];
    const draft = { delegator: owner.user.id, delegate: delegate.user.id, ...span };
    return [confirmMessage(draft, line, coverNoun(inputOf(draft), coverWords(facts)))];
  },
};

/** What the button that confirms carries; people are user ids. */
const typedCover = z.object({
  delegator: z.string(),
  delegate: z.string(),
  from: z.number(),
  until: z.number(),
});

function inputOf({ delegator, delegate, from, until }: z.infer<typeof typedCover>) {
  return {
    active: true,
    delegator,
    delegates: [delegate],
    categoryIds: [],
    start: from,
    end: until,
    notes: '',
  };
}

function confirmMessage(draft: z.infer<typeof typedCover>, line: string, noun: string): Message {
  const text = `Set ${noun}? Both will be notified.`;
  const set = { ...button('Set cover', 'confirm-cover', JSON.stringify(draft)), style: 'primary' } as const;
  return {
    text,
    blocks: [section(text), { type: 'actions', elements: [set, runButton('Use the form', line)] }],
  };
}

/** *Set cover* below the question; clicked twice it sets one cover. */
export const confirmCover: SlackAction<DelegationParts> = {
  id: 'confirm-cover',
  async run(click, parts) {
    const identified = await identify(click, parts);
    if ('refusal' in identified) return [identified.refusal];
    const { member } = identified;
    const input = inputOf(typedCover.parse(JSON.parse(click.value)));
    const { text, more } = await setCover(member, input, await readerFacts(member, parts), parts);
    const message = lineBlocks([text, ...(await more)]);
    if (click.replace === null) return [message];
    await click.replace(message);
    return [];
  },
};

/** What the form holds; people are accounts. */
export interface CoverDraft {
  readonly place: Place;
  /** The person who is out; null where the form does not ask, for it is the person who fills it in. */
  readonly owner: string | null;
  readonly delegates: readonly string[];
  /** Whole days, or times. */
  readonly period: TypedPeriod | TimeSpan;
  readonly categoryIds: readonly number[];
  readonly notes: string;
}

async function openForm(
  asked: SlashInvocation,
  filled: Partial<CoverDraft>,
  parts: DelegationParts,
): Promise<readonly Message[]> {
  const make = async () => {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return admitted.refusal;
    const { member, right } = admitted;
    const categories = await parts.delegations.categories(member.principal);
    const owner = filled.owner ?? (right === 'edit' ? member.account : null);
    const today = dayAt(parts.now(), member.timeZone);
    const draft = { ...newDraft(asked.place, today), ...filled, owner };
    return coverFormView(draft, { categories, wrong: null });
  };
  const late = {
    title: 'Set cover',
    meanwhile: 'Opening the form…',
    advice: 'Please type `/delegates set` again.',
    make,
  };
  return openLateView(late, asked.open, parts);
}

/** A week from today on. */
export function newDraft(place: Place, today: number): CoverDraft {
  const period = { first: wholeDay(today), last: wholeDay(today + 6 * millisecondsInDay) };
  return { place, owner: null, delegates: [], period, categoryIds: [], notes: '' };
}

/** The form, submitted; it comes back as it was filled in when something is wrong. */
export const setDelegation: SlackModal<DelegationParts> = {
  id: 'set-delegation',
  title: 'Set cover',
  meanwhile: 'Setting the cover…',
  wrongAtOnce,
  placeOf: ({ metadata }) => placeSchema.parse(JSON.parse(metadata)),
  async answer(submission, parts) {
    const identified = await identify(submission, parts);
    if ('refusal' in identified) return identified.refusal;
    const { member } = identified;
    const draft = readForm(submission, dayAt(parts.now(), member.timeZone));
    // The form comes back with them, and they could not be asked for when the register has just failed.
    const categories = await parts.delegations.categories(member.principal);
    try {
      const accounts = new Map<string, string>();
      const userOf = async (account: string) => {
        const user = account === member.account ? member.user : await knownUser(account, member, parts);
        accounts.set(user.id, account);
        return user.id;
      };
      const delegator = await userOf(draft.owner ?? member.account);
      const delegates: string[] = [];
      for (const account of draft.delegates) delegates.push(await userOf(account));
      const { from, until } = await spanOfDraft(draft, member, parts);
      const input = {
        delegator,
        delegates,
        categoryIds: draft.categoryIds,
        start: from,
        end: until,
        notes: draft.notes,
      };
      const facts = await readerFacts(member, parts, accounts);
      const { text, more } = await setCover(member, input, facts, parts);
      // Notifying can take half a minute.
      const meanwhile = lineBlocks([text, `Notifying ${everyoneText(input).toLowerCase()}…`]);
      return { ...meanwhile, later: more.then((lines) => lineBlocks([text, ...lines])) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      // A form that came back could be submitted again, and set the cover twice.
      if (error.reason === 'outcome-unknown') return notice(...[message, ...details].map(escapeMrkdwn));
      const wrong = error.code === 'bad-request' ? labelled(error) : [message, ...details].join(' ');
      return {
        ...notice(`Nothing was set. ${escapeMrkdwn(wrong)}`),
        again: coverFormView(draft, { categories, wrong }),
      };
    }
  },
};

/** *Set times* in the form, and back to whole days: the same period in other fields. */
export const coverTimes: SlackAction<DelegationParts> = {
  id: 'cover-times',
  async run({ view, ...person }, parts) {
    const identified = await identify(person, parts);
    if (view === null || 'refusal' in identified) return [];
    const { member } = identified;
    const draft = readForm(view, dayAt(parts.now(), member.timeZone));
    const span = await spanOfDraft(draft, member, parts);
    const zone = await daysOf(draft, member, parts);
    const days = { first: wholeDay(dayAt(span.from, zone)), last: wholeDay(dayAt(span.until - 1, zone)) };
    const categories = await parts.delegations.categories(member.principal);
    const period = 'from' in draft.period ? days : span;
    await view.replace(coverFormView({ ...draft, period }, { categories, wrong: null }));
    return [];
  },
};

/** The zone whose days the form means: that of the person who is out. */
async function daysOf({ owner }: CoverDraft, member: Member, parts: DelegationParts): Promise<string> {
  if (owner === null || owner === member.account) return member.timeZone;
  const found = await recognize(owner, parts);
  return zoneOf(owner, found.kind === 'known' ? found.user : { id: owner, name: owner }, parts);
}

async function spanOfDraft(draft: CoverDraft, member: Member, parts: DelegationParts): Promise<TimeSpan> {
  if ('from' in draft.period) return draft.period;
  return spanOfPeriod(draft.period, { days: await daysOf(draft, member, parts), times: member.timeZone });
}

async function knownUser(account: string, { hasAdmins }: Member, parts: PeopleParts): Promise<User> {
  const found = await recognize(account, parts);
  if (found.kind === 'known') return found.user;
  const { name } = await parts.accounts.profileOf(account);
  const because =
    found.kind === 'several' ? 'Several people there have the same e-mail address.' : found.because;
  throw new AppError('unknown-person', `I can't find ${name} in Jira.`, [
    because,
    `They can link their account with /delegates link, or ${linkByOthers(account, hasAdmins).replaceAll('`', '')}`,
  ]);
}

/** What the form calls the members of a delegation. */
const labels: ReadonlyMap<string, string> = new Map([
  ['delegator', 'Who is out'],
  ['delegates', 'Who covers'],
  ['categoryIds', 'Categories'],
  ['startDate', 'First day'],
  ['endDate', 'Last day'],
  ['notes', 'Notes'],
]);

/** What is wrong, in the words of the form. */
function labelled({ parts }: AppError): string {
  const text = (part: AppError['parts'][number]) =>
    typeof part === 'string'
      ? part
      : `${labels.get(part.field) ?? part.field}: ${part.problem.replace(/^[:\s]+/, '')}`;
  return parts.map(text).join(' ');
}

const placeSchema = z.object({ channel: z.string(), threadTs: z.string().nullable() });

/** The form as it is filled in; days that are missing are those of a new one. */
function readForm(
  { accounts, instants, chosenAll, texts, metadata }: Inputs & { readonly metadata: string },
  today: number,
): CoverDraft {
  const empty = newDraft(placeSchema.parse(JSON.parse(metadata)), today);
  const [first, last] = [readIsoDay(texts.first ?? ''), readIsoDay(texts.last ?? '')];
  const { from, until } = instants;
  const days =
    first !== null && last !== null ? { first: wholeDay(first), last: wholeDay(last) } : empty.period;
  return {
    ...empty,
    owner: accounts.for?.[0] ?? null,
    delegates: accounts.who ?? [],
    period: from !== undefined && until !== undefined ? { from, until } : days,
    categoryIds: (chosenAll.categories ?? []).map(Number),
    notes: texts.notes ?? '',
  };
}

/** What is wrong at first sight, by field. */
function wrongAtOnce(submission: Submission, now: Instant): Readonly<Record<string, string>> {
  const { accounts, instants, texts } = submission;
  const owner = accounts.for?.[0] ?? submission.principal.account;
  const wrong = accounts.who?.includes(owner)
    ? { who: 'Choose someone other than the person who is out.' }
    : {};
  const { from, until } = instants;
  if (from === undefined || until === undefined) {
    const [first, last] = [readIsoDay(texts.first ?? '') ?? 0, readIsoDay(texts.last ?? '') ?? 0];
    // A day ends last where clocks are twelve hours behind UTC.
    const span = { from: first, until: last + millisecondsInDay + 12 * millisecondsInHour };
    const problem = last < first ? 'The last day is before the first.' : endProblem(span, now);
    return { ...wrong, ...(problem === null ? {} : { last: problem }) };
  }
  const problem = endProblem({ from, until }, now);
  const minutes = 'Whole minutes only.';
  return {
    ...wrong,
    ...(from % millisecondsInMinute === 0 ? {} : { from: minutes }),
    ...(until % millisecondsInMinute === 0 ? {} : { until: minutes }),
    ...(problem === null ? {} : { until: problem }),
  };
}

function endProblem({ from, until }: TimeSpan, now: Instant): string | null {
  if (until <= from) return 'The end is not after the start.';
  return until <= now ? 'This is over already.' : null;
}

/** As many as the register takes. */
const MOST_DELEGATES = 20;
const NOTES_LENGTH = 2_000;

/** The form, filled in; `wrong` is why it is shown again. */
export function coverFormView(
  { place, owner, delegates, period, categoryIds, notes }: CoverDraft,
  { categories, wrong }: { readonly categories: readonly Category[]; readonly wrong: string | null },
): ModalView {
  const withTimes = 'from' in period;
  const who = delegates.length === 0 ? {} : { initial_users: [...delegates] };
  const toggle = button(
    withTimes ? 'Use whole days' : 'Set times',
    'cover-times',
    withTimes ? 'days' : 'times',
  );
  return {
    type: 'modal',
    callback_id: 'set-delegation',
    private_metadata: JSON.stringify(place),
    title: plain('Set cover'),
    submit: plain('Set cover'),
    close: plain('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(wrong)}`)]),
      ...(owner === null ? [] : [input('Who is out', 'for', { type: 'users_select', initial_user: owner })]),
      input('Who covers', 'who', { type: 'multi_users_select', max_selected_items: MOST_DELEGATES, ...who }),
      ...(withTimes
        ? [
            input('From', 'from', { type: 'datetimepicker', initial_date_time: period.from / 1000 }),
            input('Until', 'until', { type: 'datetimepicker', initial_date_time: period.until / 1000 }),
          ]
        : [
            input('First day', 'first', { type: 'datepicker', initial_date: isoDay(period.first.day) }),
            input('Last day', 'last', { type: 'datepicker', initial_date: isoDay(period.last.day) }),
          ]),
      { type: 'actions', elements: [toggle] },
      ...categoriesInput(categoryIds, categories),
      optionalInput('Notes', 'notes', {
        type: 'plain_text_input',
        multiline: true,
        max_length: NOTES_LENGTH,
        ...(notes === '' ? {} : { initial_value: notes }),
      }),
      context('Everyone involved is notified in a direct message.'),
    ],
  };
}

/** A menu takes a hundred options; it is not offered where there is nothing to choose. */
function categoriesInput(chosen: readonly number[], categories: readonly Category[]): KnownBlock[] {
  const most = limits.select.options;
  const [first, ...others] = categories.slice(0, most).map(option);
  if (first === undefined) return [];
  const options: PlainTextOption[] = [first, ...others];
  const initial = options.filter(({ value }) => chosen.includes(Number(value)));
  const menu = { ...(initial.length === 0 ? {} : { initial_options: initial }), options };
  return [
    {
      ...optionalInput('Categories', 'categories', { type: 'multi_static_select', ...menu }),
      hint: plain('Leave empty for everything.'),
    },
    ...(categories.length > most
      ? [context(`The first ${most} of ${categories.length} categories. Set cover for others over REST.`)]
      : []),
  ];
}

function input<Element extends InputBlock['element']>(
  label: string,
  id: string,
  element: Element,
): InputBlock {
  return { type: 'input', block_id: id, label: plain(label), element: { ...element, action_id: id } };
}

function optionalInput<Element extends InputBlock['element']>(
  label: string,
  id: string,
  element: Element,
): InputBlock {
  return { ...input(label, id, element), optional: true };
}

function option({ id, name }: Category): PlainTextOption {
  return { text: plain(shorten(name, limits.option.text)), value: String(id) };
}

function plain(text: string) {
  return { type: 'plain_text', text } as const;
}
