import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../model/error.ts';

/** What the tracker sends us by itself. */
export interface TrackerEvents {
  /**
   * Takes an event as it came over the wire. `not-found` where none are taken, `not-allowed` when its signature does not
   * prove that the tracker sent it, `bad-request` when it cannot be read. An event about something else is just taken.
   */
  receive(body: Buffer, signature: string | undefined): Promise<void>;
}

/** An HMAC-SHA256 in hex, as WebSub names it (W3C WebSub, 7.1). */
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Takes signed events; `secret` null: none. `readIds`: the issues a body is about, null when it is no event. */
export function createTrackerEvents({
  secret,
  readIds,
  nudge,
}: {
  readonly secret: string | null;
  readonly readIds: (body: unknown) => readonly string[] | null;
  readonly nudge: (ids: readonly string[]) => Promise<void>;
}): TrackerEvents {
  return {
    async receive(body, signature) {
      if (secret === null) {
        throw new AppError('unknown-endpoint', 'Not found', [
          'Webhooks are not accepted here: JIRA_WEBHOOK_SECRET is not set.',
        ]);
      }
      if (!isSigned(body, signature, secret)) {
        throw new AppError('invalid-signature', 'Not allowed', [
          `The signature ${signature === undefined ? 'is missing' : 'is not valid'}. Try: X-Hub-Signature with 'sha256=' and the HMAC of the body in hex, made with the webhook's secret.`,
        ]);
      }
      const ids = readIds(parse(body));
      if (ids === null) {
        throw new AppError('malformed-request', 'Bad request', ['The body is not a webhook of the tracker.']);
      }
      if (ids.length > 0) await nudge(ids);
    },
  };
}

/** What is compared has one length, so that the time it takes reveals nothing. */
function isSigned(body: Buffer, signature: string | undefined, secret: string): boolean {
  const [, hex] = SIGNATURE.exec(signature ?? '') ?? [];
  if (hex === undefined) return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** What is no JSON is no event either. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}
