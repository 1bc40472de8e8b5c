import type { Provenance } from '../../model/table.ts';
import { isDecided } from '../figures/answer-provenance.ts';

/** Where figures come from, complete where all histories are: what else nobody knows is said by itself. */
export function historiesOf(provenance: Provenance): Provenance {
  return { ...provenance, complete: provenance.cutHistories === 0 && isDecided(provenance) };
}
