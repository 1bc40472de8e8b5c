import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from 'zod-openapi';
import { briefMark } from '../api/answers/document.ts';
import { shapeMark } from '../api/parameters/check-parameters.ts';
import { columnParameters, type ReportShape } from '../api/parameters/columns.ts';
import { windowParameters } from '../api/parameters/dates.ts';
import { selectionParameters } from '../api/parameters/selection.ts';
import type { ReportTypeFacts } from '../api/reporting/reporting-api.ts';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import {
  describeFailures,
  failureReferences,
  isLimitedRoute,
  limitHeaders,
  namedLimits,
  textHeader,
} from './described-failures.ts';
import { formType } from './receive.ts';
import {
  type AnyRoute,
  goodStatus,
  type HttpParts,
  jsonType,
  type Method,
  type RouteFacts,
  sections,
  takesBody,
} from './route.ts';

const guide = readFileSync(new URL('guide.md', import.meta.url), 'utf8');

/** A path that is answered but not described: to OpenAPI it is the same as the download of an export called status. */
const ambiguousAlias = '/rest/export/status/:exportId';

/**
 * The interface as an OpenAPI 3.1 document, written by zod-openapi from the schemas that requests and answers pass. It
 * yields to other requests in between.
 */
export async function describeInterface(
  routes: readonly AnyRoute[],
  { version, baseUrl }: Pick<HttpParts, 'version' | 'baseUrl'>,
  reportTypes: readonly ReportTypeFacts[],
) {
  const paths: Record<string, Partial<Record<Method, ZodOpenApiOperationObject>>> = {};
  for (const route of routes) {
    await yieldToOthers();
    const parameters = describeParameters(route.parameters, reportTypes);
    for (const path of route.paths.filter((one) => one !== ambiguousAlias)) {
      const template = templateOf(path);
      const item = paths[template] ?? {};
      paths[template] = item;
      for (const method of route.methods) {
        item[method] = describeOperation(route, { path, method, parameters, baseUrl });
      }
    }
  }
  await yieldToOthers();
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Dwell',
        version,
        summary: 'Time in status and delegations over REST',
        description: guide.replaceAll('BASE_URL', baseUrl),
        contact: { name: 'The admin of this Dwell', url: `${baseUrl}/docs` },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl, description: 'This Dwell' }],
      tags: Object.entries(sections).map(([name, description]) => ({ name, description })),
      paths: paths as ZodOpenApiObject['paths'] & object,
      components: {
        securitySchemes,
        headers: limitHeaders,
        responses: describeFailures(routes),
      },
    },
    { override: forClients, outputIdSuffix: 'Answer' },
  );
  await yieldToOthers();
  return open(document);
}

/**
 * The document without the descriptions for assistants, and without additionalProperties: false. Answers can get more
 * members, and beside a reference it would refuse every one; zod adds it after the override.
 */
function open(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(open);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, one]) =>
      (name === 'additionalProperties' && one === false) || name === briefMark ? [] : [[name, open(one)]],
    ),
  );
}

/** Moves a default into the description: generators of clients take a member with a default for required. */
const forClients: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  if (io !== 'input' || jsonSchema.default === undefined) return;
  jsonSchema.description = String(withoutDefault(jsonSchema).description);
  delete jsonSchema.default;
};

