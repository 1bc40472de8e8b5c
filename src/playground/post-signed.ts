import type { Ack, DeliveryKind } from './ack.ts';
import { type Json, parseJson } from './json.ts';
import { signatureHeaders } from './signature.ts';

/** One delivery over HTTP. */
export interface SignedPost {
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
