import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Choice } from '../choice-options.ts';

/** Parameter sets by name, with whose they are. */
export function savedChoices(sets: readonly ParameterSet[]): readonly Choice[] {
  return sets.map(({ id, name, public: isPublic }) => [isPublic ? `${name} (public)` : name, id]);
}
