import express, { type Request, type Response } from 'express';
import { isTooDeep, knownMembers, MAX_JSON_DEPTH, tryParseJson } from '../api/parameters/check-parameters.ts';
import { badBody, Refusal } from './failures.ts';
import type { RouteFacts } from './route.ts';

/** Largest body that is read, in bytes. */
const MAX_BYTES = 1_000_000;

/** A body as text; null where there is none. Its type must be one of those named. */
export async function readBody(
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
export function isOfType(request: Request, type: string): boolean {
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
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw badBody(`The body is nested too deep. Try: ${MAX_JSON_DEPTH} levels.`);
  const value = tryParseJson(text);
  if (value === undefined) throw badBody('The body is not JSON.');
  return value;
}

/** Members that the route does not read, as they were spelled; those of its answer can be sent back. */
export function unknownMembers(
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
