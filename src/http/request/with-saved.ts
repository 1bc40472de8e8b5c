import { safeParse, type z } from 'zod';
import type { Asker } from '../../model/request.ts';
import type { RouteParts } from '../route.ts';
import type { Given } from './collect-parameters.ts';
import type { ParameterNames } from './parameter-names.ts';
import { savedParameters, withoutForeign } from './saved-parameters.ts';

/** The parameters a request names, over those of the parameter set it names; without one they are as they were. */
export async function withSaved(
  given: Given,
  { schema, names }: { readonly schema: z.ZodObject; readonly names: ParameterNames },
  asker: Asker,
  { settings, reporting }: Pick<RouteParts, 'settings' | 'reporting'>,
): Promise<Given> {
  const id = given.get('paramSetId');
  if (id === undefined) return given;
  const { parameters } = await settings.parameterSet(asker, id.trim());
  const saved = savedParameters(parameters, names);
  return new Map([...withoutForeign(saved, isOwnOf(schema), reporting.reportTypes), ...given]);
}

/** Whether a value is one of the endpoint's own; one that must be told is taken as saved, and refused by its name. */
export function isOwnOf(schema: z.ZodObject): (name: string, value: string) => boolean {
  return (name, value) => {
    const field = schema.shape[name];
    return field === undefined || !isOptional(field) || accepts(field, value);
  };
}

function isOptional(field: z.core.$ZodType): boolean {
  return accepts(field, undefined);
}

function accepts(field: z.core.$ZodType, value: unknown): boolean {
  return safeParse(field, value).success;
}
