import { createHmac } from 'node:crypto';
import { type Json, parseJson } from './slack-json.ts';

/** How the app received something Slack sent it. */
export interface Ack {
  /** `ok`, or the error Slack shows the person who caused it. */
  readonly outcome:
    | 'ok'
    | 'operation_timeout'
    | 'dispatch_failed'
    | 'http_client_error'
    | 'http_service_error';
  /** HTTP status; null over Socket Mode or when nothing answered. */
  readonly status: number | null;
  /** The acknowledgement's body: parsed where it is JSON, else its text. */
  readonly body: unknown;
  readonly ms: number;
}

/** What is sent: each kind travels in its own form. */
export type DeliveryKind = 'command' | 'interactive' | 'event';

/** Slack sends an event again when it was not acknowledged. */
export interface Retry {
  readonly number: number;
  readonly reason: 'http_timeout' | 'http_error' | 'connection_failed';
}

/** One delivery over HTTP. */
interface SignedPost {
  readonly url: string;
  readonly kind: DeliveryKind;
  readonly payload: Json;
  readonly signingSecret: string;
  readonly atMs: number;
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts to the app as Slack does: form for commands and interactions, JSON for events, signed. */
export async function postSigned({
  url,
  kind,
  payload,
  signingSecret,
  atMs,
  timeoutMs,
  headers,
}: SignedPost): Promise<Ack> {
  const body = encode(kind, payload);
  const started = performance.now();
  const took = () => performance.now() - started;
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/slack/events`, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': kind === 'event' ? 'application/json' : 'application/x-www-form-urlencoded',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...signatureHeaders(signingSecret, body, atMs),
        ...headers,
      },
    });
    const text = await response.text();
    return {
      outcome: outcomeOf(response.status),
      status: response.status,
      body: parseJson(text) ?? text,
      ms: took(),
    };
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      outcome: timedOut ? 'operation_timeout' : 'dispatch_failed',
      status: null,
      body: '',
      ms: took(),
    };
  }
}

function encode(kind: DeliveryKind, payload: Json): string {
  if (kind === 'event') return JSON.stringify(payload);
  if (kind === 'interactive') return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(payload)) form.set(name, String(value));
  return form.toString();
}

function outcomeOf(status: number): Ack['outcome'] {
  if (status >= 500) return 'http_service_error';
  return status >= 300 ? 'http_client_error' : 'ok';
}

/** The two headers by which an app knows that a request is Slack's (scheme v0). */
function signatureHeaders(secret: string, body: string, atMs: number): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1_000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
}
