import { isDecided } from '../../api/answers/answer-provenance.ts';
import type { Provenance } from '../../model/table.ts';

/** Where figures come from, complete where all histories are: what else nobody knows is said by itself. */
export function historiesOf(provenance: Provenance): Provenance {
  return { ...provenance, complete: provenance.cutHistories === 0 && isDecided(provenance) };
}
