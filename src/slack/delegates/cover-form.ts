import type { KnownBlock, ModalView } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import type { Category, TimeSpan } from '../../model/delegation.ts';
import { AppError, failureText } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { isoDay, readIsoDay } from '../../time/date-text.ts';
import { spanOfDays } from '../../time/day-words.ts';
import { readPeriod, spanOfPeriod } from '../../time/typed-periods.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { inputBlock, optionOf, plainText } from '../app/form-blocks.ts';
import type {
  Inputs,
  Place,
  SlackAction,
  SlackModal,
  SlashCommand,
  SlashInvocation,
} from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { DelegationParts } from '../app/parts.ts';
import { showInstead } from '../app/row-menu.ts';
import { runButton } from '../app/show-failure.ts';
import { limits } from '../blocks/limits.ts';
import { lineBlocks } from '../blocks/line-blocks.ts';
import { button, codeText, context, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { type Member, recognize } from '../people/accounts.ts';
import { identify, linkByOthers, zoneOf } from '../people/identify.ts';
import { setCover } from './cover-changes.ts';
import { admit, coverNoun, coverWords, everyoneText, readerFacts, suggest } from './cover-words.ts';
import { readParties } from './read-cover.ts';

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
    const { user, timeZone } = admitted.member;
    const today = dayAt(parts.now(), timeZone);
    const isRest = (text: string) => readPeriod(text, today) !== null;
    const read = await readParties(asked.text, admitted, { line: '/delegates set', isRest }, parts);
    if ('refusal' in read) return [read.refusal];
    const { delegate, owner, rest, line } = read;
    const period = readPeriod(rest, today);
    if (period === null && rest !== '') {
      const text = `I can't read ${codeText(rest)} as dates. Try \`dec 19 to jan 2\`, \`until friday\` or \`next week\`.`;
      return [suggest(text, `${line} next week`)];
    }
    if (delegate?.user.id === owner.user.id)
      return [suggest('No one can cover for themselves.', '/delegates set', 'Set cover')];
    const days = await zoneOf(owner.account, owner.user, parts);
    const span = period === null ? null : spanOfPeriod(period, { days, times: timeZone });
    if (delegate !== null && span !== null) {
      const sides = { delegator: owner.user.id, delegates: [delegate.user.id] };
      const draft = { ...sides, start: span.from, end: span.until };
      const words = coverWords(await readerFacts(admitted.member, parts));
      const text = `Set ${coverNoun({ ...everything, ...draft }, words)}? Both will be notified.`;
      const set = button('Set cover', 'confirm-cover', JSON.stringify(draft));
      const elements = [{ ...set, style: 'primary' } as const, runButton(line, 'Use the form')];
      return [{ text, blocks: [section(text), { type: 'actions', elements }] }];
    }
    if (delegate?.account === null) {
      const name = escapeMrkdwn(delegate.user.name);
      const text = `I can't find ${name}'s Slack account for the form. Add the dates.`;
      return [suggest(text, `${line} next week`)];
    }
    const filled = {
      owner: owner.user.id === user.id ? null : owner.account,
      delegates: delegate === null ? [] : [delegate.account],
      withTimes: period !== null && (period.first.time ?? period.last.time) !== null,
    };
    return openForm(asked, { ...filled, ...(span === null ? {} : { span }) }, parts);
  },
};

/** What the button that confirms carries; people are user ids. */
const typedCover = z.object({
  delegator: z.string(),
  delegates: z.array(z.string()),
  start: z.number(),
  end: z.number(),
});

/** What a typed cover is of. */
const everything = { active: true, categoryIds: [], notes: '' };

/** *Set cover* below the question; clicked twice it sets one cover. */
export const confirmCover: SlackAction<DelegationParts> = {
  id: 'confirm-cover',
  async run(click, parts) {
    const identified = await identify(click, parts);
    if ('refusal' in identified) return [identified.refusal];
    const { member } = identified;
    const input = { ...everything, ...typedCover.parse(JSON.parse(click.value)) };
    const { text, more } = await setCover(member, input, await readerFacts(member, parts), parts);
    return showInstead(click, 'Set cover', lineBlocks([text, ...(await more)]), parts);
  },
};

/** What the form holds; people are accounts. */
export interface CoverDraft {
  readonly place: Place;
  /** The person who is out; null where the form does not ask, for it is the person who fills it in. */
  readonly owner: string | null;
  readonly delegates: readonly string[];
  readonly span: TimeSpan;
  /** Zone of its days. */
  readonly zone: string;
  /** Whether the form asks for times; else for whole days. */
  readonly withTimes: boolean;
  readonly categoryIds: readonly number[];
  readonly notes: string;
}

