import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import { systemCode } from '../model/error.ts';
import { type FileReply, jsonType, type TypedReply } from './route.ts';

/** Length (characters) up to which an answer is sent in one piece, and of the parts of a longer one. */
const AT_ONCE = 65_536;

/**
 * Sends an answer. A short one goes out whole; a long one is made and written part by part, as fast as the client takes
 * it, and yields to other requests between the parts. Answers are not cached, so they have no ETag.
 */
export async function sendBody(
  request: Request,
  response: Response,
  { status = 200, type = jsonType, headers = {}, body }: Partial<TypedReply>,
): Promise<void> {
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

const codesOfGone = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/** A client that reads nothing for this time (ms) is gone. */
const IDLE_MS = 120_000;

/** Sends a file as fast as the client takes it; a client that leaves is no failure. */
export async function sendFile(
  { file, headers = {}, close }: FileReply,
  request: Request,
  response: Response,
): Promise<void> {
  const { bytes, stream } = await file.open().catch(async (error) => {
    await close?.();
    throw error;
  });
  try {
    // An open file can be read to its end after it is deleted, so not even a killed process leaves it behind.
    await close?.();
    if (bytes !== file.bytes)
      throw new Error(`The file ${file.fileName} has ${bytes} bytes instead of ${file.bytes}`);
    response
      .status(200)
      .set('Cache-Control', 'no-store')
      .set('Content-Type', file.mediaType)
      .set('Content-Length', String(bytes))
      .set('Content-Disposition', contentDisposition(file.fileName))
      .set('X-Content-Type-Options', 'nosniff')
      .set(headers);
    if (request.method === 'HEAD') response.end();
    else await sendStream(stream, response);
  } catch (error) {
    if (!isOfGone(error)) throw error;
  } finally {
    stream.destroy();
  }
}

/**
 * Sends parts as fast as the client takes them; a client that leaves is no failure. The answer ends with its last part: a
 * client that has all its bytes can be gone at once, and has still been answered.
 */
async function sendStream(parts: Readable, response: Response): Promise<void> {
  response.setTimeout(IDLE_MS, () => response.destroy());
  // Ends are watched from many sides, most of them by the pipeline itself.
  response.setMaxListeners(20);
  let last: unknown;
  async function* allButLast() {
    for await (const part of parts) {
      if (last !== undefined) yield last;
      last = part;
    }
  }
  await pipeline(allButLast, response, { end: false }).catch((error: unknown) => {
    if (!isOfGone(error)) throw error;
  });
  if (!response.destroyed) response.end(last);
}

function isOfGone(error: unknown): boolean {
  return codesOfGone.has(systemCode(error) ?? '');
}

/**
 * The header by which a file is saved under its name (RFC 6266): whatever is not plain ASCII stands there percent-encoded,
 * beside a name that older clients take.
 */
function contentDisposition(fileName: string): string {
  const plain = fileName.replaceAll(/[^ -~]|["%\\/]/gu, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"${plain === fileName ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/** JSON of anything; a list may be any iterable, whose items are made while they are written. */
function* jsonParts(value: unknown): Generator<string> {
  if (sizeOf(value, MAX_AT_ONCE) <= MAX_AT_ONCE) {
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

/** Number of values that are written at once, in a fraction of a millisecond. */
const MAX_AT_ONCE = 1000;

/** Items in order: as many small ones as are written at one go, or a large one alone. */
function* smallAndLarge(items: Iterable<unknown>): Generator<readonly unknown[]> {
  let some: unknown[] = [];
  let left = MAX_AT_ONCE;
  for (const item of items) {
    const size = sizeOf(item, MAX_AT_ONCE);
    if (size > left && some.length > 0) {
      yield some;
      some = [];
      left = MAX_AT_ONCE;
    }
    if (size > MAX_AT_ONCE) {
      yield [item];
      continue;
    }
    some.push(item);
    left -= size;
  }
  if (some.length > 0) yield some;
}

/** The number of values in an object; more than `max` where these are too many, or are made while they are written. */
function sizeOf(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (!Array.isArray(value) && isIterable(value)) return Number.POSITIVE_INFINITY;
  let size = 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && size <= max; i += 1) size += sizeOf(value[i], max - size);
    return size;
  }
  // The members are counted without a list of them, which would take as long as writing them.
  for (const name in value) {
    if (Object.hasOwn(value, name)) size += sizeOf(Reflect.get(value, name), max - size);
    if (size > max) break;
  }
  return size;
}

/** True for a value that is made of items; a text is as well. */
function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'string' || (typeof value === 'object' && value !== null && Symbol.iterator in value)
  );
}
