import express, { type Request, type Response } from 'express';
import { badBody, Refusal } from '../refusal.ts';

/** Largest body that is read, in bytes. */
const MOST_BYTES = 1_000_000;

/** A body as text; null where there is none. Its type must be one of those named. */
export async function readBody(
  request: Request,
  response: Response,
  ...types: readonly string[]
): Promise<string | null> {
  const bytes = await readBytes(request, response, MOST_BYTES);
  if (bytes === null) return null;
  refuseOtherTypes(request, types);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody('The body is not UTF-8.');
  }
}

/** The same as the bytes that came, which may be more. */
export async function readRawBody(
  request: Request,
  response: Response,
  type: string,
  mostBytes: number,
): Promise<Buffer> {
  const bytes = await readBytes(request, response, mostBytes);
  refuseOtherTypes(request, [type]);
  return bytes ?? Buffer.alloc(0);
}

function refuseOtherTypes(request: Request, types: readonly string[]): void {
  const { essence, charset } = contentType(request);
  if (!types.includes(essence) || (charset !== null && charset !== 'utf-8' && charset !== 'utf8')) {
    const given = request.get('content-type');
    throw new Refusal(
      415,
      `Content-Type ${given === undefined ? 'is missing' : `'${given}' is not understood`}. Try: ${types.join(' or ')} in UTF-8.`,
    );
  }
}

/** Whether a request says that its body is of a type. */
export function isOfType(request: Request, type: string): boolean {
  return contentType(request).essence === type;
}

/** The media type of a form. */
export const formType = 'application/x-www-form-urlencoded';
/** The media type of JSON. */
export const jsonType = 'application/json';

async function readBytes(request: Request, response: Response, mostBytes: number): Promise<Buffer | null> {
  const readRaw = express.raw({ type: () => true, limit: mostBytes });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  readRaw(request, response, (error?: unknown) =>
    error === undefined ? resolve() : reject(refuse(error, mostBytes)),
  );
  await promise;
  const body: unknown = request.body;
  return Buffer.isBuffer(body) && body.length > 0 ? body : null;
}

/** The failures of the reader that come from the request; anything else is passed on. */
function refuse(error: unknown, mostBytes: number): unknown {
  const status = error !== null && typeof error === 'object' && 'status' in error ? error.status : null;
  switch (status) {
    case 413:
      return new Refusal(413, `The body is too large. Try: ${mostBytes} bytes.`);
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
