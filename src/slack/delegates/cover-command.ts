import { millisecondsInDay } from 'date-fns/constants';
import { listActive } from '../../api/delegations/delegation-api.ts';
import { usersNamed } from '../../api/people/create-people.ts';
import { type Coverage, type Delegation, GENERAL, MAX_COVERAGE_DAYS } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { isoDay } from '../../time/date-text.ts';
import { nearDayText, spanOfDay } from '../../time/day-words.ts';
import { spanOfPeriod } from '../../time/typed-periods.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { nearWord, notice, shortenedNames, wordsAnywhere } from '../app/message-texts.ts';
import type { DelegationParts, SlackParts } from '../app/parts.ts';
import { capitalized, orElse, runButton } from '../app/show-failure.ts';
import { lineBlocks, type Message } from '../blocks/message.ts';
import { actions, codeText, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import type { Member } from '../people/accounts.ts';
import { askWhich, personTyped } from '../people/identify.ts';
import { coverRows } from './cover-changes.ts';
import { delegatesWeek } from './cover-week.ts';
import {
  type Admitted,
  admit,
  askAdmin,
  boldText,
  type CoverWords,
  coverText,
  coverWords,
  outText,
  personText,
  readerFacts,
  seesAll,
  spanText,
  suggest,
  uncoveredText,
} from './cover-words.ts';
import { type CoverQuestion, coverLine, nameToType, readCoverQuestion } from './read-cover.ts';

/** `/delegates @PERSON`: who covers for a person, and the people they cover for; alone, your own cover. */
export const delegatesWho: SlashCommand<DelegationParts & Pick<SlackParts, 'commands'>> = {
  root: '/delegates',
  word: null,
  usage: '/delegates @PERSON [CATEGORY] [on DAY | DATES]',
  summary: 'who covers for a person, now, on a day or in some days',
  answer: (invocation, parts) =>
    /^(?:mine)?$/i.test(invocation.text) ? answerOwn(invocation, parts) : answerSentence(invocation, parts),
};

/**
 * Answers `PERSON [CATEGORY] [on DAY | DATES]`, days alone, or a sentence about cover. A sentence whose words are all known
 * is answered as its line is; for any other the line is offered.
 */
async function answerSentence(
  invocation: SlashInvocation,
  parts: DelegationParts & Pick<SlackParts, 'commands'>,
): Promise<readonly Message[]> {
  const { text } = invocation;
  const users = await parts.people.users();
  const [first = ''] = text.split(/\s+/);
  const isAboutPerson = /^(?:<@|@|"|for\b)/.test(text) || usersNamed(first, users).length > 0;
  const { member } = await admit(invocation, parts);
  const today = dayAt(parts.now(), member.timeZone);
  const read = text.length > MAX_CHARACTERS ? null : coverLine(text, { users, today });
  if (read !== null && read.people.length > 1 && read.leftover.length === 0)
    return answerAboutEach(read.people, read.when, invocation, parts);
  const typed = read?.line.replace('/delegates ', '') ?? text;
  if (read === null || typed === text || (isAboutPerson && read.leftover.length > 0))
    return answerAbout(invocation, parts);
  if (read.leftover.length > 0) {
    const words = read.leftover.map(codeText).join(' and ');
    // A misspelt name is more likely than another question.
    return read.line.startsWith('/delegates week') && first === text
      ? answerAbout(invocation, parts)
      : [suggest(`I don't understand ${words} here.`, read.line)];
  }
  const [word = '', ...others] = typed.split(' ');
  const inner = { ...invocation, text: typed, words: [word, ...others] };
  if (word === 'mine') return answerOwn(inner, parts);
  if (word !== 'week') return answerAbout(inner, parts);
  return delegatesWeek.answer({ ...inner, text: others.join(' '), words: others }, parts);
}

async function answerAboutEach(
  people: readonly string[],
  when: string,
  invocation: SlashInvocation,
  parts: DelegationParts & Pick<SlackParts, 'commands'>,
): Promise<readonly Message[]> {
  const answers: Message[] = [];
  for (const person of people)
    answers.push(...(await answerAbout({ ...invocation, text: `${person} ${when}`.trim() }, parts)));
  return [
    {
      text: answers.map(({ text }) => text).join('\n'),
      // Actions on cover are offered only below an answer about one person alone.
      blocks: answers.flatMap(({ blocks }) => blocks.filter(({ type }) => type !== 'actions')),
    },
  ];
}

/** `/delegates help`: what people can do, each with a button. */
export const delegatesHelp: SlashCommand<object> = {
  root: '/delegates',
  word: 'help',
  usage: '/delegates help',
  summary: 'show examples',
  answer: async () => [helpMessage()],
};

/** Rows of what people want, the line for it, and the button that runs it or one like it. */
const helpRows = [
  ['Who covers for me, and the people I cover for', '/delegates', 'Run', '/delegates'],
  ['Cover this week, and where it is missing', '/delegates week', 'Run', '/delegates week'],
  ['Cover next week', '/delegates week next week', 'Run', '/delegates week next week'],
  ['Set cover while you are out', '/delegates set @bob dec 19 to jan 2', 'Set up', '/delegates set'],
  ['End a cover early', '/delegates end @bob', 'Choose', '/delegates end'],
] as const;

function helpMessage(): Message {
  const lead = '*Who covers while someone is out?* Only you see the answers.';
  const footer = 'More: `/delegates @ada` · `/delegates @ada expense on friday` · `/delegates link`';
  return {
    text: [lead, ...helpRows.map(([what, line]) => `${what}: ${line}`), footer].join('\n'),
    blocks: [
      section(lead),
      ...helpRows.map(([what, line, title, run]) => section(`${what}\n\`${line}\``, runButton(run, title))),
      context(footer),
    ],
  };
}

const LINES_EACH = 8;

async function answerOwn(invocation: SlashInvocation, parts: DelegationParts): Promise<readonly Message[]> {
  const { member } = await admit(invocation, parts);
  const { user, principal } = member;
  const own = await listActive(principal, { delegator: user.id }, parts.delegations);
  const others = await listActive(principal, { delegate: user.id }, parts.delegations);
  const facts = await readerFacts(member, parts);
  const words = coverWords(facts);
  const rows = coverRows(own.slice(0, LINES_EACH), facts);
  const counted = (all: readonly Delegation[]) =>
    all.length > LINES_EACH ? [`… and ${all.length - LINES_EACH} more.`] : [];
  const below = lineBlocks([
    ...(own.length === 0 ? ['No one covers for you.'] : counted(own)),
    ...(others.length === 0 ? ['You cover for no one.'] : []),
    ...others.slice(0, LINES_EACH).map((one) => coverText(one, words)),
    ...counted(others),
  ]);
  const text = [...rows.map((row) => row.text?.text ?? ''), below.text].join('\n');
  return [withButtons({ text, blocks: [...rows, ...below.blocks] }, '/delegates set')];
}

/** Longer lines would not fit into a button that repeats them. */
const MAX_CHARACTERS = 500;

/** Answers `PERSON [CATEGORY] [on DAY]`; a `for` before it changes nothing, as both directions are shown. */
async function answerAbout(
  invocation: SlashInvocation,
  parts: DelegationParts & Pick<SlackParts, 'commands'>,
): Promise<readonly Message[]> {
  if (invocation.text.length > MAX_CHARACTERS)
    return [notice(`That is too long. Use at most ${MAX_CHARACTERS} characters.`)];
  const admitted = await admit(invocation, parts);
  const { member, right } = admitted;
  const split = await personTyped(invocation.text.replace(/^for\s+/i, ''), member, parts);
  if (split === null) return [helpMessage()];
  const { person, remainder, found } = split;
  if (found.kind === 'known') {
    const isShown = seesAll(right) || found.user.id === member.user.id;
    return [isShown ? await answerCover(admitted, found.user, remainder, parts) : ownCoverOnly(member)];
  }
  const lineAbout = (name: string) => `/delegates ${name} ${remainder}`.trim();
  // A misspelt word of the command looks like a person.
  const word = 'name' in person ? nearWord(person.name, '/delegates', parts.commands) : null;
  if (word !== null && 'name' in person)
    return [suggest(`I can't find ${codeText(person.name)}.`, lineAbout(word))];
  if (!seesAll(right)) return [ownCoverOnly(member)];
  const users = await parts.people.users();
  return [askWhich(person, found, { hasAdmins: member.hasAdmins, users, lineAbout })];
}

/** The answer to `[CATEGORY] [on DAY]` about a person; a service without lists is asked for names. */
export async function answerCover(
  { member, right }: Admitted,
  person: User,
  remainder: string,
  parts: DelegationParts,
): Promise<Message> {
  const { delegations, now } = parts;
  const { principal, timeZone } = member;
  const users = await parts.people.users();
  const line = `/delegates ${nameToType(person, users)}`;
  const today = dayAt(now(), timeZone);
  const facts = await orElse(readerFacts(member, parts), () => null, 'service-too-old');
  const question = readCoverQuestion(remainder, line, today, facts?.categories ?? null);
  const { category, period } = question;
  const day = period !== null && period.first.day === period.last.day ? period.first : null;
  const span =
    period === null || day !== null
      ? spanOfDay(day, now(), timeZone)
      : spanOfPeriod(period, { days: timeZone, times: timeZone });
  if (facts === null) return lookUpCover(member, { person, line, ...question }, parts);
  const coverage = await delegations.coverage(principal, span);
  const isAsked = (ids: readonly number[]) =>
    category === undefined || ids.length === 0 || (category.id !== null && ids.includes(category.id));
  const found = coverage.delegations
    .filter(({ delegator, delegates }) => delegator === person.id || delegates.includes(person.id))
    .filter(({ categoryIds }) => isAsked(categoryIds))
    .toSorted((a, b) => a.start - b.start || a.id - b.id);
  const last = Math.max(span.until, ...found.map(({ end }) => end));
  const until = Math.min(last, span.from + MAX_COVERAGE_DAYS * millisecondsInDay);
  // If the question is about now, people also read who steps in later.
  const outs = period === null ? await delegations.coverage(principal, { ...span, until }) : coverage;
  const words = coverWords(facts);
  const uncovered = coverage.uncovered.filter(
    (one) => one.person === person.id && isAsked(one.categoryId === null ? [] : [one.categoryId]),
  );
  const whenText = () => {
    if (period === null) return null;
    if (day === null) return spanText(span, [person.id], words);
    return `on ${day.time === null ? nearDayText(day.day, facts.now) : dateMark(span.from)}`;
  };
  const answer = {
    when: whenText(),
    category: category === undefined ? null : words.category(category.id),
    isOver: span.until <= now(),
  };
  const isNow = period === null && !found.some(({ delegator }) => delegator === person.id);
  // A register may not know the person.
  const later = isNow
    ? await orElse(listActive(principal, { delegator: person.id }, delegations), () => [], 'not-found')
    : [];
  const next = later.find(({ start, categoryIds }) => start > now() && isAsked(categoryIds)) ?? null;
  const message = coverMessage(
    person.id,
    { ...outs, delegations: found, uncovered },
    { ...answer, next },
    words,
  );
  const setLine = right === 'edit' ? `/delegates set for ${nameToType(person, users)}` : null;
  return withButtons(message, person.id === member.user.id ? '/delegates set' : setLine);
}

/** The same from the two look-ups alone, which know one category and one instant, and return names only. */
async function lookUpCover(
  { principal, timeZone }: Member,
  { person, line, category, period }: CoverQuestion & { readonly person: User; readonly line: string },
  { delegations, people, now }: DelegationParts,
): Promise<Message> {
  const day = period?.first ?? null;
  if (day !== null && (day.time === null || period?.last !== day)) {
    const lineParts = [
      line,
      ...(category === undefined ? [] : [category.name]),
      `on ${isoDay(day.day)} 12:00`,
    ];
    return suggest(
      'This delegation service can look up a single time only, not a whole day.',
      lineParts.join(' '),
    );
  }
  const asOf = day === null ? null : spanOfDay(day, now(), timeZone).from;
  const question = { principal, person: person.id, category: category?.name ?? GENERAL, asOf };
  const words = wordsAnywhere(shortenedNames(await people.users(), []));
  const who = `*${words.person(person.id)}*`;
  const work = category === undefined ? '' : ` for ${escapeMrkdwn(category.name)}`;
  const when = asOf === null ? 'now' : `on ${dateMark(asOf)}`;
  try {
    const delegates = (await delegations.delegatesOf(question)).others;
    const delegators = (await delegations.delegatorsOf(question)).others;
    return lineBlocks([
      ...delegates.map((id) => `*${words.person(id)}* covers for ${who}${work} ${when}.`),
      ...(delegates.length === 0 ? [`No one covers for ${who}${work} ${when}.`] : []),
      ...delegators.map((id) => `${who} covers for *${words.person(id)}*${work} ${when}.`),
      ...(category === undefined ? ['Shows cover for everything. Add a category to see more.'] : []),
      '_This delegation service shows names only: no dates, no notes, and not whether the person covering is out too._',
    ]);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    return suggest(escapeMrkdwn(error.message), line);
  }
}

/**
 * A message on who covers for a person, who steps in, what they still do, and the people they cover for. `when` is null
 * for now; `next` is the cover that comes where there is none now.
 */
export function coverMessage(
  person: string,
  coverage: Omit<Coverage, 'ending'>,
  {
    when,
    category,
    isOver,
    next,
  }: {
    readonly when: string | null;
    readonly category: string | null;
    readonly isOver: boolean;
    readonly next: Delegation | null;
  },
  words: CoverWords,
): Message {
  const own = coverage.delegations.filter(({ delegator }) => delegator === person);
  const covering = coverage.delegations.filter(({ delegator }) => delegator !== person);
  const line = (one: Delegation) => () => coverText(one, words, outText(one, coverage, words));
  const isPart =
    category === null && own.length > 0 && own.every(({ categoryIds }) => categoryIds.length > 0);
  const work = category === null ? '' : ` for ${category}`;
  return lineBlocks([
    ...(own.length === 0
      ? [`No one ${isOver ? 'covered' : 'covers'} for ${boldText(person, words)}${work} ${when ?? 'now'}.`]
      : []),
    ...(next === null ? [] : [() => `Next: ${coverText(next, words)}`]),
    ...(own.length === 0 || when === null ? [] : [`${capitalized(when)}:`]),
    ...own.map(line),
    ...coverage.uncovered.map((one) => `:warning: ${uncoveredText(one, words, coverage.span)}`),
    ...(isPart ? [`Everything else: ${personText(person, words)}.`] : []),
    ...covering.map(line),
    ...(person === words.reader && when !== null && covering.length === 0
      ? [`You ${isOver ? 'covered' : 'cover'} for no one ${when}.`]
      : []),
  ]);
}

/** Adds what to do about cover below a message; `setLine` null: the reader cannot set it. */
export function withButtons({ text, blocks }: Message, setLine: string | null): Message {
  const set = setLine === null ? [] : [runButton(setLine, 'Set cover')];
  const elements = [...set, runButton('/delegates week', 'This week', 1)];
  return { text, blocks: [...blocks, actions(...elements)] };
}

/** Why there is no answer about others, the same whether there is such a person or not. */
function ownCoverOnly(member: Member): Message {
  const text = `You can only see your own cover. ${askAdmin(member, '--view-all')}`;
  return suggest(text, '/delegates', 'My cover');
}
