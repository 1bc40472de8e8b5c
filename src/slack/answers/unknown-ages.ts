import { countOf } from './count-words.ts';
import { namedKeys } from './named-keys.ts';
import { type Said, say } from './wording.ts';

/** Open issues whose cut history does not tell since when they are where they are; nothing where there are none. */
export function unknownAges(keys: readonly string[]): readonly Said[] {
  if (keys.length === 0) return [];
  return [
    say(
      (wording) =>
        `Left out: ${countOf(keys.length, 'open issue')} whose cut history does not tell since when (${namedKeys(keys, wording)}).`,
    ),
  ];
}
