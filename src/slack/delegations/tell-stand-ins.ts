import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';
import type { DoorParts } from '../command.ts';
import { dayAt, spanOf } from '../days/day-span.ts';
import { dayText, typedDayText } from '../days/day-text.ts';
import type { TypedDay } from '../days/read-day.ts';
import type { Message } from '../message.ts';
import { escapedNames, namesOf } from '../messages/names.ts';
import { type Direction, type StandInStory, standInMessage } from '../messages/stand-in-message.ts';
import type { Admitted } from './admit.ts';
import { groupByCategory, ofCategory } from './group-by-category.ts';
import { readQuestion } from './read-question.ts';
import { refuseOthers, seesAll } from './rights-words.ts';

/** Each chain is a question of its own. */
const MOST_CHAINS = 10;

/** Who is asked about, and what was typed behind them. */
export interface StandInSubject {
  readonly direction: Direction;
  readonly person: User;
  readonly rest: string;
}

/** The answer to `[CATEGORY] [on DAY]` about one person, as far as the asker may know it. */
export async function tellStandIns(
  { member, right }: Admitted,
  { direction, person, rest }: StandInSubject,
  parts: DoorParts,
): Promise<Message> {
  const { delegations, people, now } = parts;
  const { asker, timeZone } = member;
  if (!seesAll(right) && person.id !== member.user.id) return refuseOthers(member);
  const categories = await delegations.categories(asker);
  const at = now();
  const today = dayAt(at, timeZone);
  const read = readQuestion(rest, categories, today);
  if ('refusal' in read) return read.refusal;
  const { category, day } = read.question;
  const span = spanOf(day, at, timeZone);
  const coverage = await delegations.coverage(asker, span);
  const names = namesOf(await people.users(), categories);
  const concerns = (one: { readonly person: string; readonly categoryId: CategoryId }) =>
    direction === 'delegates' &&
    one.person === person.id &&
    (category === null || one.categoryId === null || one.categoryId === category.id);
  const awayToo = coverage.awayToo.filter(concerns);
  const story: Omit<StandInStory, 'groups'> = {
    direction,
    person: person.id,
    category: category === null ? null : escapedNames(names).category(category.id),
    when: whenText(day, today, timeZone),
    span,
    instant: day === null || day.time !== null,
    awayToo,
    uncovered: coverage.uncovered.filter(concerns),
    names: escapedNames(names),
  };
  const found = coverage.delegations.filter((one) =>
    direction === 'delegates' ? one.delegator === person.id : one.delegates.includes(person.id),
  );
  const groups =
    category === null
      ? groupByCategory(found, names)
      : [ofCategory(found, category.id)].filter((group) => group.delegations.length > 0);
  const withChains = story.instant && awayToo.length > 0 && seesAll(right);
  return standInMessage({
    ...story,
    groups: await Promise.all(
      groups.map(async (group, i) => {
        if (!withChains || i >= MOST_CHAINS) return { ...group, chain: null };
        const name = nameOf(group.categoryId, categories);
        const chain = await delegations.chainOf({
          asker,
          person: person.id,
          category: name,
          asOf: span.from,
        });
        return { ...group, chain };
      }),
    ),
  });
}

function whenText(day: TypedDay | null, today: number, timeZone: string): string {
  if (day === null) return `now (${dayText(today)})`;
  return day.time === null ? `on ${typedDayText(day)}` : `on ${typedDayText(day)} (${timeZone})`;
}

function nameOf(id: CategoryId, categories: readonly Category[]): string {
  return categories.find((category) => category.id === id)?.name ?? GENERAL;
}
