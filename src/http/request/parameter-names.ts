import { z } from 'zod';

/** How a route's parameters are spelled, and which of them are lists. */
export interface ParameterNames {
  /** By the name in lower case. */
  readonly canonical: ReadonlyMap<string, string>;
  readonly lists: ReadonlySet<string>;
}

/** Reads both from the schema, as the description of the interface does. */
export function parameterNames(schema: z.ZodObject): ParameterNames {
  const names = Object.keys(schema.shape);
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
  const isList = (name: string) => {
    const property = properties[name];
    return typeof property === 'object' && property.type === 'array';
  };
  return {
    canonical: new Map(names.map((name) => [name.toLowerCase(), name])),
    lists: new Set(names.filter(isList)),
  };
}
