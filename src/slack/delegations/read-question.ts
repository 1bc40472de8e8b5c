import { type Category, type CategoryId, GENERAL } from '../../model/delegation.ts';
import { allowedDays, readDay, type TypedDay } from '../days/read-day.ts';
import type { Message } from '../message.ts';
import { codeText } from '../messages/code-text.ts';
import { notice } from '../messages/notice.ts';

/** What is asked of a person: one category or every one, and a day or now. */
export interface Question {
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

/** Reads the same. What cannot be read is refused with what is allowed. */
export function readQuestion(
  text: string,
  categories: readonly Category[],
  today: number,
): { readonly question: Question } | { readonly refusal: Message } {
  const { name, day } = splitQuestion(text, today);
  const known = [{ id: null, name: GENERAL }, ...categories];
  const named = (name: string) => known.find((one) => folded(one.name) === folded(name)) ?? null;
  if (name === '') return { question: { category: null, day } };
  const category = named(name);
  if (category !== null) return { question: { category, day } };
  const [, typedDay] = /(?:^|\s)on\s+(.*)$/i.exec(name) ?? [];
  if (day === null && typedDay !== undefined) {
    return { refusal: notice(`I cannot read ${codeText(typedDay)} as a day. Allowed: ${allowedDays}.`) };
  }
  if (day === null && readDay(name, today) !== null) {
    return {
      refusal: notice(`There is no category ${codeText(name)}. Did you mean ${codeText(`on ${name}`)}?`),
    };
  }
  const more = known.length - CATEGORIES_SHOWN;
  const shown = known
    .slice(0, CATEGORIES_SHOWN)
    .map((one) => codeText(one.name))
    .join(', ');
  const allowed = `Allowed: ${shown}${more > 0 ? ` and ${more} more` : ''}, or none for all of them.`;
  return { refusal: notice(`There is no category ${codeText(name)}.`, allowed) };
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
