import type { Message } from '../../block-kit/message.ts';
import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import { whenText } from '../../questions/parse/read-range.ts';
import { spanOfDay } from '../../time/day-words.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { namesOf } from '../messages/names.ts';
import { type StandInStory, standInMessage } from '../messages/stand-in-message.ts';
import { withZone } from '../messages/with-zone.ts';
import { wordsIn } from '../messages/words.ts';
import type { DelegationParts } from '../parts.ts';
import type { Admitted } from './admit.ts';
import { groupByCategory, ofCategory } from './group-by-category.ts';
import { lookUpStandIns } from './look-up-stand-ins.ts';
import { readQuestion } from './read-question.ts';
import { refuseOthers, seesAll } from './rights-words.ts';
import { beginningOf, type StandInSubject } from './stand-in-subject.ts';

/** Each chain is a question of its own. */
const MOST_CHAINS = 10;

/**
 * The answer to `[CATEGORY] [on DAY]` about one person, as far as the principal may know it, and as far as the register tells
 * it: one that is too old for lists looks it up.
 */
export async function withRemaining(
  { member, right }: Admitted,
  subject: StandInSubject,
  parts: DelegationParts,
): Promise<Message> {
  if (!seesAll(right) && subject.person.id !== member.user.id) return refuseOthers(member);
  try {
    return await tellFromLists({ member, right }, subject, parts);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'service-too-old') throw error;
    return lookUpStandIns(member, subject, parts);
  }
}

async function tellFromLists(
  { member, right }: Admitted,
  subject: StandInSubject,
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
  const story: Omit<StandInStory, 'groups'> = {
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
  const message = standInMessage({
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
