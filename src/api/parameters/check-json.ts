import { z } from 'zod';
import { type WrongField, wrongFields } from './check-parameters.ts';
import { shown } from './parameter.ts';

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
        const name = nameOf(issue);
        if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => notKnown(name, key, issue));
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

function notKnown(path: string, key: string, { message }: z.core.$ZodIssue): WrongField {
  const name = `${path}${path === '' ? '' : '.'}${shown(key)}`;
  return { name, sentence: `${name} ${message}.`, reason: 'unknown-parameter' };
}

function nameOf(issue: z.core.$ZodIssue): string {
  return issue.path.reduce<string>(
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
