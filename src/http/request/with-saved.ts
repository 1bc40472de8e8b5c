import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { HttpParts } from '../route.ts';
import type { Given } from './collect-parameters.ts';
import type { ParameterNames } from './parameter-names.ts';
import { savedParameters, withoutForeign } from './saved-parameters.ts';

/** The parameters a request names, over those of the parameter set it names; without one they are as they were. */
export async function withSaved(
  given: Given,
  names: ParameterNames,
  principal: Principal,
  { settings, reporting }: Pick<HttpParts, 'settings' | 'reporting'>,
): Promise<Given> {
  const id = given.get('paramSetId');
  if (id === undefined) return given;
  const { parameters } = await settings.parameterSet(principal, id.trim()).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    const { reason, message, details } = error;
    throw new AppError(reason, message, details, { fields: { paramSetId: details.join(' ') || message } });
  });
  const saved = withoutForeign(savedParameters(parameters, names), given, names, reporting.reportTypes);
  return new Map([...saved, ...given]);
}
