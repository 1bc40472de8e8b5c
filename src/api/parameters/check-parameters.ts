import { z } from 'zod';
import { AppError, type BadRequestReason } from '../../model/error.ts';
import { shown } from './parameter.ts';

/** The mark by which the description of the interface knows where to list the report types of a shape. */
export const shapeMark = 'x-report-shape';

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
  const namesOf = (isMeant: (property: (typeof described)[number]) => boolean) =>
    new Set(described.filter(isMeant).map(({ name }) => name));
  return {
    canonical: new Map(names.map((name) => [name.toLowerCase(), name])),
    lists: namesOf(({ type }) => type === 'array'),
    json: namesOf(({ contentMediaType }) => contentMediaType !== undefined),
    required: new Set(required),
    secrets: namesOf(({ format }) => format === 'password'),
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

/** Parameters by canonical name, as text. */
export type GivenParameters = ReadonlyMap<string, string>;

/** Checks parameters; each failure names the parameter, what is allowed, and the value unless it is a secret. */
export function checkParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: GivenParameters,
  secrets: ParameterNames['secrets'] = new Set(),
): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw wrongFields(
    parsed.error.issues.map((issue): WrongField => {
      const name = issue.path.map(String).join('.');
      const value = given.get(name);
      if (value === undefined) return { name, sentence: `${name} is required.`, reason: 'missing-value' };
      const subject = secrets.has(name) ? name : `${name} '${shown(value)}'`;
      return { name, sentence: `${subject} ${issue.message}.`, reason: 'invalid-value' };
    }),
  );
}

/** A problem of one parameter or member; the name of the body as a whole is empty. */
interface WrongField {
  readonly name: string;
  readonly sentence: string;
  readonly reason: BadRequestReason;
}

/** Every sentence, also by name; the body as a whole is called body. The reason is the one they share. */
export function wrongFields(wrong: readonly WrongField[]): AppError {
  const [reason = 'invalid-value', ...others] = new Set(wrong.map((one) => one.reason));
  const named = Map.groupBy(wrong, ({ name }) => (name === '' ? 'body' : name));
  const fields = [...named].map(([name, own]) => [name, own.map(({ sentence }) => sentence).join(' ')]);
  return new AppError(
    others.length === 0 ? reason : 'invalid-value',
    'Bad request',
    wrong.map(({ sentence }) => sentence),
    { fields: Object.fromEntries(fields) },
  );
}

/**
 * Checks a JSON value, such as the body of a request, with the sentences of parameters; `unknown` are members that are
 * refused beside those that closed objects of the schema refuse.
 */
export function checkJson<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  unknown: readonly string[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  const allowed = knownMembers(schema)?.join(', ') ?? '';
  const issues = parsed.error?.issues ?? [];
  throw wrongFields(
    [
      ...unknown.map((member): WrongField => {
        const name = member === '' ? "''" : shown(member);
        return { name, sentence: `${name} is not known. Try: ${allowed}.`, reason: 'unknown-parameter' };
      }),
      ...issues.flatMap((issue): WrongField | WrongField[] => {
        if (issue.code === 'unrecognized_keys') {
          return issue.keys.map((key) => {
            const name = nameOf([...issue.path, shown(key)]);
            return { name, sentence: `${name} ${issue.message}.`, reason: 'unknown-parameter' };
          });
        }
        const name = nameOf(issue.path);
        const isMissing = ['invalid_type', 'invalid_value'].includes(issue.code) && issue.input === undefined;
        const reason = isMissing ? 'missing-value' : 'invalid-value';
        return { name, sentence: sentenceOf(issue, name), reason };
      }),
    ].slice(0, MAX_SENTENCES),
  );
}

const MAX_SENTENCES = 20;

/** An object that has no other members: a misspelt one must not pass for one that was left out. */
export function closedObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const members = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `is not known. Try: ${members}` : undefined),
  });
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (path, step) =>
      typeof step === 'number' ? `${path}[${step}]` : `${path}${path === '' ? '' : '.'}${String(step)}`,
    '',
  );
}

function sentenceOf(issue: z.core.$ZodIssue, name: string): string {
  const subject = name === '' ? 'The body' : name;
  if (issue.code === 'invalid_type') {
    const what = nouns[issue.expected] ?? issue.expected;
    if (issue.input === undefined) return `${subject} is required. Try: ${what}.`;
    return `${subject} ${quoted(issue.input)} is of the wrong kind. Try: ${what}.`;
  }
  if (issue.code === 'invalid_value') {
    const wrong = issue.input === undefined ? 'is required' : `${quoted(issue.input)} is not known`;
    return `${subject} ${wrong}. Try: ${issue.values.map(String).join(', ')}.`;
  }
  return `${subject} ${quoted(issue.input)} ${issue.message}.`;
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function quoted(value: unknown): string {
  // JSON itself has no word for the number that 1e999 becomes.
  return `'${shown(typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value))}'`;
}

/** Members that a schema reads; null where it takes any, as for the parameters of a set. */
export function knownMembers(schema: z.ZodType | undefined): readonly string[] | null {
  if (schema instanceof z.ZodPipe) return knownMembers(schema.out as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : null;
}

/** Text as JSON; undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any sensible document, and shallow enough for everything that walks it. */
export const MAX_JSON_DEPTH = 32;

/** True if lists and objects of a JSON text are nested deeper than `MAX_JSON_DEPTH`, counted without following them. */
export function isTooDeep(text: string): boolean {
  let [depth, quoted] = [0, false];
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (quoted) {
      if (character === '\\') i += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}
