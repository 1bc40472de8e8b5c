import type { z } from 'zod';
import { badRequest } from '../../model/error.ts';
import type { Given } from './collect-parameters.ts';
import { shown } from './shown.ts';

/** Checks parameters; each failure names the parameter, its value and what is allowed. */
export function checkParameters<Schema extends z.ZodObject>(schema: Schema, given: Given): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw badRequest(
    ...parsed.error.issues.map((issue) => {
      const name = issue.path.map(String).join('.');
      const value = given.get(name);
      return value === undefined ? `${name} is required.` : `${name} '${shown(value)}' ${issue.message}.`;
    }),
  );
}

/** Checks a JSON body in the same words. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw badRequest(...parsed.error.issues.slice(0, MOST_SENTENCES).map(sentence));
}

const MOST_SENTENCES = 20;

function sentence(issue: z.core.$ZodIssue): string {
  const name = issue.path.reduce<string>(
    (path, step) =>
      typeof step === 'number' ? `${path}[${step}]` : `${path}${path === '' ? '' : '.'}${String(step)}`,
    '',
  );
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
  return `'${shown(typeof value === 'string' ? value : JSON.stringify(value))}'`;
}