function withoutDefault({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  const { description = '' } = schema;
  return { ...schema, description: `${description} Default: ${JSON.stringify(value)}.`.trim() };
}

interface Place {
  readonly path: string;
  readonly method: Method;
  readonly parameters: readonly DescribedParameter[];
  readonly baseUrl: string;
}

function describeOperation(route: AnyRoute, place: Place): ZodOpenApiOperationObject {
  const { path, method, parameters } = place;
  const [primary] = route.paths;
  const isInPath = ({ name }: DescribedParameter) => path.includes(`:${name}`);
  const isInAddress = ({ name }: DescribedParameter) => route.formOnly?.includes(name) !== true;
  const isAlias = path !== primary;
  const id = operationId(route, method);
  return {
    operationId: isAlias ? `${id}At${wordsOf(path)}` : id,
    tags: [route.section],
    summary: route.summary,
    description: isAlias
      ? `The same as ${templateOf(primary)}, for existing clients.`
      : `${route.summary}.\n\nReturns: ${route.answers.description}`,
    ...(isAlias ? { deprecated: true, 'x-alias-of': id } : {}),
    ...(method === route.methods[0] ? {} : { 'x-form-of': route.id }),
    security: !route.guarded ? [] : route.dialect === undefined ? reporting : delegation,
    parameters: parameters.filter(isInAddress).map((parameter) => ({
      name: parameter.name,
      in: isInPath(parameter) ? 'path' : 'query',
      description: parameter.description,
      // A form may hold what the query string does not.
      required: isInPath(parameter) || (parameter.required && !takesBody(method)),
      ...(parameter.schema.type === 'array' ? { style: 'form', explode: false } : {}),
      'x-group': groupOf(parameter.name),
      schema: parameter.schema,
    })),
    ...(takesBody(method)
      ? {
          requestBody: describeBody(
            route,
            parameters.filter((one) => !isInPath(one)),
          ),
        }
      : {}),
    responses: describeResponses(route),
    ...(isAlias
      ? {}
      : { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlSample(route, place) }] }),
  } as ZodOpenApiOperationObject;
}

/** The operationId of a method at the path of the contract, such as `listIssues` or, of POST beside GET, `listIssuesByForm`. */
function operationId({ id, methods }: RouteFacts, method: Method): string {
  return method === methods[0] ? id : `${id}ByForm`;
}

/** A name such as `TisReport10ApiList`. */
function wordsOf(path: string): string {
  return path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && word !== 'rest')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** `/rest/calendars/:id` as OpenAPI spells it. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Parameters in groups that are read together; the names of a group, in their order. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Which issues': ['issueKey', ...Object.keys(selectionParameters)],
  'What is measured': [
    'columnsBy',
    'aggregationType',
    'percentile',
    ...Object.keys(columnParameters),
    'historyFields',
  ],
  'Which time counts': ['calendar', 'week', 'timeZone', ...Object.keys(windowParameters)],
};

function groupOf(name: string): string {
  return Object.keys(groups).find((group) => groups[group]?.includes(name)) ?? 'The answer';
}

