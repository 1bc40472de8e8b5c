import type { z } from 'zod';
import { readQuery } from './read-query.ts';
import type { AnyRoute, Route } from './route.ts';

/** Binds a route's parameters to its answer: what reaches `answer` has passed the schema. */
export function defineRoute<Parameters extends z.ZodObject>(route: Route<Parameters>): AnyRoute {
  const { method, path, guarded, parameters } = route;
  return {
    method,
    path,
    guarded,
    serve: (request, asker, parts) => route.answer(readQuery(request.query, parameters), asker, parts),
  };
}
