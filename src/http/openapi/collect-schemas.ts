import { z } from 'zod';
import type { JsonSchema } from './describe-parameters.ts';

/** Turns schemas into JSON Schema; those with an id stand once, under `components`, and are referred to. */
export interface SchemaCollector {
  describe(schema: z.ZodType): JsonSchema;
  readonly collected: ReadonlyMap<string, JsonSchema>;
}

/** A collector for one description. */
export function collectSchemas(): SchemaCollector {
  const collected = new Map<string, JsonSchema>();
  return {
    collected,
    describe(schema) {
      const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
      const {
        $schema: _,
        $defs = {},
        id,
        ...own
      } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'));
      for (const [name, { id: _id, ...definition }] of Object.entries<JsonSchema>($defs)) {
        collected.set(name, definition);
      }
      if (typeof id !== 'string') return own;
      collected.set(id, own);
      return { $ref: `#/components/schemas/${id}` };
    },
  };
}
