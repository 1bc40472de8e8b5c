import type { MultiUsersSelect } from '@slack/types';
import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import type { Category, TimeSpan } from '../../model/delegation.ts';
import { AppError, failureText } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { isoDay, readIsoDay } from '../../time/date-text.ts';
import { spanOfDays } from '../../time/day-words.ts';
import { readPeriod, spanOfPeriod } from '../../time/typed-periods.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input, optionOf } from '../app/form-inputs.ts';
import type { SlackAction, SlackModal, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { notice, offer } from '../app/message-texts.ts';
import { openLateView, showInstead } from '../app/open-view.ts';
import type { DelegationParts } from '../app/parts.ts';
import { runButton } from '../app/show-failure.ts';
import { limits } from '../blocks/limits.ts';
import { lineBlocks } from '../blocks/message.ts';
import { actions, button, codeText, context, escapeMrkdwn, lineText } from '../blocks/mrkdwn.ts';
import { type Member, recognize } from '../people/accounts.ts';
import { identify, linkByOthers, timeZoneOf } from '../people/identify.ts';
import { setCover } from './cover-changes.ts';
import { admit, coverNoun, coverWords, everyoneText, readerFacts, suggest } from './cover-words.ts';
import { readParties } from './read-cover.ts';

/** `/delegates set`: a form; with a person and dates a question to confirm. */
export const delegatesSet: SlashCommand<DelegationParts> = {
  root: '/delegates',
  word: 'set',
  usage: '/delegates set [@PERSON] [for @PERSON] [DATES]',
  summary: 'set cover while you are out; both sides are notified',
  async answer(invocation, parts) {
    if (invocation.text === '') return openForm(invocation, emptyCover, parts);
    const admitted = await admit(invocation, parts);
    const { user, timeZone } = admitted.member;
    const today = dayAt(parts.now(), timeZone);
    const isRemainder = (text: string) => readPeriod(text, today) !== null;
    const options = { line: '/delegates set', isRemainder };
    const { delegate, owner, remainder, line } = await readParties(invocation.text, admitted, options, parts);
    const period = readPeriod(remainder, today);
    if (period === null && remainder !== '') {
      const text = `I can't read ${codeText(remainder)} as dates. Try \`dec 19 to jan 2\`, \`until friday\` or \`next week\`.`;
      return [suggest(text, `${line} next week`)];
    }
    if (delegate?.user.id === owner.user.id)
      return [suggest('No one can cover for themselves.', '/delegates set', 'Set cover')];
    const days = await timeZoneOf(owner.account, owner.user, parts);
    const span = period === null ? null : spanOfPeriod(period, { days, times: timeZone });
    if (delegate !== null && span !== null) {
      const sides = { delegator: owner.user.id, delegates: [delegate.user.id] };
      const draft = { ...sides, start: span.from, end: span.until };
      const words = coverWords(await readerFacts(admitted.member, parts));
      const text = `Set ${coverNoun({ ...everything, ...draft }, words)}? Both will be notified.`;
      const set = button('Set cover', 'confirm-cover', JSON.stringify(draft), 'primary');
      return [offer(text, set, runButton(line, 'Use the form'))];
    }
    if (delegate?.account === null) {
      const name = escapeMrkdwn(delegate.user.name);
      const text = `I can't find ${name}'s Slack account for the form. Add the dates.`;
      return [suggest(text, `${line} next week`)];
    }
    if (owner.account === null) {
      const name = escapeMrkdwn(owner.user.name);
      const typed = `${line.replace(/^\/delegates set for/, '/delegates set @PERSON for')} ${remainder === '' ? 'next week' : remainder}`;
      return [
        notice(
          `I can't find ${name}'s Slack account for the form. Type who covers and when: ${lineText(typed)}.`,
        ),
      ];
    }
    const filled = {
      owner: owner.user.id === user.id ? null : owner.account,
      delegates: delegate === null ? [] : [delegate.account],
      withTimes: period !== null && (period.first.time ?? period.last.time) !== null,
      span,
    };
    return openForm(invocation, filled, parts);
  },
};

/** The value of the button that confirms; people are user ids. */
const typedCover = z.object({
  delegator: z.string(),
  delegates: z.array(z.string()),
  start: z.number(),
  end: z.number(),
});

const everything = { active: true, categoryIds: [], notes: '' };

/** *Set cover* below the question; clicked twice it sets one cover. */
export const confirmCover: SlackAction<DelegationParts> = {
  id: 'confirm-cover',
  async run(click, parts) {
    const member = await identify(click, parts);
    const input = { ...everything, ...typedCover.parse(JSON.parse(click.value)) };
    const { text, more } = await setCover(member, input, await readerFacts(member, parts), parts);
    return showInstead(click, 'Set cover', lineBlocks([text, ...(await more)]), parts);
  },
};

/** The entries that the form is opened with; people are accounts. */
interface FilledCover {
  /** The person who is out; null where the form does not ask, for it is the person who fills it in. */
  readonly owner: string | null;
  readonly delegates: readonly string[];
  /** Null: a week from today on. */
  readonly span: TimeSpan | null;
  /** True if the form takes times; else it takes whole days. */
  readonly withTimes: boolean;
}

const emptyCover: FilledCover = { owner: null, delegates: [], span: null, withTimes: false };

async function openForm(
  invocation: SlashInvocation,
  { delegates, withTimes, ...filled }: FilledCover,
  parts: DelegationParts,
) {
  const make = async () => {
    const { member, right } = await admit(invocation, parts);
    const categories = await parts.delegations.categories(member.principal);
    const owner = filled.owner ?? (right === 'edit' ? member.account : null);
    const zone = await daysOf(owner, member, parts);
    const dates = datesOf(filled.span ?? weekFrom(parts.now(), zone), zone, withTimes);
    const form = { place: invocation.place, owner, delegates, ...dates, categoryIds: [], notes: '' };
    return coverForm.view(form, categories);
  };
  const advice = 'Please type `/delegates set` again.';
  const late = { title: 'Set cover', meanwhile: 'Opening the form…', advice, make };
  return openLateView(late, invocation.open, parts);
}

/** A week from today on, in whole days of a zone. */
function weekFrom(now: Instant, zone: string): TimeSpan {
  return spanOfDays(dayAt(now, zone), 7, zone);
}

/** The zone whose days the form means: that of the person who is out. */
async function daysOf(owner: string | null, member: Member, parts: DelegationParts): Promise<string> {
  if (owner === null || owner === member.account) return member.timeZone;
  const found = await recognize(owner, parts);
  return timeZoneOf(owner, found.kind === 'known' ? found.user : { id: owner, name: owner }, parts);
}

const MAX_DELEGATES = 20;
const MAX_NOTES = 2_000;

/** The form of a cover; people are accounts. It has days or times, whichever there are. */
export const coverForm = defineForm({
  id: 'set-delegation',
  title: 'Set cover',
  submit: 'Set cover',
  labels: { delegator: 'Who is out', categoryIds: 'For what' },
  refused: 'Nothing was set.',
  carried: placeSchema.transform((place) => ({ place })),
  carry: ({ place }) => place,
  reads: {
    owner: entered.account,
    delegates: entered.list,
    first: entered.text,
    last: entered.text,
    from: entered.instant,
    until: entered.instant,
    categoryIds: z.array(z.coerce.number()).readonly().default([]),
    notes: entered.text,
  },
  ids: { owner: 'for', delegates: 'who', categoryIds: 'categories' },
  rows: ({ owner, from }, categories: readonly Category[]) => [
    ...(owner === null ? [] : [field('owner', 'Who is out', input.account, { about: ['delegator'] })]),
    field('delegates', 'Who covers', delegatesMenu, { about: ['delegates'] }),
    ...(from === null
      ? [
          field('first', 'First day', input.day, { about: ['startDate'] }),
          field('last', 'Last day', input.day, { about: ['endDate'] }),
        ]
      : [
          field('from', 'From', input.instant, { about: ['startDate'] }),
          field('until', 'Until', input.instant, { about: ['endDate'] }),
        ]),
    actions(button(from === null ? 'Set times' : 'Use whole days', 'cover-times', 'turn')),
    ...categoryRows(categories),
    field('notes', 'Notes', input.text({ multiline: true, maxLength: MAX_NOTES }), {
      optional: true,
      about: ['notes'],
    }),
    context('Everyone involved is notified in a direct message.'),
  ],
});

function delegatesMenu(accounts: readonly string[]): MultiUsersSelect {
  const chosen = accounts.length > 0 && { initial_users: [...accounts] };
  return { type: 'multi_users_select', max_selected_items: MAX_DELEGATES, ...chosen };
}

/** A menu takes a hundred options; it is not offered where there is nothing to choose. */
function categoryRows(categories: readonly Category[]) {
  if (categories.length === 0) return [];
  const max = limits.select.options;
  const options = categories.slice(0, max).map(({ id, name }) => optionOf(name, String(id)));
  const cut = `The first ${max} of ${categories.length} categories. Set cover for others over REST.`;
  const more = { optional: true, hint: 'Leave empty for everything.', about: ['categoryIds'] };
  return [
    field('categoryIds', 'Categories', input.menuForSeveral(options), more),
    ...(categories.length > max ? [context(cut)] : []),
  ];
}

type CoverFormValues = ReturnType<typeof coverForm.read>;

/** A period in the fields of the form, as whole days of a zone or as times. */
function datesOf(
  { from, until }: TimeSpan,
  zone: string,
  withTimes: boolean,
): Pick<CoverFormValues, 'first' | 'last' | 'from' | 'until'> {
  const day = (at: Instant) => isoDay(dayAt(at, zone));
  return withTimes
    ? { first: '', last: '', from, until }
    : { first: day(from), last: day(until - 1), from: null, until: null };
}

/** The form, submitted; it comes back as it was filled in when something is wrong. */
export const setDelegation: SlackModal<DelegationParts> = coverForm.modal({
  meanwhile: 'Setting the cover…',
  wrongAtOnce({ owner, delegates, first, last, from, until }, now, { principal }) {
    const isSelf = delegates.includes(owner ?? principal.account);
    return {
      ...(isSelf ? { who: 'Choose someone other than the person who is out.' } : {}),
      ...(last !== '' && last < first ? { last: 'The last day is before the first.' } : {}),
      ...(until !== null && until <= (from ?? 0) ? { until: "The end isn't after the start." } : {}),
      ...(until !== null && until <= now ? { until: 'This is over already.' } : {}),
    };
  },
  placeOf: ({ place }) => place,
  async answer(form, submission, parts) {
    const member = await identify(submission, parts);
    const zone = await daysOf(form.owner, member, parts);
    const span = spanOf(form, zone, parts.now());
    // The form comes back with them, and the service that has just failed could not be asked for them.
    const categories = await parts.delegations.categories(member.principal);
    try {
      const accounts = new Map<string, string>();
      for (const account of [form.owner ?? member.account, ...form.delegates]) {
        const { id } = account === member.account ? member.user : await knownUser(account, member, parts);
        if (accounts.has(id)) throw new AppError('conflicting-values', 'The same person is named twice.');
        accounts.set(id, account);
      }
      const [delegator = '', ...delegates] = accounts.keys();
      const { categoryIds, notes } = form;
      const cover = { delegator, delegates, categoryIds, start: span.from, end: span.until, notes };
      const { text, more } = await setCover(member, cover, await readerFacts(member, parts, accounts), parts);
      // Notifying can take half a minute.
      const meanwhile = lineBlocks([text, `Notifying ${everyoneText(cover).toLowerCase()}…`]);
      return { ...meanwhile, later: more.then((lines) => lineBlocks([text, ...lines])) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // A form that came back could be submitted again, and set the cover twice.
      if (error.reason === 'outcome-unknown') return notice(escapeMrkdwn(failureText(error)));
      return coverForm.again({ ...form, ...datesOf(span, zone, form.from !== null) }, categories, error);
    }
  },
});

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
    if (view === null) return [];
    const member = await identify(person, parts);
    const form = coverForm.read(view);
    const zone = await daysOf(form.owner, member, parts);
    const dates = datesOf(spanOf(form, zone, parts.now()), zone, form.from === null);
    const categories = await parts.delegations.categories(member.principal);
    await view.replace(coverForm.view({ ...form, ...dates }, categories));
    return [];
  },
};

/** The period that was entered; dates that are missing are those of a new one. */
function spanOf({ first, last, from, until }: CoverFormValues, zone: string, now: Instant): TimeSpan {
  if (from !== null && until !== null) return { from, until };
  const [firstDay, lastDay] = [readIsoDay(first), readIsoDay(last)];
  return firstDay === null || lastDay === null
    ? weekFrom(now, zone)
    : spanOfDays(firstDay, 1 + (lastDay - firstDay) / millisecondsInDay, zone);
}
