import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import { type FileReply, type JsonReply, jsonType, type TypedReply } from './route.ts';

/** An answer up to this length (characters) is sent in one piece; of a longer one so much is made at a time. */
const AT_ONCE = 65_536;

/**
 * Sends an answer. A short one goes out whole; a long one is made and written part by part, as fast as the client takes
 * it, and others get their turn between the parts. Nobody is to keep an answer, so it gets no ETag either.
 */
export async function sendBody(
  request: Request,
  response: Response,
  reply: JsonReply<unknown> | TypedReply,
): Promise<void> {
  const {
    status = 200,
    type = jsonType,
    headers = {},
    body,
  } = { status: undefined, type: undefined, ...reply };
  response.status(body === undefined && status === 200 ? 204 : status).set('Cache-Control', 'no-store');
  if (body === undefined) return void response.set(headers).end();
  const isText = typeof body === 'string' || type.startsWith('text/');
  response.set('Content-Type', type.includes('charset=') ? type : `${type}; charset=utf-8`).set(headers);
  const parts = batched(isText ? textParts(body) : jsonParts(body));
  const first = parts.next();
  const second = first.done ? first : parts.next();
  if (second.done) {
    const text = first.value ?? '';
    response.set('Content-Length', String(Buffer.byteLength(text)));
    return void response.end(request.method === 'HEAD' ? undefined : text);
  }
  if (request.method === 'HEAD') return void response.end();
  const begun = [first.value ?? '', second.value ?? ''];
  await sendStream(Readable.from(withTurns(begun, parts)), response);
}

async function* withTurns(...lists: readonly Iterable<string>[]): AsyncGenerator<string> {
  for (const parts of lists) {
    for (const part of parts) {
      yield part;
      await yieldToOthers();
    }
  }
}

/** Text as it comes, in parts worth sending. */
function* batched(parts: Iterable<string>): Generator<string, undefined> {
  let batch = '';
  for (const part of parts) {
    batch += part;
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
  return undefined;
}

function* textParts(body: unknown): Generator<string> {
  if (isIterable(body) && typeof body !== 'string') for (const part of body) yield String(part);
  else yield String(body);
}

/** JSON of anything; a list may be any iterable, whose items are made while they are written. */
function* jsonParts(value: unknown): Generator<string> {
  if (sizeOf(value, MOST_AT_ONCE) <= MOST_AT_ONCE) {
    yield JSON.stringify(value);
  } else if (isIterable(value)) {
    let before = '[';
    for (const items of smallAndLarge(value)) {
      yield before;
      if (items.length === 1) yield* jsonParts(items[0] ?? null);
      else yield JSON.stringify(items).slice(1, -1);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else {
    let before = '{';
    for (const [name, member] of Object.entries(Object(value))) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** So many values are written at one go, in a fraction of a millisecond. */
const MOST_AT_ONCE = 1000;

/** Items in order: as many small ones as are written at one go, or a large one alone. */
function* smallAndLarge(items: Iterable<unknown>): Generator<readonly unknown[]> {
  let some: unknown[] = [];
  let left = MOST_AT_ONCE;
  for (const item of items) {
    const size = sizeOf(item, MOST_AT_ONCE);
    if (size > left && some.length > 0) {
      yield some;
      some = [];
      left = MOST_AT_ONCE;
    }
    if (size > MOST_AT_ONCE) {
      yield [item];
      continue;
    }
    some.push(item);
    left -= size;
  }
  if (some.length > 0) yield some;
}

/** How many values something is made of; more than `most` where these are too many, or are made while they are written. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (!Array.isArray(value) && isIterable(value)) return Number.POSITIVE_INFINITY;
  let size = 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && size <= most; i += 1) size += sizeOf(value[i], most - size);
    return size;
  }
  // Without a list of the members, which would take as long as writing them.
  for (const name in value) {
    if (Object.hasOwn(value, name)) size += sizeOf(Reflect.get(value, name), most - size);
    if (size > most) break;
  }
  return size;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value)
  );
}

/** What a stream to a client fails with when the client is gone. */
const codesOfGone = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/** A client that takes nothing for so long is gone, though it may not know. */
const IDLE_MS = 120_000;

/** Sends a file as fast as the client takes it; a client that leaves is no failure. */
export async function sendFile(
  { file, headers = {}, close }: FileReply,
  request: Request,
  response: Response,
): Promise<void> {
  try {
    await using handle = await open(file.path).catch(async (error) => {
      await close?.();
      throw error;
    });
    // What is open can be read to its end, and so not even a killed process leaves the file behind.
    await close?.();
    const { size } = await handle.stat();
    if (size !== file.bytes) throw new Error(`${file.path} has ${size} bytes instead of ${file.bytes}`);
    response
      .status(200)
      .set('Cache-Control', 'no-store')
      .set('Content-Type', file.mediaType)
      .set('Content-Length', String(size))
      .set('Content-Disposition', contentDisposition(file.fileName))
      .set('X-Content-Type-Options', 'nosniff')
      .set(headers);
    if (request.method === 'HEAD') response.end();
    else await sendStream(handle.createReadStream({ autoClose: false }), response);
  } catch (error) {
    if (!isOfGone(error)) throw error;
  }
}

/** As fast as the client takes it; a client that leaves is no failure. */
export async function sendStream(parts: Readable, response: Response): Promise<void> {
  response.setTimeout(IDLE_MS, () => response.destroy());
  // Ends are watched from many sides, most of them by the pipeline itself.
  response.setMaxListeners(20);
  await pipeline(parts, response).catch((error: unknown) => {
    if (!isOfGone(error)) throw error;
  });
}

function isOfGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfGone.has(String(error.code));
}

/**
 * The header by which a file is saved under its name (RFC 6266): whatever is not plain ASCII stands there percent-encoded,
 * beside a name that older clients take.
 */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^ -~]|["%\\/]/gu, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`;
}
