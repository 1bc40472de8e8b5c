import { codeText, lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import { allowedDays } from '../../questions/parse/read-range.ts';
import { readDay, type TypedDay } from '../../time/day-words.ts';
import { notice } from '../messages/notice.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { suggestDay } from './suggest-day.ts';

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
export function splitQuestion(
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
