import type { RequestHandler } from 'express';

const FIVE_MINUTES_S = 300;

/**
 * Refuses a request signed for later: Bolt refuses only what is older than five minutes, so that a captured request
 * with a time ahead of ours could be repeated until then.
 */
export function refuseFuture(now: () => number): RequestHandler {
  return (request, response, next) => {
    const signedAt = Number(request.get('x-slack-request-timestamp') ?? 0);
    if (signedAt - now() / 1000 > FIVE_MINUTES_S) response.status(401).end();
    else next();
  };
}
