import { z } from 'zod';
import type { Instant } from '../model/issue.ts';
import { isoText } from '../time/date-text.ts';

/** The value a schema takes; nothing in it is changed. */
export type DeepReadonly<Input> = unknown extends Input
  ? Input
  : Input extends string | number | boolean | null | undefined
    ? Input
    : Input extends readonly (infer Item)[]
      ? readonly DeepReadonly<Item>[]
      : { readonly [Member in keyof Input]: DeepReadonly<Input[Member]> };

/** JSON that a function makes of something of ours, and a schema describes. */
export function mapped<From, Schema extends z.ZodType>(
  make: (from: From) => DeepReadonly<z.input<Schema>>,
  schema: Schema,
): z.ZodType<z.output<Schema>, From> {
  return z.pipe(z.transform(make as (from: From) => unknown), schema as z.ZodType) as never;
}

/** An instant, sent in ISO 8601 in UTC with milliseconds. */
export const isoInstant = mapped(
  (instant: Instant) => isoText(instant),
  z.string().meta({ format: 'date-time' }),
);

/** A list that may be long: any iterable, whose items are made, and pass their schema, while they are sent. */
export function streamed<Item extends z.ZodType>(
  item: Item,
): z.ZodType<Iterable<z.output<Item>>, Iterable<z.input<Item>>> {
  return new LazyArray({ type: 'array', element: item }) as never;
}

/** To JSON Schema it is an array like every other. */
const LazyArray = z.core.$constructor<z.ZodArray>('LazyArray', (inst, def) => {
  z.ZodArray.init(inst, def);
  inst._zod.parse = (payload) => {
    const items = payload.value as unknown as Iterable<unknown>;
    const sent: Iterable<unknown> = {
      *[Symbol.iterator]() {
        for (const one of items) yield passed(def.element, one);
      },
    };
    payload.value = sent as never;
    return payload;
  };
});

/** Encodes a value by a schema; without the preparations of `parse` for each call, for there may be half a million of them. */
function passed(schema: z.core.$ZodType, value: unknown): unknown {
  const result = schema._zod.run({ value, issues: [] }, synchronous);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  return result.issues.length === 0 ? result.value : z.parse(schema, value);
}

const synchronous = { async: false };
