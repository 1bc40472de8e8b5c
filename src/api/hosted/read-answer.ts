import type { z } from 'zod';
import type { AppError } from '../../model/error.ts';
import { quoted } from '../local/settings/quoted.ts';
import type { Access } from './access.ts';
import { readJson } from './read-refusal.ts';
import { afterwards, type Circumstances, unavailable } from './why-refused.ts';

/** A successful answer in the shape it should have; what stands there instead is told, up to the first difference. */
export function readAnswer<Shape extends z.ZodType>(
  text: string,
  shape: Shape,
  access: Access,
  beside: Circumstances,
): z.output<Shape> {
  const json = readJson(text);
  if (json === undefined) {
    throw failure(`answered with something else than JSON; is ${access.addressSetting} right?`);
  }
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  const sample = quoted(access.hide(JSON.stringify(valueAt(json, path)) ?? 'nothing'));
  throw failure(`answered in an unknown shape: ${written(path)} is ${sample}.`);

  function failure(what: string): AppError {
    return unavailable(what + afterwards(beside, access), access);
  }
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
