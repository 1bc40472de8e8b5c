import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { yieldToOthers } from '../concurrency/cooperative-yield.ts';
import type { BodyReply } from './route.ts';
import { sendStream } from './send-file.ts';

/** An answer up to this length (characters) is sent in one piece; of a longer one so much is made at a time. */
const AT_ONCE = 65_536;

/**
 * Sends an answer. A short one goes out whole; a long one is made and written part by part, as fast as the client takes
 * it, and others get their turn between the parts. Nobody is to keep an answer, so it gets no ETag either.
 */
export async function sendBody(
  request: Request,
  response: Response,
  { status = 200, type, headers = {}, body }: BodyReply,
): Promise<void> {
  response.status(status).set('Cache-Control', 'no-store');
  if (body === undefined) return void response.set(headers).end();
  const isText = typeof body === 'string' || type?.startsWith('text/') === true;
  response
    .set('Content-Type', type ?? (isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'))
    .set(headers);
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
