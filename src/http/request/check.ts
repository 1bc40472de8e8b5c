import type { z } from 'zod';
import { AppError, type BadRequestReason } from '../../model/error.ts';
import type { Given } from './collect-parameters.ts';
import type { ParameterNames } from './parameter-names.ts';
import { shown } from './shown.ts';
import { knownMembers } from './unknown-members.ts';

/** Checks parameters; each failure names the parameter, what is allowed, and the value unless it is a secret. */
export function checkParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: Given,
  secrets: ParameterNames['secrets'] = new Set(),
): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw wrong(
    parsed.error.issues.map((issue): Told => {
      const name = issue.path.map(String).join('.');
      const value = given.get(name);
      if (value === undefined) return { name, sentence: `${name} is required.`, reason: 'missing-value' };
      const subject = secrets.has(name) ? name : `${name} '${shown(value)}'`;
      return { name, sentence: `${subject} ${issue.message}.`, reason: 'invalid-value' };
    }),
  );
}

/** Checks a JSON body in the same words; `unknown` are members of it that are refused as nobody knows them. */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  unknown: readonly string[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  const allowed = knownMembers(schema)?.join(', ') ?? '';
  const issues = parsed.error?.issues ?? [];
  throw wrong(
    [
      ...unknown.map((member): Told => {
        const name = member === '' ? "''" : shown(member);
        return { name, sentence: `${name} is not known; allowed: ${allowed}.`, reason: 'unknown-parameter' };
      }),
      ...issues.map((issue): Told => {
        const name = nameOf(issue);
        const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
        const reason = isMissing ? 'missing-value' : 'invalid-value';
        return { name, sentence: sentenceOf(issue, name), reason };
      }),
    ].slice(0, MOST_SENTENCES),
  );
}

/** What is wrong with one parameter or member; the name of the body as a whole is empty. */
interface Told {
  readonly name: string;
  readonly sentence: string;
  readonly reason: BadRequestReason;
}

/** Every sentence, also by name; the body as a whole is called body. The reason is the one they share. */
function wrong(told: readonly Told[]): AppError {
  const [reason = 'invalid-value', ...others] = new Set(told.map((one) => one.reason));
  const named = Map.groupBy(told, ({ name }) => (name === '' ? 'body' : name));
  const fields = [...named].map(([name, own]) => [name, own.map(({ sentence }) => sentence).join(' ')]);
  return new AppError(
    others.length === 0 ? reason : 'invalid-value',
    'Bad request',
    told.map(({ sentence }) => sentence),
    { fields: Object.fromEntries(fields) },
  );
}

const MOST_SENTENCES = 20;

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
    if (issue.input === undefined) return `${subject} is required; allowed: ${what}.`;
    return `${subject} ${quoted(issue.input)} is of the wrong kind; allowed: ${what}.`;
  }
  if (issue.code === 'invalid_value') {
    return `${subject} ${quoted(issue.input)} is not known; allowed: ${issue.values.map(String).join(', ')}.`;
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
