import type { Request, Response } from 'express';
import { z } from 'zod';
import {
  checkJson,
  checkParameters,
  type GivenParameters,
  parameterNames,
} from '../api/parameters/check-parameters.ts';
import { shown } from '../api/parameters/parameter.ts';
import { DEFAULT_CALENDAR } from '../api/parameters/report.ts';
import { urgently, withTaskContext } from '../concurrency/cooperative-yield.ts';
import { asActor } from '../concurrency/request-scope.ts';
import type { Principal } from '../model/request.ts';
import { collectParameters, ignoredNames, unusedNames, withSaved } from './read-parameters.ts';
import { receive, unreadMembers } from './receive.ts';
import {
  type AnyRoute,
  type ContentSchemas,
  csvMediaType,
  goodStatus,
  jsonLinesType,
  jsonType,
  ndjsonType,
  type Reply,
  type Route,
  type RouteFacts,
  type RouteParts,
  simplifiedType,
} from './route.ts';

const noParameters = z.object({});

/** A route without what has a default: it needs a token, and takes no parameters. */
type Sparse<Parameters extends z.ZodObject, Body extends z.ZodType, Good extends ContentSchemas> = Omit<
  Route<Parameters, Body, Good>,
  'guarded' | 'parameters'
> & { readonly guarded?: boolean; readonly parameters?: Parameters };

/**
 * Binds a route's parameters and its JSON body to its answer: both have passed their schemas when they reach `answer`, and
 * the principal is known.
 */
export function defineRoute<
  Good extends ContentSchemas,
  Parameters extends z.ZodObject = typeof noParameters,
  Body extends z.ZodType = z.ZodUndefined,
>(sparse: Sparse<Parameters, Body, Good>): AnyRoute {
  const schema = sparse.parameters ?? (noParameters as never as Parameters);
  const route = { guarded: true, ...sparse, parameters: schema };
  const read = requestReader(route);
  return {
    ...route,
    async serve(request, response, parts) {
      const { principal, parameters, readJson, ignored } = await read(request, response, parts);
      return asActor(actorOf(principal, parts), async () => {
        await sparse.permit?.(parameters, principal, parts);
        const json = sparse.body === undefined ? undefined : await readJson();
        const unknown = unreadMembers(json, route);
        // A delegation is always stored as a whole: with a member misspelt it would be another one, in force at once.
        const isStrict = route.dialect === 'record';
        const body = checkJson(sparse.body ?? z.undefined(), json, isStrict ? unknown : []) as z.output<Body>;
        if (route.takesLong) await parts.turnOf(principal);
        const isReport = route.section === 'Reports';
        // Work on a report stops when its client is gone.
        const signal = isReport ? parts.gone : null;
        const answer = () =>
          withTaskContext({ signal }, () => sparse.answer(parameters, principal, parts, body));
        const reply = await (route.guarded && !route.takesLong ? urgently(answer) : answer());
        const ignoredMembers = isStrict ? [] : unknown.map(shown);
        return nameIgnored(encode(reply, route), [...ignored, ...ignoredMembers], isReport);
      });
    },
  };
}

/** The one who sends a request, for the audit log: no account where the route takes no token. */
function actorOf(principal: Principal, { tokens }: RouteParts) {
  const { account } = principal;
  return {
    ...(account === '' ? { account: null, tokenId: null } : { account, tokenId: tokens.provenBy(principal) }),
    via: 'rest',
  } as const;
}

