import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BrotliDecompress, createBrotliDecompress, createGunzip, type Gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { systemCode } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';

/** A request as it goes over the line. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The whole address, with the query. */
  readonly url: string;
  /** The value of the header; null: anonymous. */
  readonly authorization: string | null;
  readonly body: string | null;
  /** Media type of the body; JSON by default. */
  readonly bodyType?: string | undefined;
  /** Media types of the answer; JSON by default. */
  readonly accept?: string | undefined;
}

/** An answer of the server, of any status. */
export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** By name in lower case; of several with one name the first. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** By our own clock. */
  readonly askedAt: Instant;
  readonly answeredAt: Instant;
}

/** The reason for a missing answer. `sent` is false only where the request surely never left. */
export interface NoAnswer {
  readonly kind: 'none';
  readonly code: string;
  readonly sent: boolean;
  readonly cause: unknown;
  /**
   * Set where the request was not tried: the service asked for a pause until then, which is longer than a request
   * waits.
   */
  readonly pausedUntil?: Instant;
}

/** In place of an error's code: the answer took longer than a try may. */
export const TOO_SLOW = 'too slow';

/** In place of an error's code: the answer is larger than we take, as it comes or once it is unpacked. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** In place of an error's code: the service asked us to wait for too long. */
export const PAUSED = 'paused';

/** In place of an error's code: the answer is packed in a way that was not requested. */
const UNKNOWN_CODING = 'unknown content-encoding';

/** The value of `accept-encoding`. */
const READ_CODINGS = 'gzip, br';

/** Fewer and larger pieces than by default: histories unpack to ten times their size. */
const CHUNK_BYTES = 65_536;

const slowCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** The parts for sending a request. */
interface Sender {
  readonly dispatcher: Dispatcher;
  readonly now: () => Instant;
  readonly deadline: AbortSignal;
  /** The size of an answer, unpacked. */
  readonly maxBytes: number;
}

/** Sends a request once and waits for the whole answer, until `deadline`. Redirects are answers like others. */
export async function sendOnce(
  {
    method,
    url,
    authorization,
    body,
    bodyType = 'application/json; charset=utf-8',
    accept = 'application/json',
  }: HttpRequest,
  { dispatcher, now, deadline, maxBytes }: Sender,
): Promise<HttpAnswer | NoAnswer> {
  const { origin, pathname, search } = new URL(url);
  const askedAt = now();
  try {
    const answer = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method,
      body,
      headers: {
        accept,
        'accept-encoding': READ_CODINGS,
        'user-agent': 'Dwell',
        ...(authorization === null ? {} : { authorization }),
        ...(body === null ? {} : { 'content-type': bodyType }),
      },
      signal: deadline,
    });
    const headers = firstOfEach(answer.headers);
    const text = await readText(answer.body, headers, maxBytes);
    if (text === null) return { kind: 'none', code: TOO_LARGE, sent: true, cause: null };
    return { kind: 'answer', status: answer.statusCode, headers, text, askedAt, answeredAt: now() };
  } catch (cause) {
    const code = systemCode(cause) ?? 'no reason known';
    const isLate = deadline.aborted || slowCodes.has(code);
    return { kind: 'none', code: isLate ? TOO_SLOW : code, sent: !isNeverSent(cause), cause };
  }
}

/** Returns true where another try would end the same way: the answer is refused here, or the service is paused. */
export function isFinal({ code }: NoAnswer): boolean {
  return code === TOO_LARGE || code === UNKNOWN_CODING || code === PAUSED;
}

/** The name of the content coding that an answer could not be read for; null: that is not why there is none. */
export function unknownCoding({ cause }: NoAnswer): string | null {
  return cause instanceof UnknownCoding ? cause.coding : null;
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): Map<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[name.toLowerCase(), first]];
  });
  return new Map(pairs);
}

/**
 * Returns true where an error came before there was a connection, so that nothing was sent over it. The code alone does
 * not say: a route may be lost (EHOSTUNREACH) while an answer is being waited for.
 */
function isNeverSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // A name with several addresses: none of them could be reached.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isNeverSent);
  if (systemCode(error) === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}

/**
 * The text (UTF-8) of an answer, unpacked; null where it has more than `maxBytes`: then no more of it is read. An
 * answer that ends too early, as it comes or within its packing, and one that is packed in an unknown way fails.
 * (undici's `decompress` is experimental, also unpacks codings that were not requested, and fails for redirects that
 * name a coding but have no text.)
 */
async function readText(
  body: Readable,
  headers: ReadonlyMap<string, string>,
  maxBytes: number,
): Promise<string | null> {
  // The body reports its own destruction as an error, which needs a listener.
  body.on('error', () => {});
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    body.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new TooLarge();
      chunks.push(chunk);
    }
  };
  try {
    const unpacking = unpackingOf(headers.get('content-encoding'));
    if (unpacking === null) await pipeline(body, collect);
    // An answer without a text, such as a redirect, may name the coding of the text it does not have.
    else
      await pipeline(body, unpacking, collect).catch((error) => {
        if (unpacking.bytesWritten > 0 || systemCode(error) !== 'Z_BUF_ERROR') throw error;
      });
  } catch (error) {
    body.destroy();
    if (error instanceof TooLarge) return null;
    throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

class TooLarge extends Error {}

/** An answer in another content coding than those we asked for. */
class UnknownCoding extends Error {
  readonly code = UNKNOWN_CODING;
  readonly coding: string;

  constructor(coding: string) {
    super(`The answer is encoded as ${coding}.`);
    this.name = 'UnknownCoding';
    this.coding = coding;
  }
}

/**
 * The unpacker for this `Content-Encoding` (RFC 9110, 8.4); null where the answer comes plain. Several codings one
 * after another are as unknown as any other: no service packs twice in good faith.
 */
function unpackingOf(contentEncoding: string | undefined): Gunzip | BrotliDecompress | null {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  switch (coding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize: CHUNK_BYTES });
    case 'br':
      return createBrotliDecompress({ chunkSize: CHUNK_BYTES });
    default:
      throw new UnknownCoding(coding);
  }
}
