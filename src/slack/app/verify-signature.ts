import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';

/** A request that was signed longer ago, or for later than that, may have been captured and repeated. */
const MAX_SKEW_S = 300;

/** As much as Bolt takes in one request. */
const MAX_BODY = '4mb';

/**
 * Lets requests through that Slack has signed with this secret, and hands their bodies on to Bolt. Bolt can do this
 * itself, but makes three keys of text for each request, which takes six times as long as the one that is made here once;
 * and it takes what is signed for later.
 */
export function verifySignature(signingSecret: string, now: () => number, log: Logger): RequestHandler {
  const key = createSecretKey(signingSecret, 'utf8');
  const readBody = express.raw({ type: () => true, inflate: false, limit: MAX_BODY });
  const isSigned = (body: Buffer, timestamp: string, signature: string): boolean => {
    // No number is near no instant.
    if (!(Math.abs(Number(timestamp) - now() / 1000) <= MAX_SKEW_S)) return false;
    const digest = createHmac('sha256', key).update(`v0:${timestamp}:`).update(body).digest('hex');
    const [given, expected] = [Buffer.from(signature), Buffer.from(`v0=${digest}`)];
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return (request, response, next) => {
    readBody(request, response, (error?: unknown) => {
      if (error !== undefined) {
        log.warn({ err: error }, 'the body of a request of Slack could not be read');
        response.status(isTooLarge(error) ? 413 : 400).end();
        return;
      }
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { 'x-slack-request-timestamp': timestamp = '', 'x-slack-signature': signature = '' } =
        request.headers;
      if (!isSigned(body, String(timestamp), String(signature))) {
        log.warn('a request is not signed by Slack, or not within five minutes');
        response.status(401).end();
        return;
      }
      // Bolt looks here for a body that was read before.
      Object.assign(request, { rawBody: body });
      next();
    });
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}
