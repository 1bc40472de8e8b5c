import type { Request, Response } from 'express';
import express from 'express';
import { z } from 'zod';
import {
  checkJson,
  isTooDeep,
  knownMembers,
  MAX_JSON_DEPTH,
  type ParameterNames,
  tryParseJson,
} from '../api/parameters/check-parameters.ts';
import { type Credentials, NotAuthenticated, principalOfHeader } from '../api/people/tokens.ts';
import type { Admission } from '../concurrency/admission.ts';
import type { RateLimits } from '../concurrency/rate-limits.ts';
import { about, badRequest } from '../model/error.ts';
import { type Principal, principalIn } from '../model/request.ts';
import { badBody, Refusal } from './failures.ts';
import { type Pair, pairsOf, queryStringOf, readPairs } from './read-parameters.ts';
import { jsonType, type RouteFacts } from './route.ts';

/** The token of an `Authorization: TISJWT …` header; null without one. */
function tokenOfHeader(header: string | undefined): string | null {
  const [scheme, token, ...surplus] = (header ?? '').trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'tisjwt' || !token) return null;
  if (surplus.length > 0)
    throw new NotAuthenticated('tisjwt is invalid: the header must read "TISJWT <token>".');
  return token;
}

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
  const query = readPairs(queryStringOf(request.originalUrl), 'query string');
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

const MAX_BYTES = 1_000_000;

/** A body as text; null where there is none. Its type must be one of those named. */
async function readBody(
  request: Request,
  response: Response,
  ...types: readonly string[]
): Promise<string | null> {
  const bytes = await readBytes(request, response, MAX_BYTES);
  if (bytes === null) return null;
  assertContentType(request, types);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody('The body is not UTF-8.');
  }
}

/** The bytes of a body, at most `maxBytes`. */
export async function readRawBody(
  request: Request,
  response: Response,
  type: string,
  maxBytes: number,
): Promise<Buffer> {
  const bytes = await readBytes(request, response, maxBytes);
  assertContentType(request, [type]);
  return bytes ?? Buffer.alloc(0);
}

function assertContentType(request: Request, types: readonly string[]): void {
  const { essence, charset } = contentType(request);
  if (!types.includes(essence) || (charset !== null && charset !== 'utf-8' && charset !== 'utf8')) {
    const given = request.get('content-type');
    throw new Refusal(
      415,
      `Content-Type ${given === undefined ? 'is missing' : `'${given}' is not understood`}. Try: ${types.join(' or ')} in UTF-8.`,
    );
  }
}

/** True if the body of a request is declared to be of a type. */
function isOfType(request: Request, type: string): boolean {
  return contentType(request).essence === type;
}

/** The media type of a form. */
export const formType = 'application/x-www-form-urlencoded';

async function readBytes(request: Request, response: Response, maxBytes: number): Promise<Buffer | null> {
  const readRaw = express.raw({ type: () => true, limit: maxBytes });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  readRaw(request, response, (error?: unknown) =>
    error === undefined ? resolve() : reject(refuse(error, maxBytes)),
  );
  await promise;
  const body: unknown = request.body;
  return Buffer.isBuffer(body) && body.length > 0 ? body : null;
}

/** The failures of the reader that come from the request; anything else is passed on. */
function refuse(error: unknown, maxBytes: number): unknown {
  const status = error !== null && typeof error === 'object' && 'status' in error ? error.status : null;
  switch (status) {
    case 413:
      return new Refusal(413, `The body is too large. Try: ${maxBytes} bytes.`);
    case 415:
      return new Refusal(415, 'Content-Encoding is not understood. Try: identity, gzip, deflate, br.');
    case 400:
      return badBody('The body could not be read to its end, or not be decompressed.');
    default:
      return error;
  }
}

function contentType(request: Request): { essence: string; charset: string | null } {
  const [essence = '', ...parameters] = (request.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return { essence, charset: charset?.slice('charset='.length).replaceAll('"', '') ?? null };
}

/** A JSON body; text that is not JSON, or is nested too deep, is refused. */
function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw badBody(`The body is nested too deep. Try: ${MAX_JSON_DEPTH} levels.`);
  const value = tryParseJson(text);
  if (value === undefined) throw badBody('The body is not JSON.');
  return value;
}

/** Members that the route does not read, as they were spelled; those of its answer can be sent back. */
export function unreadMembers(
  body: unknown,
  { body: taken, answers }: Pick<RouteFacts, 'body' | 'answers'>,
): readonly string[] {
  const read = knownMembers(taken);
  if (read === null || typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const known = new Set([...read, ...(knownMembers(answers.content['application/json']) ?? [])]);
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .slice(0, MAX_NAMES);
}

const MAX_NAMES = 20;
