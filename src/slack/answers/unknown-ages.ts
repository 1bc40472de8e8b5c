import { shorten } from '../messages/shorten.ts';
import { countOf } from './count-words.ts';
import { type Said, say } from './wording.ts';

const NAMED = 5;
const KEY_LENGTH = 40;

/** Open issues whose cut history does not tell since when they are where they are; nothing where there are none. */
export function unknownAges(keys: readonly string[]): readonly Said[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, NAMED).map((key) => shorten(key, KEY_LENGTH));
  const more = keys.length - named.length;
  return [
    say(
      ({ words }) =>
        `Left out: ${countOf(keys.length, 'open issue')} whose cut history does not tell since when (${words(named.join(', '))}${more > 0 ? ` and ${more} more` : ''}).`,
    ),
  ];
}
