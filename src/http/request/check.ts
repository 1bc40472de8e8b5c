import type { z } from 'zod';
import { type WrongField, wrongFields } from '../../parameters/check-parameters.ts';
import { shown } from '../../parameters/parameter.ts';
import { knownMembers } from './unknown-members.ts';

/** Checks a JSON body in the words of parameters; `unknown` are members of it that are refused as nobody knows them. */
export function checkBody<Schema extends z.ZodType>(
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
      ...issues.map((issue): WrongField => {
        const name = nameOf(issue);
        const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
        const reason = isMissing ? 'missing-value' : 'invalid-value';
        return { name, sentence: sentenceOf(issue, name), reason };
      }),
    ].slice(0, MOST_SENTENCES),
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
    if (issue.input === undefined) return `${subject} is required. Try: ${what}.`;
    return `${subject} ${quoted(issue.input)} is of the wrong kind. Try: ${what}.`;
  }
  if (issue.code === 'invalid_value') {
    return `${subject} ${quoted(issue.input)} is not known. Try: ${issue.values.map(String).join(', ')}.`;
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
