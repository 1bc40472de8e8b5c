import { unmistakableName } from '../../api/people/logins.ts';
import { codeText, lineText } from '../../block-kit/code-text.ts';
import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { allowedDays, whenText } from '../../questions/parse/read-range.ts';
import { readDay, spanOfDay, type TypedDay } from '../../time/day-words.ts';
import { isoDay, minuteText } from '../../time/iso-dates.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { namesOf, notice, withZone, wordsIn } from '../app/message-texts.ts';
import type { DelegationParts } from '../app/parts.ts';
import { loginOf, type Member } from '../people/accounts.ts';
import { type CoverAnswer, type Direction, leadText } from './cover-message.ts';

/**
 * The answer to `[CATEGORY] [on DAY TIME]` from the two look-ups alone, which know one category and one instant and
 * tell names only. Without a category `general` is meant.
 */
export async function lookUpCover(
  { principal, timeZone }: Member,
  subject: CoverSubject,
  { delegations, people, now }: DelegationParts,
): Promise<Message> {
  const { direction, person, rest } = subject;
  const today = dayAt(now(), timeZone);
  const { name, day } = splitQuestion(rest, today);
  if (day !== null && day.time === null) {
    return notice(
      'This delegation service tells no whole days.',
      'Type a time behind the day, such as `on 2026-12-24 14:00`, or no day for now.',
    );
  }
  const category = name === '' ? GENERAL : name;
  const asOf = day === null ? null : spanOfDay(day, now(), timeZone).from;
  const question = { principal, person: person.id, category, asOf };
  try {
    const found =
      direction === 'delegates'
        ? await delegations.delegatesOf(question)
        : await delegations.delegatorsOf(question);
    const names = namesOf(await people.users(), []);
    const told = lookUpMessage({
      direction,
      person: person.id,
      category: escapeMrkdwn(found.category),
      when: whenText(day, today, timeZone),
      others: found.others,
      isGeneral: name === '',
      words: wordsIn(timeZone, now(), names),
    });
    return withZone(told, timeZone);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    const beginning = beginningOf(subject, await people.users());
    return (
      oneAtATime(name, beginning) ??
      notice(escapeMrkdwn(error.message), ...hintFor(name, { today, beginning }))
    );
  }
}

/** No list tells which categories there are, so that a day without its word, or misspelt, is taken for one. */
function hintFor(
  name: string,
  context: { readonly today: number; readonly beginning: string },
): readonly string[] {
  const suggested = suggestDay(name, context);
  if (suggested !== null) {
    // No whole days are told here.
    const line = /\d:\d\d$/.test(suggested.line) ? suggested.line : `${suggested.line} 12:00`;
    return [`Did you mean ${lineText(line)}?`];
  }
  return /(?:^|\s)on\s/i.test(name) ? [`A day is ${allowedDays}.`] : [];
}

/** What is asked of a person: one category or every one, and a day or now. */
interface Question {
  readonly category: { readonly id: CategoryId; readonly name: string } | null;
  readonly day: TypedDay | null;
}

const CATEGORIES_SHOWN = 20;

/**
 * Takes `[CATEGORY] [on DAY]` apart. Names of categories may hold an "on", so that the last one with a day behind it
 * counts.
 */
function splitQuestion(
  text: string,
  today: number,
): { readonly name: string; readonly day: TypedDay | null } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const on = words.findLastIndex(
    (word, i) => word.toLowerCase() === 'on' && readDay(words.slice(i + 1).join(' '), today) !== null,
  );
  if (on < 0) return { name: words.join(' '), day: null };
  return { name: words.slice(0, on).join(' '), day: readDay(words.slice(on + 1).join(' '), today) };
}

/** What a question is read with; `beginning` is the line up to the question. */
interface QuestionContext {
  readonly categories: readonly Category[];
  readonly today: number;
  readonly beginning: string;
}

