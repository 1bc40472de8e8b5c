import { type AppError, badRequest } from '../../model/error.ts';
import { nearestOf } from '../nearest-of.ts';

/** More names than that nobody reads. */
const MOST_NAMES = 25;

/** A word that is none of those allowed, with the nearest of them. */
export function unknownWord(what: string, word: string, allowed: readonly string[]): AppError {
  const near = nearestOf(word, allowed);
  const more = allowed.length - MOST_NAMES;
  const names = allowed.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return badRequest(
    `${what} '${word}' is not known; allowed: ${names || 'none'}.`,
    ...(near === null ? [] : [`Did you mean '${near}'?`]),
  );
}
