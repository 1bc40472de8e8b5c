import type { z } from 'zod';
import { type About, unavailable } from './why-not-answered.ts';

/** More of a value does not help to recognise it. */
const LONGEST_SAMPLE = 60;

/** An answer in the shape it should have; what stands there instead is told, up to the first difference. */
export function readShape<Shape extends z.ZodType>(
  json: unknown,
  shape: Shape,
  { asked, pass }: Pick<About, 'asked' | 'pass'>,
): z.output<Shape> {
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  const sample = pass.hide(JSON.stringify(valueAt(json, path)) ?? 'nothing');
  const quoted = sample.length > LONGEST_SAMPLE ? `${sample.slice(0, LONGEST_SAMPLE)}…` : sample;
  throw unavailable(`answered ${asked} in an unknown shape: ${written(path)} is '${quoted}'.`, pass);
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
