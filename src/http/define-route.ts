import type { Request, Response } from 'express';
import { z } from 'zod';
import { checkParameters, type GivenParameters } from '../api/parameters/check-parameters.ts';
import { shown } from '../api/parameters/parameter.ts';
import { parameterNames } from '../api/parameters/parameter-names.ts';
import { DEFAULT_CALENDAR } from '../api/parameters/report.ts';
import { urgently, withTaskContext } from '../concurrency/cooperative-yield.ts';
import { withAccepted } from './negotiate.ts';
import { collectParameters, ignoredNames } from './parameters/collect-parameters.ts';
import { withSaved } from './parameters/read-parameters.ts';
import { unusedNames } from './parameters/unused-parameters.ts';
import { checkBody, unknownMembers } from './read-body.ts';
import { receive } from './receive.ts';
import {
  type AnyRoute,
  type Content,
  goodStatus,
  type JsonRoute,
  jsonType,
  type Reply,
  type Route,
  type RouteFacts,
  type RouteParts,
} from './route.ts';

const noParameters = z.object({});

/** What may be left out of a route: it needs a token, and takes no parameters. */
type Sparse<Whole extends RouteFacts, Parameters> = Omit<Whole, 'guarded' | 'parameters'> & {
  readonly guarded?: boolean;
  readonly parameters?: Parameters;
};

/** Binds a route's parameters to its answer: what reaches `answer` has passed the schema, and its principal is known. */
export function defineRoute<Good extends Content, Parameters extends z.ZodObject = typeof noParameters>(
  sparse: Sparse<Route<Parameters, Good>, Parameters>,
): AnyRoute {
  const route = complete(sparse);
  const ask = asking(route);
  return {
    ...route,
    async serve(request, response, parts) {
      const { principal, parameters, ignored } = await ask(request, response, parts);
      if (route.takesLong) await parts.turnOf(principal);
      // Where nobody waits for a report any more, nobody works on it.
      const signal = route.section === 'Reports' ? parts.gone : null;
      const answer = () => withTaskContext({ signal }, () => sparse.answer(parameters, principal, parts));
      const reply = await (isSmall(route) ? urgently(answer) : answer());
      return nameIgnored(encode(reply, route), ignored, route.section === 'Reports');
    },
  };
}

/** The same for a route that takes a JSON body. */
export function defineJsonRoute<
  Body extends z.ZodType,
  Good extends Content,
  Parameters extends z.ZodObject = typeof noParameters,
>(sparse: Sparse<JsonRoute<Parameters, Body, Good>, Parameters>): AnyRoute {
  const route = complete(sparse);
  const ask = asking(route);
  return {
    ...route,
    async serve(request, response, parts) {
      const { principal, parameters, readJson, ignored } = await ask(request, response, parts);
      await sparse.permit?.(parameters, principal, parts);
      const body = await readJson();
      const unknown = unknownMembers(body, route);
      // A delegation is always kept as a whole: with a member misspelt it would be another one, in force at once.
      const refused = route.dialect === 'record' ? unknown : [];
      const checked = checkBody(sparse.body, body, refused);
      const answer = () => sparse.answer(parameters, principal, parts, checked);
      const reply = await (isSmall(route) ? urgently(answer) : answer());
      const ignoredMembers = route.dialect === 'record' ? [] : unknown.map(shown);
      return nameIgnored(encode(reply, route), [...ignored, ...ignoredMembers], false);
    },
  };
}

/** A good answer in JSON, and the failures beside those that every route of its kind can give. */
export function json<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  ...failures: readonly (403 | 404 | 429)[]
) {
  return { description, content: { [jsonType]: schema }, failures };
}

function complete<Parameters extends z.ZodObject, Facts extends object>(
  sparse: Facts & { readonly parameters?: Parameters },
) {
  return { guarded: true, ...sparse, parameters: sparse.parameters ?? (noParameters as never as Parameters) };
}

/** What strangers ask for is nothing to hurry for. */
function isSmall({ guarded, takesLong }: RouteFacts): boolean {
  return guarded && !takesLong;
}

function asking<Schema extends z.ZodObject>(route: RouteFacts & { readonly parameters: Schema }) {
  const { parameters: schema } = route;
  const names = parameterNames(schema);
  return async (request: Request, response: Response, parts: RouteParts) => {
    const { principal, pairs, readJson } = await receive(route, request, response, parts, names);
    const named = collectParameters(pairs, names);
    const saved = await withSaved(named, names, principal, parts);
    const given = withAccepted(route, request, response, saved.given);
    const inPath = Object.entries(request.params).map(([name, value]) => [name, String(value)] as const);
    const unused = unusedNames(named, given);
    const ignored = [...ignoredNames(pairs, names), ...saved.ignored.map(shown), ...unused];
    const calendar = 'calendar' in schema.shape ? await calendarNamed(given, parts) : [];
    const all = new Map([...given, ...calendar, ...inPath]);
    const parameters = checkParameters(schema, all, names.secrets);
    return { principal, readJson, ignored, parameters };
  };
}

/** The default calendar where it is meant; without any it is the contract's `normalHours`. */
async function calendarNamed(
  given: GivenParameters,
  { settings }: RouteParts,
): Promise<readonly (readonly [string, string])[]> {
  const isDefault = given.get('calendar')?.trim().toLowerCase() === DEFAULT_CALENDAR;
  return isDefault ? [['calendar', await settings.defaultCalendar()]] : [];
}

/** JSON as the schema of its status and type makes it; members that are not described are left behind. */
function encode(reply: Reply, { answers }: RouteFacts): Reply {
  if ('file' in reply || reply.body === undefined) return reply;
  const { status, type } = { status: goodStatus(answers), type: jsonType, ...reply };
  const schema = status === goodStatus(answers) ? answers.content[type] : answers.others?.[status]?.schema;
  return type.startsWith(jsonType) && schema !== undefined
    ? { ...reply, body: schema.parse(reply.body) }
    : reply;
}

/**
 * Parameters of other products are left alone, but not in silence: a misspelt one would change the figures. A header
 * names them, and a report in JSON as well.
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
