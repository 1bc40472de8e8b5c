import { STATUS_CODES } from 'node:http';
import { RespondError, type RespondFn } from '@slack/bolt';
import { request } from 'undici';

/** What is said through a response URL. */
export type Said = Exclude<Parameters<RespondFn>[0], string>;

/** Says something there, as Bolt's `respond` does. What comes of it has a `text`; no success is a `RespondError`. */
export type Respond = (message: Said) => Promise<unknown>;

/** In place of Bolt's own, which asks by `fetch`: that takes three times as much of the processor. */
export function respondAt(url: string): Respond {
  return async (message) => {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Dwell' },
      body: JSON.stringify(message),
    });
    const text = await body.text();
    if (statusCode >= 200 && statusCode < 300) return { text: async () => text };
    const reason = `Failed to respond to the response_url: ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`;
    throw new RespondError(reason, statusCode);
  };
}
