import type { Instant } from '../../model/issue.ts';
import type { Provenance } from '../../model/table.ts';

/**
 * Several reports that tell of now must tell of one instant, and so have to be asked for it by name. What they answer
 * was asked for at that instant all the same, as long as nobody else named one (`asked` is null).
 */
export function speakOf(provenance: Provenance, asked: Instant | null): Provenance {
  return asked === null ? { ...provenance, askedAt: provenance.asOf } : provenance;
}
