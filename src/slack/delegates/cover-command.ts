import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import { whenText } from '../../questions/parse/read-range.ts';
import { spanOfDay } from '../../time/day-words.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { CommandLine, SlackAction, SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { namesOf, nearWord, notice, withZone, wordsIn } from '../app/message-texts.ts';
import type { DelegationParts, SlackParts } from '../app/parts.ts';
import { askWhich, readChosen } from '../people/ask-which.ts';
import { personTyped, type Split } from '../people/find-person.ts';
import {
  type CoverAnswer,
  coverMessage,
  type Direction,
  groupByCategory,
  ofCategory,
} from './cover-message.ts';
import { type Admitted, admit, refuseOthers, seesAll } from './cover-words.ts';
import { delegatesHelpMessage } from './delegates-help.ts';
import { listToEnd } from './end-cover.ts';
import { beginningOf, type CoverSubject, lookUpCover, readQuestion } from './find-cover-of.ts';

/** `/delegates @PERSON`: who stands in for somebody; alone it tells what there is to ask. */
export const delegatesWho: SlashCommand<DelegationParts & Pick<SlackParts, 'commands'>> = {
  root: '/delegates',
  word: null,
  usage: '/delegates @PERSON [CATEGORY] [on DAY]',
  summary: 'who stands in for somebody, now or on a day',
  examples: ['/delegates @ada', '/delegates @ada expense on friday', '/delegates ada on 2026-12-24 14:00'],
  details:
    'A person is a mention, a user name of the tracker or a full name; `me` is yourself. For now, or a day with a time, it is told as well who stands in for delegates who are away too.',
  answer: async (asked, parts) =>
    asked.text === '' ? [delegatesHelpMessage(parts.commands)] : answerAbout('delegates', asked, parts),
};

/** `/delegates for @PERSON`: for whom somebody stands in. */
export const delegatesFor: SlashCommand<DelegationParts & Pick<SlackParts, 'commands'>> = {
  root: '/delegates',
  word: 'for',
  usage: '/delegates for @PERSON [CATEGORY] [on DAY]',
  summary: 'for whom somebody stands in, now or on a day',
  examples: ['/delegates for @bob', '/delegates for @bob expense on 24 Dec'],
  details: 'The other direction: whose work somebody does while they are away.',
  answer: (asked, parts) => answerAbout('delegators', asked, parts),
};

/** Longer lines would not fit behind the buttons that ask who is meant. */
const MOST_CHARACTERS = 500;

/** Answers `PERSON [CATEGORY] [on DAY]` in one of the two directions. */
async function answerAbout(
  direction: Direction,
  asked: SlashInvocation,
  parts: DelegationParts & Pick<SlackParts, 'commands'>,
): Promise<readonly Message[]> {
  if (asked.text.length > MOST_CHARACTERS) {
    return [notice(`That is too long. Try: ${MOST_CHARACTERS} characters.`)];
  }
  const admitted = await admit(asked, parts);
  if ('refusal' in admitted) return [admitted.refusal];
  const { member, right } = admitted;
  const split = await personTyped(asked.text, member, parts);
  if (split === null)
    return [notice('Whom do you mean? Mention somebody or type a user name behind the command.')];
  const { person, rest, found } = split;
  const hints = direction === 'delegates' ? hintsFor(split, parts.commands) : [];
  // Who may not ask about others does not learn either who there is.
  if (!seesAll(right) && (found.kind !== 'known' || found.user.id !== member.user.id)) {
    return [refuseOthers(member, hints)];
  }
  return found.kind === 'known'
    ? [await withRemaining(admitted, { direction, person: found.user, rest }, parts)]
    : [askWhich(person, found, { about: direction, rest }, { hasAdmins: member.hasAdmins, hints })];
}

/** A word of the command that is misspelt is taken for a person. */
function hintsFor({ person, rest }: Split, commands: readonly CommandLine[]): readonly string[] {
  const word = 'name' in person ? nearWord(person.name, '/delegates', commands) : null;
  return word === null ? [] : [`Did you mean ${lineText(`/delegates ${word} ${rest}`)}?`];
}

/** *This one* where several people could have been meant: the answer that was asked for, about who was chosen. */
export const choosePerson: SlackAction<DelegationParts> = {
  id: 'choose-person',
  async run(click, parts) {
    const { about, person: id, rest } = readChosen(click.value);
    const admitted = await admit(click, parts);
    if ('refusal' in admitted) return [admitted.refusal];
    const person = (await parts.people.users()).get(id);
    if (person === undefined) return [notice('The tracker does not know this person any more.')];
    if (about === 'end') return [await listToEnd(admitted, person, parts)];
    return [await withRemaining(admitted, { direction: about, person, rest }, parts)];
  },
};

/** Each chain is a question of its own. */
const MOST_CHAINS = 10;

/**
 * The answer to `[CATEGORY] [on DAY]` about one person, as far as the principal may know it, and as far as the register tells
 * it: one that is too old for lists looks it up.
 */
export async function withRemaining(
  { member, right }: Admitted,
  subject: CoverSubject,
  parts: DelegationParts,
): Promise<Message> {
  if (!seesAll(right) && subject.person.id !== member.user.id) return refuseOthers(member);
  try {
    return await answerFromLists({ member, right }, subject, parts);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'service-too-old') throw error;
    return lookUpCover(member, subject, parts);
  }
}

async function answerFromLists(
  { member, right }: Admitted,
  subject: CoverSubject,
  { delegations, people, now }: DelegationParts,
): Promise<Message> {
  const { direction, person, rest } = subject;
  const { principal, timeZone } = member;
  const categories = await delegations.categories(principal);
  const at = now();
  const today = dayAt(at, timeZone);
  const users = await people.users();
  const read = readQuestion(rest, { categories, today, beginning: beginningOf(subject, users) });
  if ('refusal' in read) return read.refusal;
  const { category, day } = read.question;
  const span = spanOfDay(day, at, timeZone);
  const coverage = await delegations.coverage(principal, span);
  const names = namesOf(users, categories);
  const words = wordsIn(timeZone, at, names);
  const concerns = (one: { readonly person: string; readonly categoryId: CategoryId }) =>
    direction === 'delegates' &&
    one.person === person.id &&
    (category === null || one.categoryId === null || one.categoryId === category.id);
  const awayToo = coverage.awayToo.filter(concerns);
  const story: Omit<CoverAnswer, 'groups'> = {
    direction,
    person: person.id,
    category: category === null ? null : words.category(category.id),
    when: whenText(day, today, timeZone),
    span,
    instant: day === null || day.time !== null,
    awayToo,
    uncovered: coverage.uncovered.filter(concerns),
    words,
  };
  const found = coverage.delegations.filter((one) =>
    direction === 'delegates' ? one.delegator === person.id : one.delegates.includes(person.id),
  );
  const groups =
    category === null
      ? groupByCategory(found, names)
      : [ofCategory(found, category.id)].filter((group) => group.delegations.length > 0);
  const withChains = story.instant && awayToo.length > 0 && seesAll(right);
  const message = coverMessage({
    ...story,
    groups: await Promise.all(
      groups.map(async (group, i) => {
        if (!withChains || i >= MOST_CHAINS) return { ...group, chain: null };
        const name = nameOf(group.categoryId, categories);
        const chain = await delegations.chainOf({
          principal,
          person: person.id,
          category: name,
          asOf: span.from,
        });
        return { ...group, chain };
      }),
    ),
  });
  return withZone(message, timeZone);
}

function nameOf(id: CategoryId, categories: readonly Category[]): string {
  return categories.find((category) => category.id === id)?.name ?? GENERAL;
}