async function openForm(asked: SlashInvocation, filled: Partial<CoverDraft>, parts: DelegationParts) {
  const make = async () => {
    const admitted = await admit(asked, parts);
    if ('refusal' in admitted) return admitted.refusal;
    const { member, right } = admitted;
    const categories = await parts.delegations.categories(member.principal);
    const owner = filled.owner ?? (right === 'edit' ? member.account : null);
    const zone = await daysOf(owner, member, parts);
    const draft = { ...newDraft(asked.place, parts.now(), zone), ...filled, owner };
    return coverFormView(draft, categories);
  };
  const advice = 'Please type `/delegates set` again.';
  const late = { title: 'Set cover', meanwhile: 'Opening the form…', advice, make };
  return openLateView(late, asked.open, parts);
}

/** A week from today on, in whole days of a zone. */
export function newDraft(place: Place, now: Instant, zone: string): CoverDraft {
  const span = spanOfDays(dayAt(now, zone), 7, zone);
  return { place, owner: null, delegates: [], span, zone, withTimes: false, categoryIds: [], notes: '' };
}

/** The zone whose days the form means: that of the person who is out. */
async function daysOf(owner: string | null, member: Member, parts: DelegationParts): Promise<string> {
  if (owner === null || owner === member.account) return member.timeZone;
  const found = await recognize(owner, parts);
  return zoneOf(owner, found.kind === 'known' ? found.user : { id: owner, name: owner }, parts);
}

/** The form, submitted; it comes back as it was filled in when something is wrong. */
export const setDelegation: SlackModal<DelegationParts> = {
  id: 'set-delegation',
  title: 'Set cover',
  meanwhile: 'Setting the cover…',
  wrongAtOnce({ accounts, instants, texts, principal }, now) {
    const { from = 0, until = Number.POSITIVE_INFINITY } = instants;
    const { first = '', last = first } = texts;
    const isSelf = accounts.who?.includes(accounts.for?.[0] ?? principal.account);
    return {
      ...(isSelf ? { who: 'Choose someone other than the person who is out.' } : {}),
      ...(last < first ? { last: 'The last day is before the first.' } : {}),
      ...(until <= from ? { until: "The end isn't after the start." } : {}),
      ...(until <= now ? { until: 'This is over already.' } : {}),
    };
  },
  placeOf: ({ metadata }) => placeSchema.parse(JSON.parse(metadata)),
  async answer(submission, parts) {
    const identified = await identify(submission, parts);
    if ('refusal' in identified) return identified.refusal;
    const { member } = identified;
    const draft = await readForm(submission, member, parts);
    // The form comes back with them, and the service that has just failed could not be asked for them.
    const categories = await parts.delegations.categories(member.principal);
    try {
      const accounts = new Map<string, string>();
      for (const account of [draft.owner ?? member.account, ...draft.delegates]) {
        const { id } = account === member.account ? member.user : await knownUser(account, member, parts);
        if (accounts.has(id)) throw new AppError('conflicting-values', 'The same person is named twice.');
        accounts.set(id, account);
      }
      const [delegator = '', ...delegates] = accounts.keys();
      const { categoryIds, notes, span } = draft;
      const input = { delegator, delegates, categoryIds, start: span.from, end: span.until, notes };
      const { text, more } = await setCover(member, input, await readerFacts(member, parts, accounts), parts);
      // Notifying can take half a minute.
      const meanwhile = lineBlocks([text, `Notifying ${everyoneText(input).toLowerCase()}…`]);
      return { ...meanwhile, later: more.then((lines) => lineBlocks([text, ...lines])) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const wrong = error.code === 'bad-request' ? inForm(error) : failureText(error);
      // A form that came back could be submitted again, and set the cover twice.
      if (error.reason === 'outcome-unknown') return notice(escapeMrkdwn(wrong));
      const again = coverFormView(draft, categories, wrong);
      return { ...notice(`Nothing was set. ${escapeMrkdwn(wrong)}`), again };
    }
  },
};

/** What the form calls the members of a delegation that can be refused. */
const labels = new Map([
  ['delegator', 'Who is out'],
  ['categoryIds', 'Categories'],
  ['delegates', 'Who covers'],
  ['startDate', 'From'],
  ['endDate', 'Until'],
  ['notes', 'Notes'],
]);

function inForm({ parts, message }: AppError): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : `${labels.get(part.field) ?? part.field}: ${part.problem.trim()}`,
  );
  return texts.length === 0 ? message : texts.join(' ');
}

async function knownUser(account: string, { hasAdmins }: Member, parts: DelegationParts): Promise<User> {
  const found = await recognize(account, parts);
  if (found.kind === 'known') return found.user;
  const { name } = await parts.accounts.profileOf(account);
  const because = found.kind === 'unknown' ? found.because : 'Several Jira users have their email address.';
  const link = linkByOthers(account, hasAdmins).replaceAll('`', '');
  throw new AppError('unknown-person', `I can't find ${name} in Jira.`, [
    because,
    `They can link their account with /delegates link, or ${link}`,
  ]);
}

