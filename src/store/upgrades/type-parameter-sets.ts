import type { DatabaseSync } from 'node:sqlite';
import { readParameters } from '../../api/parameters/saved-report.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';

/** A parameter set as it was stored: request parameters by name, as they were given. */
type UntypedSet = Omit<ParameterSet, 'report'> & {
  readonly parameters?: Readonly<Record<string, unknown>> | null;
};

/** Makes reports of the parameters that sets were stored as, those that a tracker brought along included. */
export function typeParameterSets(database: DatabaseSync): void {
  database.function('typed_set', (document) => {
    const { parameters, ...set }: UntypedSet = JSON.parse(String(document));
    return JSON.stringify(
      parameters === undefined ? set : { ...set, report: readParameters(parameters ?? {}) },
    );
  });
  database.exec(`
    UPDATE parameter_set SET document = typed_set(document);
    UPDATE directory_entry SET document = typed_set(document) WHERE kind = 'parameterSets';
  `);
}
