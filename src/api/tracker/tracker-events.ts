import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../model/error.ts';
import type { TrackerWebhooks } from '../../trackers/tracker-kind.ts';

/** The port of the events that a tracker sends by itself. */
export interface TrackerEvents {
  /**
   * Takes an event of a tracker as it came over the wire; `header` reads a header by its name. `not-found` where none of
   * this tracker are taken, `not-allowed` when its signature does not prove that the tracker sent it, `bad-request` when it
   * cannot be read. An event about something else is just taken.
   */
  receive(tracker: string, body: Buffer, header: (name: string) => string | undefined): Promise<void>;
}

/** Takes signed events of the tracker in use, by its name; `webhooks` null: it sends none. */
export function createTrackerEvents(
  { name, webhooks }: { readonly name: string; readonly webhooks: TrackerWebhooks | null },
  nudge: (ids: readonly string[]) => Promise<void>,
): TrackerEvents {
  return {
    async receive(tracker, body, header) {
      const isOther = tracker !== name;
      if (isOther || webhooks === null || webhooks.secret === null) {
        const why =
          isOther || webhooks === null ? 'the tracker in use sends none' : `${webhooks.setting} is not set`;
        throw new AppError('unknown-endpoint', 'Not found', [`Webhooks are not accepted here: ${why}.`]);
      }
      const signature = header(webhooks.header);
      if (!isSigned(body, signature, { secret: webhooks.secret, prefix: webhooks.prefix })) {
        throw new AppError('invalid-signature', 'Not allowed', [
          `The signature ${signature === undefined ? 'is missing' : 'is not valid'}. Try: ${webhooks.header} with ${webhooks.prefix === '' ? '' : `'${webhooks.prefix}' and `}the HMAC of the body in hex, made with the webhook's secret.`,
        ]);
      }
      const ids = webhooks.readIds(parse(body));
      if (ids === null) {
        throw new AppError('malformed-request', 'Bad request', ['The body is not a webhook of the tracker.']);
      }
      if (ids.length > 0) await nudge(ids);
    },
  };
}

/**
 * True if a signature is the HMAC-SHA256 of the body in hex, after the prefix, in any case. The compared values have
 * one length, so that the time of the comparison reveals nothing.
 */
function isSigned(
  body: Buffer,
  signature: string | undefined,
  { secret, prefix }: { readonly secret: string; readonly prefix: string },
): boolean {
  const given = (signature ?? '').toLowerCase();
  const hex = given.slice(prefix.length);
  if (!given.startsWith(prefix) || !/^[0-9a-f]{64}$/.test(hex)) return false;
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** The JSON of a body; null if it is not JSON in UTF-8. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}
