import type { Dispatcher } from 'undici';
import type { Instant } from '../../model/issue.ts';
import { isNeverSent } from './never-sent.ts';

/** What is asked of a server. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** The whole address, with the query. */
  readonly url: string;
  /** Value of the header; null: as nobody. */
  readonly authorization: string | null;
  /** JSON text. */
  readonly body: string | null;
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

/** In place of an error's code: the answer is larger than we take. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** In bytes. */
export const LARGEST_ANSWER = 200_000_000;

/** What a request is sent with. */
export interface Sender {
  readonly dispatcher: Dispatcher;
  readonly now: () => Instant;
  readonly deadline: AbortSignal;
}

const slow = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Sends a request once and waits for the whole answer, until `deadline`. Redirects are answers like others. */
export async function sendOnce(
  { method, url, authorization, body }: HttpRequest,
  { dispatcher, now, deadline }: Sender,
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
        accept: 'application/json',
        'user-agent': 'Dwell',
        ...(authorization === null ? {} : { authorization }),
        ...(body === null ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      },
      signal: deadline,
    });
    const headers = firstOfEach(answer.headers);
    if (Number(headers.get('content-length') ?? 0) > LARGEST_ANSWER) {
      // It answers its own destruction with an error that nobody else would listen to.
      answer.body.on('error', () => {}).destroy();
      return { kind: 'none', code: TOO_LARGE, sent: true, cause: null };
    }
    const text = await answer.body.text();
    return { kind: 'answer', status: answer.statusCode, headers, text, askedAt, answeredAt: now() };
  } catch (cause) {
    const code = codeOf(cause);
    const late = deadline.aborted || slow.has(code);
    return { kind: 'none', code: late ? TOO_SLOW : code, sent: !isNeverSent(cause), cause };
  }
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): Map<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const first = Array.isArray(value) ? value[0] : value;
    return first === undefined ? [] : [[name.toLowerCase(), first]];
  });
  return new Map(pairs);
}

function codeOf(error: unknown): string {
  const coded = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof coded === 'string' ? coded : 'no reason known';
}
