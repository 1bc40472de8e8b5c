import { z } from 'zod';
import { shapeMark } from './columns-by.ts';

/** The spelling of a route's parameters, and the facts that reading them depends on. */
export interface ParameterNames {
  /** By the name in lower case. */
  readonly canonical: ReadonlyMap<string, string>;
  readonly lists: ReadonlySet<string>;
  /** The parameters whose text is JSON. */
  readonly json: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** The parameters whose values are never repeated: `format: password` of OpenAPI. */
  readonly secrets: ReadonlySet<string>;
  /** The words allowed, in lower case, of those that have a choice of them. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
  /** The shape of the report types it takes; undefined where it takes none. */
  readonly reportShape: unknown;
}

/** Reads all that from the schema, as the description of the interface does. */
export function parameterNames(schema: z.ZodObject): ParameterNames {
  const names = Object.keys(schema.shape);
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const { columnsBy } = properties;
  const described = names.flatMap((name) => {
    const property = properties[name];
    return typeof property === 'object' ? [{ name, ...property }] : [];
  });
  return {
    canonical: new Map(names.map((name) => [name.toLowerCase(), name])),
    lists: new Set(described.filter(({ type }) => type === 'array').map(({ name }) => name)),
    json: new Set(
      described.filter(({ contentMediaType }) => contentMediaType !== undefined).map(({ name }) => name),
    ),
    required: new Set(required),
    secrets: new Set(described.filter(({ format }) => format === 'password').map(({ name }) => name)),
    words: new Map(
      described.flatMap(({ name, enum: words }) =>
        words === undefined ? [] : [[name, new Set(words.map((word) => String(word).toLowerCase()))]],
      ),
    ),
    reportShape: typeof columnsBy === 'object' ? columnsBy[shapeMark] : undefined,
  };
}

/** True if a value is empty; an empty list can also be written `[]`. */
export function isEmpty(
  value: string,
  name: string,
  { lists, json }: Pick<ParameterNames, 'lists' | 'json'>,
): boolean {
  const text = value.trim();
  return text === '' || ((lists.has(name) || json.has(name)) && /^\[\s*\]$/.test(text));
}
