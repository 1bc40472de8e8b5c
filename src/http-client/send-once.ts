import type { Dispatcher } from 'undici';
import type { Instant } from '../model/issue.ts';
import { codeOf } from './code-of.ts';
import { isNeverSent } from './never-sent.ts';
import { readText } from './read-text.ts';
import { READ_CODINGS, UNKNOWN_CODING, UnknownCoding } from './unpacking.ts';

/** What is asked of a server. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The whole address, with the query. */
  readonly url: string;
  /** Value of the header; null: as nobody. */
  readonly authorization: string | null;
  readonly body: string | null;
  /** Media type of the body; JSON unless told. */
  readonly bodyType?: string;
  /** Media types of the answer; JSON unless told. */
  readonly accept?: string;
}

/** What it answered, whatever that is. */
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

/** Why there is no answer. `sent` is false only where the request surely never left. */
export interface NoAnswer {
  readonly kind: 'none';
  readonly code: string;
  readonly sent: boolean;
  readonly cause: unknown;
}

/** In place of an error's code: the answer took longer than a try may. */
export const TOO_SLOW = 'too slow';

/** In place of an error's code: the answer is larger than we take, as it comes or once it is unpacked. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** What a request is sent with. */
export interface Sender {
  readonly dispatcher: Dispatcher;
  readonly now: () => Instant;
  readonly deadline: AbortSignal;
  /** How large an answer may be, unpacked. */
  readonly mostBytes: number;
}

const slow = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

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
  { dispatcher, now, deadline, mostBytes }: Sender,
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
    const text = await readText(answer.body, headers, mostBytes);
    if (text === null) return { kind: 'none', code: TOO_LARGE, sent: true, cause: null };
    return { kind: 'answer', status: answer.statusCode, headers, text, askedAt, answeredAt: now() };
  } catch (cause) {
    const code = codeOf(cause);
    const late = deadline.aborted || slow.has(code);
    return { kind: 'none', code: late ? TOO_SLOW : code, sent: !isNeverSent(cause), cause };
  }
}

/** Whether the same request would end the same way: the answer came, and is one that we do not take. */
export function isFinal({ code }: NoAnswer): boolean {
  return code === TOO_LARGE || code === UNKNOWN_CODING;
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
