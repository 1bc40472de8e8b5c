import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import type { DelegateTime } from '../../model/delegation.ts';
import { about, badRequest } from '../../model/error.ts';

/** Every word may begin a name of many words; more would keep everybody else waiting. */
const MOST_WORDS = 1_000;

type NamedCategory = DelegateTime['category'];

/**
 * The categories that texts name, each once, in that order. A text names one by its id or its name, or several with
 * commas between; as names hold commas too, the longest that is known counts. What is no category is told as the
 * report's parameter `creditDelegates`.
 */
export function namedCategories(
  texts: readonly string[],
  known: readonly NamedCategory[],
): readonly NamedCategory[] {
  const byName = new Map(known.map((category) => [foldedCategoryName(category.name), category]));
  const byId = new Map(known.map((category) => [String(category.id), category]));
  const find = (text: string) =>
    (/^\d+$/.test(text.trim()) ? byId.get(text.trim()) : undefined) ?? byName.get(foldedCategoryName(text));
  const mostWords = Math.max(...known.map(({ name }) => foldedCategoryName(name).split(',').length));

  function longestAt(words: readonly string[], start: number) {
    for (let count = Math.min(mostWords, words.length - start); count > 0; count -= 1) {
      const category = find(words.slice(start, start + count).join(','));
      if (category !== undefined) return { category, count };
    }
    throw notKnown(words[start]?.trim() ?? '', known);
  }

  const named = new Set<NamedCategory>();
  for (const text of texts) {
    const words = text.split(',');
    if (words.length > MOST_WORDS) throw tooMany(words.length);
    for (let at = 0; at < words.length; ) {
      if (words[at]?.trim() === '') {
        at += 1;
        continue;
      }
      const { category, count } = longestAt(words, at);
      named.add(category);
      at += count;
    }
  }
  return [...named];
}

function tooMany(count: number) {
  return badRequest(
    about(
      'creditDelegates',
      `has ${count} words with commas between; allowed: ${MOST_WORDS}, or true for every category.`,
    ),
  );
}

function notKnown(asked: string, known: readonly NamedCategory[]) {
  const allowed = known.map(({ id, name }) => (id === null ? name : `${id} or ${spelled(name)}`));
  return badRequest(
    about('creditDelegates', `'${asked}' is not known; allowed: true, ${allowed.join(', ')}.`),
  );
}

/** A name as it can be asked for: in quotes where it would read like something else. */
function spelled(name: string): string {
  return /[",]|^(true|false)$/i.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
