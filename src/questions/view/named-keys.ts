import { shorten } from '../../block-kit/shorten.ts';
import { countWords } from './count-words.ts';
import type { Wording } from './wording.ts';

const NAMED = 5;
const NAME_LENGTH = 60;

/** `WEB-1, WEB-2 and 3 more`: the first few of some keys, or of other names. */
export function namedKeys(keys: readonly string[], { words }: Pick<Wording, 'words'>): string {
  const named = keys.slice(0, NAMED).map((key) => words(shorten(key, NAME_LENGTH)));
  const more = keys.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${countWords(more)} more` : ''}`;
}
