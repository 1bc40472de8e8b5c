import type { z } from 'zod';
import { AppError, type ErrorReason } from '../model/error.ts';
import { shown } from './parameter.ts';
import type { ParameterNames } from './parameter-names.ts';

/** Parameters by canonical name, as text. */
export type Given = ReadonlyMap<string, string>;

/** Checks parameters; each failure names the parameter, what is allowed, and the value unless it is a secret. */
export function checkParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: Given,
  secrets: ParameterNames['secrets'] = new Set(),
): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw wrongFields(
    parsed.error.issues.map((issue) => {
      const name = issue.path.map(String).join('.');
      const value = given.get(name);
      if (value === undefined) return { name, sentence: `${name} is required.` };
      const subject = secrets.has(name) ? name : `${name} '${shown(value)}'`;
      return { name, sentence: `${subject} ${issue.message}.` };
    }),
    parsed.error.issues.every(({ path }) => !given.has(path.map(String).join('.')))
      ? 'missing-value'
      : 'invalid-value',
  );
}

/** Every sentence, also by name; the body as a whole is called body. */
export function wrongFields(
  wrong: readonly { readonly name: string; readonly sentence: string }[],
  reason: ErrorReason,
): AppError {
  const named = Map.groupBy(wrong, ({ name }) => (name === '' ? 'body' : name));
  const fields = [...named].map(([name, own]) => [name, own.map(({ sentence }) => sentence).join(' ')]);
  return new AppError(
    reason,
    'Bad request',
    wrong.map(({ sentence }) => sentence),
    { fields: Object.fromEntries(fields) },
  );
}
