import type { Request, Response } from 'express';
import type { z } from 'zod';
import { urgently, withTaskContext } from '../concurrency/cooperative-yield.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { shown } from '../parameters/parameter.ts';
import { parameterNames } from '../parameters/parameter-names.ts';
import { checkBody } from './request/check.ts';
import { collectParameters, ignoredNames } from './request/collect-parameters.ts';
import { receive } from './request/receive.ts';
import { unknownMembers } from './request/unknown-members.ts';
import { withSaved } from './request/with-saved.ts';
import type { AnyRoute, JsonRoute, Reply, Route, RouteFacts, RouteParts } from './route.ts';

/** Binds a route's parameters to its answer: what reaches `answer` has passed the schema, and its principal is known. */
export function defineRoute<Parameters extends z.ZodObject>(route: Route<Parameters>): AnyRoute {
  const ask = asking(route, route.parameters);
  return {
    ...route,
    async serve(request, response, parts) {
      const { principal, parameters, ignored } = await ask(request, response, parts);
      if (route.takesLong) await parts.turnOf(principal);
      // Where nobody waits for a report any more, nobody works on it.
      const signal = route.section === 'Reports' ? parts.gone : null;
      const answer = () => withTaskContext({ signal }, () => route.answer(parameters, principal, parts));
      const reply = await (isSmall(route) ? urgently(answer) : answer());
      return tellIgnored(reply, ignored, route.section === 'Reports');
    },
  };
}

/** The same for a route that takes a JSON body. */
export function defineJsonRoute<Parameters extends z.ZodObject, Body extends z.ZodType>(
  route: JsonRoute<Parameters, Body>,
): AnyRoute {
  const ask = asking(route, route.parameters);
  return {
    ...route,
    async serve(request, response, parts) {
      const { principal, parameters, readJson, ignored } = await ask(request, response, parts);
      await route.permit?.(parameters, principal, parts);
      const body = await readJson();
      const unknown = unknownMembers(body, route);
      // A delegation is always kept as a whole: with a member misspelt it would be another one, in force at once.
      const refused = route.dialect === 'record' ? unknown : [];
      const checked = checkBody(route.body, body, refused);
      const answer = () => route.answer(parameters, principal, parts, checked);
      const reply = await (isSmall(route) ? urgently(answer) : answer());
      const ignoredMembers = route.dialect === 'record' ? [] : unknown.map(shown);
      return tellIgnored(reply, [...ignored, ...ignoredMembers], false);
    },
  };
}

/** What strangers ask for is nothing to hurry for. */
function isSmall({ guarded, takesLong }: RouteFacts): boolean {
  return guarded && !takesLong;
}

function asking<Schema extends z.ZodObject>(route: RouteFacts, schema: Schema) {
  const names = parameterNames(schema);
  return async (request: Request, response: Response, parts: RouteParts) => {
    const { principal, pairs, readJson } = await receive(route, request, response, parts, names);
    const saved = await withSaved(collectParameters(pairs, names), names, principal, parts);
    const inPath = Object.entries(request.params).map(([name, value]) => [name, String(value)] as const);
    const ignored = [...ignoredNames(pairs, names), ...saved.ignored.map(shown)];
    const parameters = checkParameters(schema, new Map([...saved.given, ...inPath]), names.secrets);
    return { principal, readJson, ignored, parameters };
  };
}

/**
 * Parameters of other products are left alone, but not in silence: a misspelt one would change the figures. A header
 * tells of them, and a report in JSON as well.
 */
function tellIgnored(reply: Reply, ignored: readonly string[], isReport: boolean): Reply {
  if (ignored.length === 0) return reply;
  // Clients take headers of 16 KiB in all.
  const named = ignored.map(encodeURIComponent).join(', ').slice(0, 1000);
  const headers = { ...reply.headers, 'X-Ignored-Parameters': named };
  if ('file' in reply) return { ...reply, headers };
  const { body } = reply;
  const told = isReport && typeof body === 'object' && body !== null;
  return { ...reply, headers, body: told ? { ...body, ignoredParameters: ignored } : body };
}
