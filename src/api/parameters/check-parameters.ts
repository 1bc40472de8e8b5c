import type { z } from 'zod';
import { AppError, type BadRequestReason } from '../../model/error.ts';
import { shown } from './parameter.ts';
import type { ParameterNames } from './parameter-names.ts';

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
export interface WrongField {
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
