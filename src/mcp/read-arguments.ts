import { z } from 'zod';
import { checkParameters, tryParseJson, wrongFields } from '../api/parameters/check-parameters.ts';
import { shown } from '../api/parameters/parameter.ts';
import { AppError } from '../model/error.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Checks arguments by the parameters that REST takes: lists become comma lists, other values than text their JSON. Empty
 * text and null count as left out, and an unknown argument is refused: a misspelt one would change the figures.
 */
export function readArguments<Schema extends z.ZodObject>(
  schema: Schema,
  given: Arguments,
): z.output<Schema> {
  const names = Object.keys(schema.shape);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw wrongFields(
      unknown.map((name) => ({
        name: shown(name),
        sentence: `${shown(name)} is not known. Try: ${names.join(', ')}.`,
        reason: 'unknown-parameter',
      })),
    );
  }
  const members = Object.entries(schema.shape);
  const plain = members.filter(([, member]) => !(member instanceof z.ZodObject));
  const texts = plain.flatMap(([name]) => {
    const text = textOf(given[name]);
    return text.trim() === '' ? [] : [[name, text] as const];
  });
  const nested = members.flatMap(([name, member]) =>
    member instanceof z.ZodObject
      ? [[name, withinField(name, () => readArguments(member, objectIn(given[name])))] as const]
      : [],
  );
  const checked = checkParameters(z.object(Object.fromEntries(plain)), new Map(texts));
  // Each member is the output of the schema of its name.
  return { ...checked, ...Object.fromEntries(nested) } as z.output<Schema>;
}

/** Runs a function whose failures name the member that they are in. */
export function withinField<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason, message, parts, fields, data } = error;
    const named = Object.entries(fields).map(([field, said]) => [`${name}.${field}`, said]);
    const details = parts.map((part) =>
      typeof part === 'string' ? `In ${name}: ${part}` : { ...part, field: `${name}.${part.field}` },
    );
    throw new AppError(reason, message, details, { fields: Object.fromEntries(named), data });
  }
}

/** Some assistants send an object as its JSON. */
function objectIn(value: unknown): Arguments {
  const object = typeof value === 'string' ? tryParseJson(value) : value;
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? { ...object } : {};
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.map(textOf).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