/** *Set times* in the form, and back to whole days: the same period in other fields. */
export const coverTimes: SlackAction<DelegationParts> = {
  id: 'cover-times',
  async run({ view, ...person }, parts) {
    const identified = await identify(person, parts);
    if (view === null || 'refusal' in identified) return [];
    const draft = await readForm(view, identified.member, parts);
    const categories = await parts.delegations.categories(identified.member.principal);
    await view.replace(coverFormView({ ...draft, withTimes: !draft.withTimes }, categories));
    return [];
  },
};

const placeSchema = z.object({ channel: z.string(), threadTs: z.string().nullable() });

/** The form as it is filled in; dates that are missing are those of a new one. */
async function readForm(
  { accounts, instants, chosenAll, texts, metadata }: Inputs & { readonly metadata: string },
  member: Member,
  parts: DelegationParts,
): Promise<CoverDraft> {
  const owner = accounts.for?.[0] ?? null;
  const zone = await daysOf(owner, member, parts);
  const empty = newDraft(placeSchema.parse(JSON.parse(metadata)), parts.now(), zone);
  const [first, last] = [readIsoDay(texts.first ?? ''), readIsoDay(texts.last ?? '')];
  const { from, until } = instants;
  const days =
    first === null || last === null
      ? empty.span
      : spanOfDays(first, 1 + (last - first) / millisecondsInDay, zone);
  return {
    ...empty,
    owner,
    delegates: accounts.who ?? [],
    span: from !== undefined && until !== undefined ? { from, until } : days,
    withTimes: from !== undefined,
    categoryIds: (chosenAll.categories ?? []).map(Number),
    notes: texts.notes ?? '',
  };
}

/** As many as a cover takes. */
const MOST_DELEGATES = 20;
const NOTES_LENGTH = 2_000;

/** The form, filled in; `wrong` is why it is shown again. */
export function coverFormView(
  { place, owner, delegates, span, zone, withTimes, categoryIds, notes }: CoverDraft,
  categories: readonly Category[],
  wrong: string | null = null,
): ModalView {
  const chosen = delegates.length === 0 ? {} : { initial_users: [...delegates] };
  const who = { type: 'multi_users_select', max_selected_items: MOST_DELEGATES, ...chosen } as const;
  const day = (at: Instant) => ({ type: 'datepicker', initial_date: isoDay(dayAt(at, zone)) }) as const;
  const time = (at: Instant) => ({ type: 'datetimepicker', initial_date_time: at / 1000 }) as const;
  const written = notes === '' ? {} : { initial_value: notes };
  const text = { type: 'plain_text_input', multiline: true, max_length: NOTES_LENGTH, ...written } as const;
  return {
    type: 'modal',
    callback_id: 'set-delegation',
    private_metadata: JSON.stringify(place),
    title: plainText('Set cover'),
    submit: plainText('Set cover'),
    close: plainText('Cancel'),
    blocks: [
      ...(wrong === null ? [] : [section(`:warning: ${escapeMrkdwn(wrong)}`)]),
      ...(owner === null
        ? []
        : [inputBlock('for', 'Who is out', { type: 'users_select', initial_user: owner })]),
      inputBlock('who', 'Who covers', who),
      ...(withTimes
        ? [inputBlock('from', 'From', time(span.from)), inputBlock('until', 'Until', time(span.until))]
        : [
            inputBlock('first', 'First day', day(span.from)),
            inputBlock('last', 'Last day', day(span.until - 1)),
          ]),
      {
        type: 'actions',
        elements: [button(withTimes ? 'Use whole days' : 'Set times', 'cover-times', 'turn')],
      },
      ...categoriesInput(categoryIds, categories),
      inputBlock('notes', 'Notes', text, { optional: true }),
      context('Everyone involved is notified in a direct message.'),
    ],
  };
}

/** A menu takes a hundred options; it is not offered where there is nothing to choose. */
function categoriesInput(chosen: readonly number[], categories: readonly Category[]): KnownBlock[] {
  if (categories.length === 0) return [];
  const most = limits.select.options;
  const options = categories.slice(0, most).map(({ id, name }) => optionOf(name, String(id)));
  const initial = options.filter(({ value }) => chosen.includes(Number(value)));
  const filled = initial.length === 0 ? {} : { initial_options: initial };
  const menu = { type: 'multi_static_select', options, ...filled } as const;
  const hint = 'Leave empty for everything.';
  const cut = `The first ${most} of ${categories.length} categories. Set cover for others over REST.`;
  return [
    inputBlock('categories', 'Categories', menu, { optional: true, hint }),
    ...(categories.length > most ? [context(cut)] : []),
  ];
}
