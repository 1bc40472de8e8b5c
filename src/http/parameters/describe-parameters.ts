import { z } from 'zod';
import { shapeMark } from '../../api/parameters/check-parameters.ts';
import type { ReportShape } from '../../api/parameters/columns.ts';

/** JSON Schema as it is in a description. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One parameter; a list is one by its schema's type. */
export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/**
 * A route's parameters in words. Those that only exist to be refused are left out; defaults and examples stand as
 * they are sent, whatever becomes of them afterwards.
 */
export function describeParameters(
  parameters: z.ZodObject,
  reportTypes: readonly ReportShape[],
): DescribedParameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (def.type === 'default' && 'defaultValue' in def) jsonSchema.default = sent(def.defaultValue);
      const examples = z.globalRegistry.get(zodSchema)?.examples;
      if (Array.isArray(examples)) jsonSchema.examples = examples;
    },
  });
  return Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property === 'boolean' || property.not !== undefined) return [];
    const { description = '', [shapeMark]: shape, ...schema } = property;
    const ids = reportTypes.filter((type) => type.shape === shape).map(({ id }) => id);
    // A parameter set may hold everything but the issue a report is about.
    const saved = required.includes(name) && 'paramSetId' in properties && name !== 'issueKey';
    return {
      name,
      description: saved ? `${description} Required unless the parameter set has it.` : description,
      required: required.includes(name) && !saved,
      schema: shape === undefined ? schema : { ...schema, enum: ids },
    };
  });
}

/** Lists and JSON without an entry are sent by leaving the parameter out. */
function sent(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
