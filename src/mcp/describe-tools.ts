import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { shapeMark } from '../api/parameters/check-parameters.ts';
import type { ReportTypeFacts } from '../api/reporting/reporting-api.ts';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import {
  answerShape,
  argumentsOnce,
  type Described,
  type JsonSchema,
  membersOf,
  membersOnce,
  shortened,
} from './short-schema.ts';
import type { Tool } from './tool.ts';

/**
 * The tools as assistants are shown them; others get their turn between two of them. Assistants pay for every character,
 * so what several tools have alike is described with the first of them.
 */
export async function describeTools(
  tools: readonly Tool[],
  reportTypes: readonly ReportTypeFacts[],
): Promise<ListToolsResult> {
  const described: ListToolsResult['tools'] = [];
  const inputs: Described = new Set();
  const outputs: Described = new Set();
  for (const { name, title, description, parameters, output } of tools) {
    await yieldToOthers();
    const input = withReportTypes(shortened(z.toJSONSchema(parameters, { io: 'input' })), reportTypes);
    const result = answerShape(shortened(z.toJSONSchema(output, { io: 'output' })));
    described.push({
      name,
      title,
      description,
      // An argument that no one knows is refused.
      inputSchema: { ...objectSchema(argumentsOnce(input, inputs)), additionalProperties: false },
      outputSchema: objectSchema(membersOnce(result, outputs)),
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
  }
  return { tools: described };
}

function objectSchema(schema: JsonSchema) {
  return { ...schema, type: 'object' as const, properties: membersOf(schema) };
}

/** The values of a report type are those that there are. */
function withReportTypes(schema: JsonSchema, reportTypes: readonly ReportTypeFacts[]): JsonSchema {
  const members = Object.entries(membersOf(schema)).map(([name, { [shapeMark]: shape, ...member }]) => {
    const ids = reportTypes.filter((type) => type.shape === shape).map(({ id }) => id);
    return [name, shape === undefined ? member : { ...member, enum: ids }];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}
