import type { Request, Response } from 'express';
import { z } from 'zod';
import { knownLogins } from '../api/people/logins.ts';
import type { PeopleApi } from '../api/people/people-api.ts';
import { NotAuthenticated, type Tokens } from '../api/people/tokens.ts';
import { about, badRequest } from '../model/error.ts';
import { type Principal, principalIn } from '../model/request.ts';
import type { ParameterNames } from '../parameters/parameter-names.ts';
import { checkBody, formType, isOfType, jsonType, parseJson, readBody } from './read-body.ts';
import { type Pair, pairsOf, queryOf, readPairs } from './read-parameters.ts';
import type { RouteFacts } from './route.ts';

/** What tells who asks: the tokens, and the people who can be named by more than the word of their token. */
export interface Credentials {
  readonly tokens: Tokens;
  readonly people: Pick<PeopleApi, 'users'>;
}

/** The token of an `Authorization: TISJWT …` header; null without one. */
export function tokenOfHeader(header: string | undefined): string | null {
  const [scheme, token, ...rest] = (header ?? '').trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'tisjwt' || !token) return null;
  if (rest.length > 0)
    throw new NotAuthenticated('tisjwt is invalid: the header must read "TISJWT <token>".');
  return token;
}

/** The token of a query string or a form. */
export function tokenOfPairs(pairs: readonly Pair[]): string | null {
  const found = pairs.find(([name, value]) => name.toLowerCase() === 'tisjwt' && value.trim() !== '');
  return found?.[1].trim() ?? null;
}

/**
 * Who the header `Authorization` speaks for: a token after `Bearer` or `TISJWT`, or as the password of its user in
 * `Basic` (RFC 7617), whom the login or the id names.
 */
export async function principalOfHeader(
  header: string | undefined,
  { tokens, people }: Credentials,
): Promise<Principal> {
  const [scheme = '', credentials = '', ...rest] = (header ?? '').trim().split(/\s+/);
  if (rest.length > 0) throw new NotAuthenticated('The header Authorization holds too much.');
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'tisjwt':
      if (credentials === '') throw missingToken();
      return tokens.verify(credentials);
    case 'basic': {
      const { user, password } = readBasic(credentials);
      const principal = await tokens.verify(password).catch(async (error: unknown) => {
        throw (await isOfAnother(error, user, people)) ? notTheirs() : error;
      });
      if (!(await isHolder(user, principal.account, people))) throw notTheirs();
      return principal;
    }
    default:
      throw missingToken();
  }
}

/** The first sentence is that of the compatible product. */
function missingToken(): NotAuthenticated {
  return new NotAuthenticated('tisjwt is required for authentication.', {
    reason: 'missing-token',
    advice: 'Missing token. Send `Authorization: TISJWT <token>`; create one with `dwell token --user NAME`.',
  });
}

/** Whoever names somebody else does not learn whether a token holds. */
async function isOfAnother(error: unknown, user: string, people: Credentials['people']): Promise<boolean> {
  if (!(error instanceof NotAuthenticated) || error.lapsedOf === null) return false;
  return !(await isHolder(user, error.lapsedOf, people));
}

/** Whether a name means whoever a token is for. */
async function isHolder(user: string, holder: string, people: Credentials['people']): Promise<boolean> {
  if (user === holder) return true;
  const { idNamed, idOfHolder } = knownLogins(await people.users());
  return idNamed(user) === idOfHolder(holder);
}

function notTheirs(): NotAuthenticated {
  return new NotAuthenticated('The token is not one of the user that is named.');
}

function readBasic(credentials: string): { readonly user: string; readonly password: string } {
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
    ? Buffer.from(credentials, 'base64').toString('utf8')
    : '';
  const colon = decoded.indexOf(':');
  if (colon === -1) throw new NotAuthenticated('The header Authorization cannot be read.');
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

const parameters = z.record(z.string(), z.unknown());

/** What came with a request: who asks, and the pairs of its query string and its form. */
interface Received {
  readonly principal: Principal;
  readonly pairs: readonly Pair[];
  /** Reads the JSON body of a route that takes one; rights come before it. */
  readonly readJson: () => Promise<unknown>;
}

/**
 * Reads a request as far as its route wants. The token is looked for in the header after `TISJWT`, then in the query
 * string, then in the form or the JSON object in its place, and in the header after another scheme last: a proxy in
 * between may use it for itself. A body that cannot hold a token is not read for somebody without. Where the contract of
 * delegations is spoken it is in the header, and nothing else is looked at before.
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
  credentials: Credentials,
  names: ParameterNames,
): Promise<Received> {
  const header = request.get('authorization');
  const proved = guarded && dialect !== 'reporting' ? await principalOfHeader(header, credentials) : null;
  const query = readPairs(queryOf(request.originalUrl), 'query string');
  refuseSecrets(query, formOnly);
  const token = proved === null ? (tokenOfHeader(header) ?? tokenOfPairs(query)) : null;
  const who = async (text: string | null) => {
    if (proved !== null) return proved;
    if (!guarded) return principalIn(credentials.tokens.tenant, '');
    return text === null ? principalOfHeader(header, credentials) : credentials.tokens.verify(text);
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
  const text = (await readBody(request, response, ...types)) ?? '';
  const isJson = text !== '' && isOfType(request, jsonType);
  const form = isJson ? pairsOf(checkBody(parameters, parseJson(text)), names) : readPairs(text, 'form');
  const principal = early ?? (await who(tokenOfPairs(form)));
  return { principal, pairs: [...query, ...form], readJson: async () => undefined };
}

/** The value itself is not repeated: it is a secret. */
function refuseSecrets(query: readonly Pair[], formOnly: readonly string[]): void {
  const named = query.map(([name]) => name.trim().toLowerCase());
  const found = formOnly.filter((name) => named.includes(name.toLowerCase()));
  if (found.length === 0) return;
  throw badRequest(
    ...found.map((name) => about(name, 'cannot be in the address. Try: a field of the form.')),
  );
}
