import type { z } from 'zod';
import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { createYieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { formType, jsonType } from '../request/read-body.ts';
import { type AnyRoute, type Dialect, goodStatus, type Method, sections, takesBody } from '../route.ts';
import { lookUpFailureSchema, recordFailureSchema } from '../wire/delegation-failure-schema.ts';
import { failureSchema } from '../wire/failure-schema.ts';
import { collectSchemas, type SchemaCollector } from './collect-schemas.ts';
import { failureStatuses, failuresOf, failureText, failureTextAt } from './describe-failures.ts';
import { type DescribedParameter, describeParameters, type JsonSchema } from './describe-parameters.ts';
import { securityOf, securitySchemes } from './describe-security.ts';

/** What the description needs to know besides the routes. */
interface InterfaceFacts {
  readonly version: string;
  readonly reportTypes: readonly ReportTypeFacts[];
}

/** How failures are worded in each dialect: the name that responses begin with, and the schema. */
const wordings: Readonly<Record<Dialect, { readonly name: string; readonly schema: z.ZodType }>> = {
  reporting: { name: 'Failure', schema: failureSchema },
  'look-up': { name: 'LookUpFailure', schema: lookUpFailureSchema },
  record: { name: 'RecordFailure', schema: recordFailureSchema },
};

/** The interface as an OpenAPI 3.1 document, made in turns from the very schemas that check the requests. */
export async function describeInterface(
  routes: readonly AnyRoute[],
  { version, reportTypes }: InterfaceFacts,
) {
  const pace = createYieldIfDue();
  const schemas = collectSchemas();
  const paths: Record<string, Partial<Record<Method, JsonSchema>>> = {};
  for (const route of routes) {
    const rest = pace();
    if (rest !== null) await rest;
    const parameters = describeParameters(route.parameters, reportTypes);
    for (const path of route.paths) {
      const template = templateOf(path);
      const item = paths[template] ?? {};
      paths[template] = item;
      for (const method of route.methods) {
        item[method] = describeOperation(route, { path, method, parameters, schemas });
      }
    }
  }
  const responses = Object.fromEntries(
    [...new Set(routes.map(({ dialect = 'reporting' }) => dialect))].flatMap((dialect) =>
      describeFailures(dialect, schemas),
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dwell',
      version,
      description:
        'Time in status and delegations over REST. Names of parameters and their words are matched in any case; unknown parameters are ignored, and named in the answer (ignoredParameters, X-Ignored-Parameters), unknown members of delegations and categories are refused; parameters of POST can be in the query string, in a form or a JSON object, or in both. HEAD works wherever GET does.',
    },
    servers: [{ url: '/' }],
    tags: sections.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      responses,
      schemas: Object.fromEntries(schemas.collected),
    },
  };
}

function describeFailures(dialect: Dialect, schemas: SchemaCollector): [string, JsonSchema][] {
  const { name, schema } = wordings[dialect];
  const content = { [jsonType]: { schema: schemas.describe(schema) } };
  return failureStatuses.map((status) => [
    `${name}${status}`,
    {
      description: failureText(status, dialect),
      ...(status === 401
        ? { headers: { 'WWW-Authenticate': textHeader('The schemes that can be sent.') } }
        : {}),
      content,
    },
  ]);
}

interface Place {
  readonly path: string;
  readonly method: Method;
  readonly parameters: readonly DescribedParameter[];
  readonly schemas: SchemaCollector;
}

