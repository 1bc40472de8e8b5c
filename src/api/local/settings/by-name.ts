import { compareText } from '../../../issues/ids-and-names.ts';
import type { ParameterSet } from '../../../model/settings.ts';

/** Order of sets for people: by name without regard to case; sets of the same name by owner. */
export function byName(a: ParameterSet, b: ParameterSet): number {
  return compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.ownerId, b.ownerId);
}