/** A good answer in JSON, and the failures beside those that every route of its kind can give. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  ...failures: readonly (403 | 404 | 409 | 429)[]
) {
  return { description, content: { [jsonType]: schema }, failures };
}

function requestReader<Schema extends z.ZodObject>(route: RouteFacts & { readonly parameters: Schema }) {
  const { parameters: schema } = route;
  const names = parameterNames(schema);
  return async (request: Request, response: Response, parts: RouteParts) => {
    const { principal, pairs, readJson } = await receive(route, request, response, parts, names);
    const named = collectParameters(pairs, names);
    const saved = await withSaved(named, names, principal, parts);
    const given = withAccepted(route, request, response, saved.given);
    const inPath = Object.entries(request.params).map(([name, value]) => [name, String(value)] as const);
    const unused = unusedNames(named, given, () => parts.reporting.reportTypes);
    const ignored = [...ignoredNames(pairs, names), ...saved.ignored.map(shown), ...unused];
    const calendar = 'calendar' in schema.shape ? await calendarNamed(given, parts) : [];
    const all = new Map([...given, ...calendar, ...inPath]);
    const parameters = checkParameters(schema, all, names.secrets);
    return { principal, readJson, ignored, parameters };
  };
}

/** The outputType of each media type in which a report is answered. */
const outputTypes: ReadonlyMap<string, string> = new Map([
  [jsonType, 'json'],
  [simplifiedType, 'jsonSimplified'],
  [csvMediaType, 'csv'],
  [jsonLinesType, 'jsonl'],
  [ndjsonType, 'ndjson'],
]);

/** Parameters of a media type in Accept that no type of an answer has, such as `charset=utf-8`. */
const foreignParameters = /;(?!\s*(?:q|profile)\s*=)[^;,]*/gi;

/**
 * The parameters with the outputType that Accept prefers. An outputType in the request takes precedence, and an Accept
 * without a type of the answer is ignored: clients send what their library sends.
 */
function withAccepted(
  { parameters: { shape }, answers }: RouteFacts,
  request: Request,
  response: Response,
  given: GivenParameters,
): GivenParameters {
  const isOptional = shape.outputType?.safeParse(undefined).success === true;
  const isOffered = csvMediaType in answers.content || jsonLinesType in answers.content;
  if (!isOptional || !isOffered) return given;
  response.vary('Accept');
  const { accept } = request.headers;
  if (given.has('outputType') || accept === undefined) return given;
  request.headers.accept = accept.replaceAll(foreignParameters, '');
  const offered = Object.keys(answers.content).filter((type) => outputTypes.has(type));
  const wanted = outputTypes.get(request.accepts(offered) || '');
  return wanted === undefined ? given : new Map([...given, ['outputType', wanted]]);
}

/** The default calendar where the request names it by that word; without any it is the contract's `normalHours`. */
async function calendarNamed(
  given: GivenParameters,
  { settings }: RouteParts,
): Promise<readonly (readonly [string, string])[]> {
  const isDefault = given.get('calendar')?.trim().toLowerCase() === DEFAULT_CALENDAR;
  return isDefault ? [['calendar', await settings.defaultCalendar()]] : [];
}

/** JSON as the schema of its status and type encodes it, without members that are not described. */
function encode(reply: Reply, { answers }: RouteFacts): Reply {
  if ('file' in reply || reply.body === undefined) return reply;
  const { status, type } = { status: goodStatus(answers), type: jsonType, ...reply };
  const schema = status === goodStatus(answers) ? answers.content[type] : answers.others?.[status]?.schema;
  return type.startsWith(jsonType) && schema !== undefined
    ? { ...reply, body: schema.parse(reply.body) }
    : reply;
}

/**
 * The reply with the parameters that were ignored, in a header and, in a report in JSON, in the body: a misspelt one
 * would change the figures unnoticed.
 */
function nameIgnored(reply: Reply, ignored: readonly string[], isReport: boolean): Reply {
  if (ignored.length === 0) return reply;
  // Clients take headers of 16 KiB in all.
  const named = ignored.map(encodeURIComponent).join(', ').slice(0, 1000);
  const headers = { ...reply.headers, 'X-Ignored-Parameters': named };
  if ('file' in reply) return { ...reply, headers };
  const { body } = reply;
  const isNamed = isReport && typeof body === 'object' && body !== null && !(Symbol.iterator in body);
  return { ...reply, headers, body: isNamed ? { ...body, ignoredParameters: ignored } : body };
}
