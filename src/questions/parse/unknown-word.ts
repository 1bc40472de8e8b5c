import { type AppError, badRequestAs } from '../../model/error.ts';
import { didYouMean } from './names-meant.ts';

/** More names than that nobody reads. */
const MOST_NAMES = 10;

/** A word that is none of those allowed, with what may have been meant; `unlisted` more are allowed beside them. */
export function unknownWord(what: string, word: string, allowed: readonly string[], unlisted = 0): AppError {
  const more = Math.max(0, allowed.length - MOST_NAMES) + unlisted;
  const names = allowed.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return badRequestAs(
    'unknown-name',
    [`${what} '${word}' is not known; allowed: ${names || 'none'}.`, ...didYouMean(word, allowed)],
    { value: word, known: allowed, unlisted },
  );
}
