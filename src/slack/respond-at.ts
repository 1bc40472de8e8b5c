import { request as requestPlainly, STATUS_CODES } from 'node:http';
import { request as requestSafely } from 'node:https';
import { RespondError, type RespondFn } from '@slack/bolt';

/** What is said through a response URL. */
export type Said = Exclude<Parameters<RespondFn>[0], string>;

/** Says something there, as Bolt's `respond` does. What comes of it has a `text`; no success is a `RespondError`. */
export type Respond = (message: Said) => Promise<unknown>;

/** In place of Bolt's own: that asks by `fetch`, which takes three times as much of the processor. */
export function respondAt(url: string): Respond {
  return async (message) => {
    const { status, text } = await post(url, JSON.stringify(message));
    if (status >= 200 && status < 300) return { text: async () => text };
    const reason = `Failed to respond to the response_url: ${status} ${STATUS_CODES[status] ?? ''}`;
    throw new RespondError(reason, status);
  };
}

function post(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const send = url.startsWith('https:') ? requestSafely : requestPlainly;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'Dwell',
  };
  const request = send(url, { method: 'POST', headers }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part) => {
      text += part;
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    response.on('error', reject);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}
