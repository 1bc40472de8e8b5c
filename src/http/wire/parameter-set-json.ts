import type { ParameterSet } from '../../model/parameter-set.ts';
import { parametersOf } from '../../parameters/saved-report.ts';
import { isoText } from '../../time/iso-dates.ts';

/** A parameter set in a list. */
export function parameterSetEntry({ id, name, ownerId, public: isPublic }: ParameterSet) {
  return { id, name, ownerId, public: isPublic };
}

/** A parameter set with its whole configuration. */
export function parameterSetJson(set: ParameterSet) {
  return {
    ...parameterSetEntry(set),
    parameters: parametersOf(set.report),
    createdAt: isoText(set.createdAt),
    updatedAt: isoText(set.updatedAt),
  };
}