function describeOperation(route: AnyRoute, { path, method, parameters, schemas }: Place): JsonSchema {
  const [primary] = route.paths;
  const isInPath = ({ name }: DescribedParameter) => path.includes(`:${name}`);
  const isInAddress = ({ name }: DescribedParameter) => route.formOnly?.includes(name) !== true;
  return {
    operationId: operationId(method, path),
    tags: [route.section],
    summary: route.summary,
    ...(path === primary ? {} : { description: `The same as ${templateOf(primary)}.` }),
    security: securityOf(route),
    parameters: parameters.filter(isInAddress).map((parameter) => ({
      name: parameter.name,
      in: isInPath(parameter) ? 'path' : 'query',
      description: parameter.description,
      // A form may hold what the query string does not.
      required: isInPath(parameter) || (parameter.required && !takesBody(method)),
      ...(parameter.schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: parameter.schema,
    })),
    ...(takesBody(method)
      ? {
          requestBody: describeBody(
            route,
            parameters.filter((one) => !isInPath(one)),
            schemas,
          ),
        }
      : {}),
    responses: describeResponses(route, schemas),
  };
}

function describeBody(
  { body, guarded }: AnyRoute,
  parameters: readonly DescribedParameter[],
  schemas: SchemaCollector,
): JsonSchema {
  if (body !== undefined)
    return { required: true, content: { [jsonType]: { schema: schemas.describe(body) } } };
  const token = guarded
    ? { tisjwt: { type: 'string', description: 'The token, where no header holds it.' } }
    : {};
  const fields = parameters.map(
    ({ name, description, schema }) => [name, { ...schema, description }] as const,
  );
  const lists = parameters.filter(({ schema }) => schema.type === 'array');
  const members = fields.map(([name, schema]) => [name, inJson(schema)] as const);
  const json = { type: 'object', properties: { ...Object.fromEntries(members), ...token } };
  return {
    required: false,
    content: {
      [formType]: {
        schema: { type: 'object', properties: { ...Object.fromEntries(fields), ...token } },
        encoding: Object.fromEntries(lists.map(({ name }) => [name, { style: 'form', explode: false }])),
      },
      ...(guarded ? { [jsonType]: { schema: json } } : {}),
    },
  };
}

/** A parameter as a member of a JSON object: lists have numbers as well, and what is JSON need not be its text. */
function inJson({ contentMediaType, ...schema }: JsonSchema): JsonSchema {
  if (contentMediaType !== undefined) return { ...schema, type: ['array', 'string'] };
  return schema.type === 'array' ? { ...schema, items: { type: ['string', 'number'] } } : schema;
}

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });
const ignoredHeader = {
  'X-Ignored-Parameters': textHeader('Parameters that were ignored, percent-encoded, if there were any.'),
};
/** What a file has no place for between its lines. */
const fileHeaders = {
  'X-Complete': textHeader(
    'Of files made at once: whether every history is complete and no issue was left out.',
  ),
  'X-Undecided': textHeader(
    'Of files made at once: issues left out because it is unknown whether they match the query.',
  ),
  'X-Next-Page-Token': textHeader('Of CSV in pages by token: opens the next page; absent on the last one.'),
  'Content-Disposition': textHeader('Of exports: the name of the file.'),
};

function describeResponses(route: AnyRoute, schemas: SchemaCollector): JsonSchema {
  const { description, content, others = {} } = route.answers;
  const { name } = wordings[route.dialect ?? 'reporting'];
  const told = Object.entries(content).map(([type, schema]) => [type, { schema: schemas.describe(schema) }]);
  return {
    [goodStatus(route.answers)]: {
      description,
      headers: { ...ignoredHeader, ...('text/csv' in content ? fileHeaders : {}) },
      ...(told.length === 0 ? {} : { content: Object.fromEntries(told) }),
    },
    ...Object.fromEntries(
      failuresOf(route).map((status) => {
        const $ref = `#/components/responses/${name}${status}`;
        const told = failureTextAt(status, route);
        const isOwn = told !== failureText(status, route.dialect);
        return [status, { $ref, ...(isOwn ? { description: told } : {}) }];
      }),
    ),
    ...Object.fromEntries(
      Object.entries(others).map(([status, other]) => [
        status,
        {
          description: other.description,
          content: { [other.type ?? jsonType]: { schema: schemas.describe(other.schema) } },
        },
      ]),
    ),
  };
}

/** `/rest/calendars/:id` as OpenAPI spells it. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Such as `getRestIssuesV2`. */
function operationId(method: Method, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}
