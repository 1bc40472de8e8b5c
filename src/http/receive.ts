import type { Request, Response } from 'express';
import { z } from 'zod';
import { checkJson, type ParameterNames } from '../api/parameters/check-parameters.ts';
import { type Credentials, NotAuthenticated, principalOfHeader } from '../api/people/tokens.ts';
import type { Admission } from '../concurrency/admission.ts';
import type { RateLimits } from '../concurrency/rate-limits.ts';
import { about, badRequest } from '../model/error.ts';
import { type Principal, principalIn } from '../model/request.ts';
import type { Pair } from './parameters/collect-parameters.ts';
import { pairsOf, queryOf, readPairs } from './parameters/read-parameters.ts';
import { formType, isOfType, parseJson, readBody } from './read-body.ts';
import { jsonType, type RouteFacts } from './route.ts';

/** The token of an `Authorization: TISJWT …` header; null without one. */
function tokenOfHeader(header: string | undefined): string | null {
  const [scheme, token, ...rest] = (header ?? '').trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'tisjwt' || !token) return null;
  if (rest.length > 0)
    throw new NotAuthenticated('tisjwt is invalid: the header must read "TISJWT <token>".');
  return token;
}

/** The token of a query string or a form. */
function tokenOfPairs(pairs: readonly Pair[]): string | null {
  const found = pairs.find(([name, value]) => name.toLowerCase() === 'tisjwt' && value.trim() !== '');
  return found?.[1].trim() ?? null;
}

const parameters = z.record(z.string(), z.unknown());

/** The principal of a request, and the pairs of its query string and its form. */
interface Received {
  readonly principal: Principal;
  readonly pairs: readonly Pair[];
  /** Reads the JSON body of a route that takes one, after rights were checked. */
  readonly readJson: () => Promise<unknown>;
}

/**
 * Reads a request as far as its route needs. The token is looked for in the header after `TISJWT`, then in the query
 * string, then in the form or the JSON object in its place, and last in the header after another scheme, which a proxy can
 * use for itself. Without a token, a body that cannot have one is not read. The contract of delegations takes the token
 * from the header only, before anything else is read.
 */
export async function receive(
  {
    guarded,
    dialect = 'reporting',
    formOnly = [],
    body: takesJson,
  }: Pick<RouteFacts, 'guarded' | 'dialect' | 'formOnly' | 'body'>,
  request: Request,
  response: Response,
  {
    limits,
    admission,
    ...credentials
  }: Credentials & { readonly limits: RateLimits; readonly admission: Admission },
  names: ParameterNames,
): Promise<Received> {
  const header = request.get('authorization');
  const proved = guarded && dialect !== 'reporting' ? await principalOfHeader(header, credentials) : null;
  const query = readPairs(queryOf(request.originalUrl), 'query string');
  assertNoSecrets(query, formOnly);
  const token = proved === null ? (tokenOfHeader(header) ?? tokenOfPairs(query)) : null;
  const who = async (text: string | null) => {
    if (!guarded) return principalIn(credentials.tokens.tenant, '');
    const own = () =>
      text === null ? principalOfHeader(header, credentials) : credentials.tokens.verify(text);
    const principal = proved ?? (await own());
    await limits.admit(principal, response);
    return principal;
  };
  const isRead = request.method === 'POST' || request.method === 'PUT';
  if (!isRead || takesJson !== undefined) {
    const readJson = async () => {
      const text = isRead ? await readBody(request, response, jsonType) : null;
      return text === null ? undefined : parseJson(text);
    };
    return { principal: await who(token), pairs: query, readJson };
  }
  const types = guarded ? [formType, jsonType] : [formType];
  const early = token !== null || !types.some((type) => isOfType(request, type)) ? await who(token) : null;
  const read = () => readBody(request, response, ...types);
  const text = (early === null ? await admission.reading(response, read) : await read()) ?? '';
  const isJson = text !== '' && isOfType(request, jsonType);
  const form = isJson ? pairsOf(checkJson(parameters, parseJson(text)), names) : readPairs(text, 'form');
  const principal = early ?? (await who(tokenOfPairs(form)));
  return { principal, pairs: [...query, ...form], readJson: async () => undefined };
}

/** The value itself is not repeated: it is a secret. */
function assertNoSecrets(query: readonly Pair[], formOnly: readonly string[]): void {
  const named = query.map(([name]) => name.trim().toLowerCase());
  const found = formOnly.filter((name) => named.includes(name.toLowerCase()));
  if (found.length === 0) return;
  throw badRequest(
    ...found.map((name) => about(name, 'cannot be in the address. Try: a field of the form.')),
  );
}
