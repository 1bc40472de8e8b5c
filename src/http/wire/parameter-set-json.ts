import type { ParameterSet } from '../../model/settings.ts';
import { isoText } from '../../time/iso-dates.ts';

/** A parameter set in a list. */
export function parameterSetEntry({ id, name, ownerId, public: isPublic }: ParameterSet) {
  return { id, name, ownerId, public: isPublic };
}

/** A parameter set with its whole configuration. */
export function parameterSetJson(set: ParameterSet) {
  return {
    ...parameterSetEntry(set),
    parameters: set.parameters,
    createdAt: isoText(set.createdAt),
    updatedAt: isoText(set.updatedAt),
  };
}
