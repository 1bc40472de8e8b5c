import type { Pool } from 'undici';
import { isNeverSent } from './never-sent.ts';

/** What a service is asked. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** From the host on, with the query. */
  readonly path: string;
  readonly body: string | null;
  /** Media type of the body; JSON unless told. */
  readonly bodyType?: string;
  /** Media types of the answer; JSON unless told. */
  readonly accept?: string;
}

/** What it answered, whatever that is. */
export interface ServiceAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly location: string | null;
  readonly retryAfter: string | null;
  /** Media type, lower case and without parameters. */
  readonly type: string | null;
  readonly text: string;
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

/** The answer is larger than the pool lets through. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

const slow = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Sends a request once and waits for the whole answer, until `deadline`. Redirects are answers like others. */
export async function sendOnce(
  pool: Pool,
  {
    method,
    path,
    body,
    bodyType = 'application/json; charset=utf-8',
    accept = 'application/json',
  }: ServiceRequest,
  { authorization, deadline }: { readonly authorization: string; readonly deadline: AbortSignal },
): Promise<ServiceAnswer | NoAnswer> {
  const type = body === null ? {} : { 'content-type': bodyType };
  const headers = { authorization, accept, ...type };
  try {
    const answer = await pool.request({ method, path, body, headers, signal: deadline });
    return {
      kind: 'answer',
      status: answer.statusCode,
      location: only(answer.headers.location),
      retryAfter: only(answer.headers['retry-after']),
      type: only(answer.headers['content-type'])?.split(';', 1)[0]?.trim().toLowerCase() ?? null,
      text: await answer.body.text(),
    };
  } catch (cause) {
    const code = codeOf(cause);
    const late = deadline.aborted || slow.has(code);
    return { kind: 'none', code: late ? TOO_SLOW : code, sent: !isNeverSent(cause), cause };
  }
}

function only(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

function codeOf(error: unknown): string {
  const coded = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof coded === 'string' ? coded : 'no reason known';
}
