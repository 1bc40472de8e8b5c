import type { Request, Response } from 'express';
import type { GivenParameters } from '../api/parameters/check-parameters.ts';
import { csvMediaType, jsonType, type RouteFacts, simplifiedType } from './route.ts';

/** The outputType of each media type in which a report is answered. */
const outputTypes: ReadonlyMap<string, string> = new Map([
  [jsonType, 'json'],
  [simplifiedType, 'jsonSimplified'],
  [csvMediaType, 'csv'],
]);

/** Parameters of a media type in Accept that none of ours has, such as `charset=utf-8`. */
const foreignParameters = /;(?!\s*(?:q|profile)\s*=)[^;,]*/gi;

/**
 * The parameters with the outputType that Accept wants most. One that is given says it more clearly than a header, and
 * where Accept has none of the types of the answer it is not heard: clients send what their library sends.
 */
export function withAccepted(
  { parameters: { shape }, answers }: Pick<RouteFacts, 'parameters' | 'answers'>,
  request: Request,
  response: Response,
  given: GivenParameters,
): GivenParameters {
  const isOptional = shape.outputType?.safeParse(undefined).success === true;
  if (!isOptional || !(csvMediaType in answers.content)) return given;
  response.vary('Accept');
  const { accept } = request.headers;
  if (given.has('outputType') || accept === undefined) return given;
  request.headers.accept = accept.replaceAll(foreignParameters, '');
  const offered = Object.keys(answers.content).filter((type) => outputTypes.has(type));
  const wanted = outputTypes.get(request.accepts(offered) || '');
  return wanted === undefined ? given : new Map([...given, ['outputType', wanted]]);
}