/** A request that works on the sample data, as far as ids can be known. */
function curlSample(route: AnyRoute, { path, method, parameters, baseUrl }: Place): string {
  const values = parameters.flatMap(({ name, schema, required }) => {
    const [example] = Array.isArray(schema.examples) ? schema.examples : [];
    return example !== undefined && (required || usual.has(name)) ? [[name, String(example)] as const] : [];
  });
  const own = new Map(values);
  const target = path.replaceAll(/:(\w+)/g, (_, name: string) => own.get(name) ?? '1');
  const sent = route.body === undefined ? values.filter(([name]) => !path.includes(`:${name}`)) : [];
  const [example] = route.body === undefined ? [] : (z.globalRegistry.get(route.body)?.examples ?? []);
  const isFile = Object.keys(route.answers.content).some((type) => type.includes('excel'));
  const sends = sent.length > 0 || example !== undefined;
  const isImplied = method === 'get' || (method === 'post' && sends);
  const options = [
    ...(isImplied ? [] : [`-X ${method.toUpperCase()}`]),
    ...(method === 'get' && sent.length > 0 ? ['-G'] : []),
    ...(isFile ? ['-OJ'] : []),
  ];
  const lines = [
    ['curl -s', ...options, `${baseUrl}${target}`].join(' '),
    ...(route.guarded ? ['-H "Authorization: TISJWT $TOKEN"'] : []),
    ...sent.map(([name, value]) => `-d ${quoted(`${name}=${value}`)}`),
    ...(example === undefined
      ? []
      : [`-H 'Content-Type: ${jsonType}'`, `-d ${quoted(JSON.stringify(example))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Parameters that a sample has beside those required. */
const usual = new Set(['columnsBy', 'filterType', 'projectKey', 'aggregationType']);

function quoted(text: string): string {
  return /^[\w=.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function describeBody({ body, guarded }: AnyRoute, parameters: readonly DescribedParameter[]) {
  if (body !== undefined) return { required: true, content: { [jsonType]: { schema: body } } };
  const token = guarded
    ? { tisjwt: { type: 'string', description: 'The token, if it is not in a header.' } }
    : {};
  const fields = parameters.map(
    ({ name, description, schema }) => [name, withoutDefault({ ...schema, description })] as const,
  );
  const lists = parameters.filter(({ schema }) => schema.type === 'array');
  const members = fields.map(([name, schema]) => [name, inJson(schema)] as const);
  return {
    required: false,
    content: {
      [formType]: {
        schema: { type: 'object', properties: { ...Object.fromEntries(fields), ...token } },
        encoding: Object.fromEntries(lists.map(({ name }) => [name, { style: 'form', explode: false }])),
      },
      ...(guarded
        ? {
            [jsonType]: {
              schema: { type: 'object', properties: { ...Object.fromEntries(members), ...token } },
            },
          }
        : {}),
    },
  };
}

/** A parameter as a member of a JSON object: lists have numbers as well, and what is JSON need not be its text. */
function inJson({ contentMediaType, ...schema }: JsonSchema): JsonSchema {
  if (contentMediaType !== undefined) return { ...schema, type: ['array', 'string'], items: {} };
  return schema.type === 'array' ? { ...schema, items: { type: ['string', 'number'] } } : schema;
}

const ignoredHeader = {
  'X-Ignored-Parameters': textHeader('Ignored parameters, percent-encoded; absent if there are none.'),
};
/** Facts about a file that its lines have no place for. */
const fileHeaders = {
  'X-Complete': textHeader(
    'Of files made at once: whether every history is complete and no issue was left out.',
  ),
  'X-Undecided': textHeader(
    'Of files made at once: issues left out because it is unknown whether they match the query.',
  ),
  'X-Next-Page-Token': textHeader(
    'With CSV in pages by token: the token of the next page; absent on the last page.',
  ),
  'X-Notes': textHeader('What is unknown about the answer; absent if nothing is.'),
  'Content-Disposition': textHeader('With exports: the name of the file.'),
};

function describeResponses(route: AnyRoute) {
  const { description, content, others = {} } = route.answers;
  const contents = Object.entries(content).map(([type, schema]) => [type, { schema }]);
  return {
    [goodStatus(route.answers)]: {
      description,
      headers: {
        ...ignoredHeader,
        ...(isLimitedRoute(route) ? namedLimits : {}),
        ...('text/csv' in content ? fileHeaders : {}),
      },
      ...(contents.length === 0 ? {} : { content: Object.fromEntries(contents) }),
    },
    ...failureReferences(route),
    ...Object.fromEntries(
      Object.entries(others).map(([status, other]) => [
        status,
        { description: other.description, content: { [other.type ?? jsonType]: { schema: other.schema } } },
      ]),
    ),
  };
}

const securitySchemes = {
  bearer: { type: 'http' as const, scheme: 'bearer', description: 'The token.' },
  header: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'Authorization',
    description: 'TISJWT, a blank, and the token.',
  },
  query: {
    type: 'apiKey' as const,
    in: 'query' as const,
    name: 'tisjwt',
    description: 'The token; in a form it may also be the field tisjwt. The header is preferred.',
  },
  basic: {
    type: 'http' as const,
    scheme: 'basic',
    description: 'User name, with a token as the password.',
  },
};

const reporting = [{ header: [] }, { query: [] }, { bearer: [] }, { basic: [] }];
const delegation = [{ basic: [] }, { bearer: [] }, { header: [] }];

type JsonSchema = Readonly<Record<string, unknown>>;

/** One parameter; a list is one by its schema's type. */
interface DescribedParameter {
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
