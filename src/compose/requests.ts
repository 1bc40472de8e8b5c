import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { inRequest, newRequest, type RequestFacts } from '../concurrency/request-scope.ts';
import type { SlackTrigger } from '../slack/app/trigger.ts';

/** An id from outside that is taken: visible ASCII. */
const foreignId = /^[!-~]{1,128}$/;

/** Probes come every few seconds, and are no news. */
const probes: ReadonlySet<string | null> = new Set(['/healthz', '/readyz', '/metrics']);

/** Events of Slack that no one waits for; a workspace of thousands sends many. */
const notices: ReadonlySet<string | null> = new Set(['app_context_changed', 'team_join', 'user_change']);

/** Gives each request an id, which all of its lines in the log have, and logs it in one line once it is answered. */
export interface Requests {
  /** The middleware of the web server, before everything that answers. */
  http(request: Request, response: Response, next: NextFunction): void;
  /** Runs what Slack waits for or has sent. */
  slack(trigger: SlackTrigger, work: () => Promise<void>): Promise<void>;
}

/** Creates the log of requests. */
export function createRequests(log: Logger): Requests {
  return {
    http(request, response, next) {
      const given = request.get('x-request-id') ?? '';
      const facts = newRequest('http', foreignId.test(given) ? given : undefined);
      response.setHeader('X-Request-Id', facts.id);
      const { socket, method } = request;
      const [begun, before] = [performance.now(), socket.bytesWritten];
      response.once('close', () => {
        const route = facts.route ?? routeOf(request);
        log[probes.has(route) ? 'debug' : 'info'](
          {
            ...lineOf(facts, begun),
            route,
            method,
            status: response.statusCode,
            bytes: socket.bytesWritten - before,
            ...(response.writableFinished ? {} : { cut: true }),
          },
          'request',
        );
      });
      inRequest(facts, next);
    },
    async slack({ trigger, name }, work) {
      const facts = newRequest('slack');
      facts.route = name;
      const begun = performance.now();
      try {
        await inRequest(facts, work);
      } finally {
        const level = notices.has(name) ? 'debug' : 'info';
        log[level]({ ...lineOf(facts, begun), route: name, trigger }, 'request');
      }
    },
  };
}

/** The facts of every line; what is not known is left out. */
function lineOf({ id, door, kind, token, rows }: RequestFacts, begun: number) {
  return {
    request: id,
    door,
    ...(kind === null ? {} : { kind }),
    ...(token === null ? {} : { token }),
    ms: Math.round((performance.now() - begun) * 10) / 10,
    ...(rows === null ? {} : { rows }),
  };
}

/** The template of the route that answered; null where none did. */
function routeOf({ route }: Request): string | null {
  return typeof route?.path === 'string' ? route.path : null;
}
