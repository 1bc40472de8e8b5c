import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { briefMark } from '../api/answers/document.ts';
import { shapeMark } from '../api/parameters/check-parameters.ts';
import type { ReportTypeFacts } from '../api/reporting/reporting-api.ts';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
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

type JsonSchema = z.core.JSONSchema.JSONSchema;

type Members = Readonly<Record<string, JsonSchema>>;

/**
 * Leaves out what says nothing: the dialect, a default of null, bounds of every whole number, patterns behind a format, closed
 * objects, that names are texts, and how long a list is whose items are named one by one.
 */
function shortened({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  const { [briefMark]: brief, ...made } = mapped(schema, shortened);
  if (typeof brief === 'string' && brief !== '') made.description = brief;
  if (brief === '') delete made.description;
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
  if (made.format !== undefined) delete made.pattern;
  if (made.additionalProperties === false) delete made.additionalProperties;
  if (made.default === null) delete made.default;
  delete made.propertyNames;
  if (made.prefixItems !== undefined)
    for (const name of ['items', 'minItems', 'maxItems'] as const) delete made[name];
  const { anyOf = [], ...others } = made;
  const [one, none] = anyOf;
  const isNullable = anyOf.length === 2 && typeof none === 'object' && none.type === 'null';
  if (!isNullable || typeof one !== 'object' || typeof one.type !== 'string') return made;
  const { enum: words } = one;
  return {
    ...one,
    ...others,
    type: [one.type, 'null'],
    ...(words === undefined ? {} : { enum: [...words, null] }),
  };
}

/** The schemas that were described, by name and schema. */
type Described = Set<string>;

/** Schemas that are together at most this long (characters) are sent again. */
const SHORT = 45;
/** More names than these are the first and the last. */
const MAX_NAMES = 6;
/** More words than these are sent once. */
const MAX_WORDS = 2;

/** The arguments of a tool, with those described before as types alone. */
function argumentsOnce(schema: JsonSchema, before: Described): JsonSchema {
  let isAnyKnown = false;
  const members = Object.entries(membersOf(schema)).map(([name, one]) => {
    if (!isDescribed(name, one, before) || isShort([one]))
      return [name, one.properties === undefined ? one : argumentsOnce(one, before)];
    isAnyKnown = true;
    return [name, bare(one)];
  });
  return {
    ...(isAnyKnown ? { description: 'What has no description here: as in a tool before.' } : {}),
    ...schema,
    properties: Object.fromEntries(members),
  };
}

/** The members of an answer; those described before are named. */
function membersOnce(schema: JsonSchema, before: Described): JsonSchema {
  const { items, $defs, description } = schema;
  const own = Object.entries(membersOf(schema));
  const described = own.filter(([name, one]) => isDescribed(name, one, before));
  const known = isShort(described.map(([, one]) => one)) ? [] : described.map(([name]) => name);
  const members = own.flatMap(([name, one]) =>
    known.includes(name) ? [] : [[name, membersOnce(one, before)]],
  );
  const shapes = Object.entries(membersOf({ properties: $defs ?? {} })).map(([name, one]) => [
    name,
    isDescribed(name, one, before) && !isShort([one]) ? bare(one) : membersOnce(one, before),
  ]);
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(known.length === 0 ? [] : [`As before: ${runOf(known)}.`]),
  ];
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(isSchema(items) ? { items: membersOnce(items, before) } : {}),
    ...($defs === undefined ? {} : { $defs: Object.fromEntries(shapes) }),
    ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
  };
}

/** Names of members in their order: of many the first and the last, as in the tool that describes them. */
function runOf(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(', ');
  return `${names[0]} … ${names.at(-1)} (${names.length})`;
}

function isDescribed(name: string, schema: JsonSchema, before: Described): boolean {
  const text = JSON.stringify([name, schema]);
  const isBefore = before.has(text);
  before.add(text);
  return isBefore;
}

function isShort(schemas: readonly JsonSchema[]): boolean {
  return schemas.reduce((length, one) => length + JSON.stringify(one).length, 0) <= SHORT;
}

/** The types a schema allows, as far as clients insist on them: some take no list without a word on its items. */
function bare({ type, enum: words = [], items }: JsonSchema): JsonSchema {
  return {
    ...(type === undefined ? {} : { type }),
    ...(words.length === 0 || words.length > MAX_WORDS ? {} : { enum: words }),
    ...(isSchema(items) ? { items: bare(items) } : {}),
  };
}

/**
 * The schema of an answer without what says little: which members are always there, as all are that say nothing else, and
 * that each instant is in ISO 8601.
 */
function answerShape({
  required: _,
  examples: _examples,
  format: _format,
  ...schema
}: JsonSchema): JsonSchema {
  return mapped(schema, answerShape);
}

function membersOf({ properties = {} }: JsonSchema): Members {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, one]) => (isSchema(one) ? [[name, one]] : [])),
  );
}

/** A schema with each schema within it replaced by the result of a function. */
function mapped(schema: JsonSchema, make: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { items, prefixItems, additionalProperties, anyOf, properties, $defs } = schema;
  const all = (named: Members) =>
    Object.fromEntries(Object.entries(named).map(([name, one]) => [name, make(one)]));
  return {
    ...schema,
    ...(isSchema(items) ? { items: make(items) } : {}),
    ...(prefixItems === undefined
      ? {}
      : { prefixItems: prefixItems.map((one) => (isSchema(one) ? make(one) : one)) }),
    ...(isSchema(additionalProperties) ? { additionalProperties: make(additionalProperties) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => (isSchema(one) ? make(one) : one)) }),
    ...(properties === undefined ? {} : { properties: all(membersOf(schema)) }),
    ...($defs === undefined ? {} : { $defs: all(membersOf({ properties: $defs })) }),
  };
}

function isSchema(part: JsonSchema['items']): part is JsonSchema {
  return typeof part === 'object' && !Array.isArray(part);
}
