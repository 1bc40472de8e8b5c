import type { Provenance } from '../../model/table.ts';
import { countOf } from './count-words.ts';
import { namedKeys } from './named-keys.ts';
import { type Said, say } from './wording.ts';

/**
 * Open issues of which it is not known since when they are where they are; nothing where there are none. A service
 * elsewhere may not tell it of whole histories either.
 */
export function unknownAges(
  keys: readonly string[],
  { tracker, cutHistories }: Pick<Provenance, 'tracker' | 'cutHistories'>,
): readonly Said[] {
  if (keys.length === 0) return [];
  const why =
    tracker === 'hosted' && cutHistories === 0
      ? 'of which the time-in-status service does not tell since when'
      : 'whose cut history does not tell since when';
  return [
    say((wording) => `Left out: ${countOf(keys.length, 'open issue')} ${why} (${namedKeys(keys, wording)}).`),
  ];
}