/** Reads the same. What cannot be read is refused with what is allowed. */
export function readQuestion(
  text: string,
  { categories, today, beginning }: QuestionContext,
): { readonly question: Question } | { readonly refusal: Message } {
  const { name, day } = splitQuestion(text, today);
  const known = [{ id: null, name: GENERAL }, ...categories];
  const named = (name: string) =>
    known.find((one) => foldedCategoryName(one.name) === foldedCategoryName(name)) ?? null;
  if (name === '') return { question: { category: null, day } };
  const category = named(name);
  if (category !== null) return { question: { category, day } };
  const several = oneAtATime(name, beginning);
  if (several !== null) return { refusal: several };
  const [, typedDay] = /(?:^|\s)on\s+(.*)$/i.exec(name) ?? [];
  if (day === null && typedDay !== undefined) {
    return { refusal: notice(`I cannot read ${codeText(typedDay)} as a day. Try: ${allowedDays}.`) };
  }
  const meant = day === null ? suggestDay(name, { beginning, today }) : null;
  if (meant !== null && (meant.category === '' || named(meant.category) !== null)) {
    return {
      refusal: notice(`There is no category ${codeText(name)}. Did you mean ${lineText(meant.line)}?`),
    };
  }
  const more = known.length - CATEGORIES_SHOWN;
  const shown = known
    .slice(0, CATEGORIES_SHOWN)
    .map((one) => codeText(one.name))
    .join(', ');
  const allowed = `Try: ${shown}${more > 0 ? ` and ${more} more` : ''}, or none for all of them.`;
  return { refusal: notice(`There is no category ${codeText(name)}.`, allowed) };
}

/** What was likely meant where a day stands without its word: the whole line, and the category in it. */
interface DaySuggestion {
  readonly category: string;
  readonly line: string;
}

/** Reads `[CATEGORY] DAY` behind the beginning of a line; null where no day stands there. */
function suggestDay(
  text: string,
  { beginning, today }: { readonly beginning: string; readonly today: number },
): DaySuggestion | null {
  const words = text.split(' ');
  for (const i of words.keys()) {
    const typed = words.slice(i).join(' ');
    const day = readDay(typed, today);
    if (day === null) continue;
    const category = words.slice(0, i).join(' ');
    // Nobody says "on in 3 days".
    const said = /^in /i.test(typed) ? typedText(day) : typed;
    return { category, line: [beginning, ...words.slice(0, i), 'on', said].join(' ') };
  }
  return null;
}

function typedText({ day, time }: TypedDay): string {
  return time === null ? isoDay(day) : minuteText(day + time);
}

/** Who is asked about in which direction, and what was typed behind them. */
export interface CoverSubject {
  readonly direction: Direction;
  readonly person: User;
  readonly rest: string;
}

/**
 * How the line begins that asks about somebody, by their user name of the tracker, or by their id where others can be
 * meant by that: `/delegates for @bob`.
 */
export function beginningOf({ direction, person }: CoverSubject, users: ReadonlyMap<string, User>): string {
  return `/delegates ${direction === 'delegators' ? 'for ' : ''}@${unmistakableName(person, users) ?? loginOf(person)}`;
}

/** What somebody reads who typed another person behind the first; null where none stands there. */
function oneAtATime(rest: string, beginning: string): Message | null {
  return /(?:^|\s)(?:@\S|<@[UW])/.test(rest)
    ? notice(`Ask about one person at a time, such as ${lineText(beginning)}.`)
    : null;
}

/** What a look-up tells of one person in one category at one instant; words and the category are escaped. */
interface LookUpAnswer extends Pick<CoverAnswer, 'direction' | 'person' | 'category' | 'when' | 'words'> {
  /** User ids of the other side. */
  readonly others: readonly string[];
  /** No category was named. */
  readonly isGeneral: boolean;
}

const nameOne = 'Only what is handed over as a whole is told; name a category to ask about it.';

const remark =
  '_This delegation service tells names only: not from when until when, no notes, no other categories, and not who is away too._';

/** Who stands in for somebody, or for whom they do, where nothing else can be known. */
function lookUpMessage(story: LookUpAnswer): Message {
  const { others, words } = story;
  const lines = others.map((id) => `• *${words.person(id)}*`);
  const ways = story.isGeneral ? [nameOne] : [];
  return lineBlocks([leadText(story, others.length === 0), ...lines, ...ways, remark]);
}
