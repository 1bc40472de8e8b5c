import type { z } from 'zod';

/** More of a value does not help to recognise it. */
const LONGEST_SAMPLE = 60;

/** A value in its shape, or a few words on the first difference. */
export type ShapeRead<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'unlike'; readonly what: string };

/** Reads JSON in the shape it should have; what stands there instead is told with its path and a sample. */
export function readShape<Shape extends z.ZodType>(
  json: unknown,
  shape: Shape,
  /** Takes the secrets out of a text that came from outside. */
  hide: (text: string) => string,
): ShapeRead<z.output<Shape>> {
  const parsed = shape.safeParse(json);
  if (parsed.success) return { kind: 'read', value: parsed.data };
  const path = parsed.error.issues[0]?.path ?? [];
  const sample = hide(JSON.stringify(valueAt(json, path)) ?? 'nothing');
  const told = sample.length > LONGEST_SAMPLE ? `${sample.slice(0, LONGEST_SAMPLE)}…` : sample;
  return { kind: 'unlike', what: `${written(path)} is '${told}'` };
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    json,
  );
}

function written(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? 'the answer' : text.replace(/^\./, '');
}
