import type { Request, Response } from 'express';
import type { z } from 'zod';
import { checkBody, checkParameters } from './request/check.ts';
import { collectParameters } from './request/collect-parameters.ts';
import { parameterNames } from './request/parameter-names.ts';
import { receive } from './request/receive.ts';
import { withSaved } from './request/with-saved.ts';
import type { AnyRoute, JsonRoute, Route, RouteFacts, RouteParts } from './route.ts';

/** Binds a route's parameters to its answer: what reaches `answer` has passed the schema, and its asker is known. */
export function defineRoute<Parameters extends z.ZodObject>(route: Route<Parameters>): AnyRoute {
  const ask = asking(route, route.parameters);
  return {
    ...route,
    async serve(request, response, parts) {
      const { asker, parameters } = await ask(request, response, parts);
      return route.answer(parameters, asker, parts);
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
      const { asker, parameters, body } = await ask(request, response, parts);
      return route.answer(parameters, asker, parts, checkBody(route.body, body));
    },
  };
}

function asking<Schema extends z.ZodObject>(route: RouteFacts, schema: Schema) {
  const names = parameterNames(schema);
  return async (request: Request, response: Response, parts: RouteParts) => {
    const { asker, pairs, body } = await receive(route, request, response, parts.tokens);
    const given = await withSaved(collectParameters(pairs, names), names, asker, parts);
    const inPath = Object.entries(request.params).map(([name, value]) => [name, String(value)] as const);
    return { asker, body, parameters: checkParameters(schema, new Map([...given, ...inPath])) };
  };
}
