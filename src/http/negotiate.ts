import type { Request, Response } from 'express';
import type { Given } from '../parameters/check-parameters.ts';
import { shown } from '../parameters/parameter.ts';
import { Refusal } from './failures.ts';
import { csvMediaType, jsonType, type RouteFacts, simplifiedType } from './route.ts';

/** The outputType of each media type in which a report is answered. */
const outputTypes: ReadonlyMap<string, string> = new Map([
  [jsonType, 'json'],
  [simplifiedType, 'jsonSimplified'],
  [csvMediaType, 'csv'],
]);

type Negotiable = Pick<RouteFacts, 'parameters' | 'answers'>;

/** Whether the header Accept chooses the form of a route's answer where outputType is not given. */
export function isNegotiable({ parameters: { shape }, answers }: Negotiable): boolean {
  const isOptional = shape.outputType?.safeParse(undefined).success === true;
  return isOptional && csvMediaType in answers.content;
}

/** The parameters with the outputType that Accept wants most. One that is given says it more clearly than a header. */
export function withAccepted(route: Negotiable, request: Request, response: Response, given: Given): Given {
  if (!isNegotiable(route)) return given;
  response.vary('Accept');
  if (given.has('outputType')) return given;
  const offered = Object.keys(route.answers.content).filter((type) => outputTypes.has(type));
  const wanted = outputTypes.get(request.accepts(offered) || '');
  if (wanted !== undefined) return new Map([...given, ['outputType', wanted]]);
  const accept = shown(request.get('accept') ?? '');
  throw new Refusal(
    406,
    `Accept '${accept}' has none of the types of this answer. Try: ${offered.join(', ')}.`,
  );
}
