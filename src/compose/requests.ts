import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import type { WorkObserver } from '../concurrency/leased-worker.ts';
import { inRequest, newRequest, noteRequest, type RequestFacts } from '../concurrency/request-scope.ts';
import type { SlackTrigger } from '../slack/app/payloads.ts';
import type { Meters } from '../telemetry/meters.ts';
import { isTracing, type NoteSpan, traced } from '../telemetry/tracing.ts';

/** An id from outside that is taken: visible ASCII. */
const foreignId = /^[!-~]{1,128}$/;

/** Probes come every few seconds, and are no news. */
const probes: ReadonlySet<string | null> = new Set(['/healthz', '/readyz', '/metrics']);

/** Events of Slack that no one waits for; a workspace of thousands sends many. */
const notices: ReadonlySet<string | null> = new Set(['app_context_changed', 'team_join', 'user_change']);

/** Gives each request an id, which all of its lines in the log have, logs it in one line once it is answered, and measures it. */
export interface Requests {
  /** The middleware of the web server, before everything that answers. */
  http(request: Request, response: Response, next: NextFunction): void;
  /** Runs the answer to what Slack sent; the work calls `onAcknowledged`. */
  slack(trigger: SlackTrigger, work: (onAcknowledged: () => void) => Promise<void>): Promise<void>;
  /** Sees the work that the clock sets off. */
  readonly work: WorkObserver;
}

/** Creates the log and the measurement of requests. */
export function createRequests({
  log,
  meters,
  tenant,
}: {
  readonly log: Logger;
  readonly meters: Meters;
  readonly tenant: string;
}): Requests {
  /** The facts of every line and span; what is not known is left out. */
  function close({ id, door, kind, token, rows, reason, limit }: RequestFacts, ms: number, note: NoteSpan) {
    meters.answerDuration({ tenant, door, kind: kind ?? 'other' }, ms / 1000);
    const found = { ...(kind === null ? {} : { kind }), ...(rows === null ? {} : { rows }) };
    note({ door, ...found });
    return {
      request: id,
      door,
      ms: Math.round(ms * 10) / 10,
      ...found,
      ...(token === null ? {} : { token }),
      ...(reason === null ? {} : { reason }),
      ...(limit === null ? {} : { limit }),
    };
  }

  // A counter that begins at 1 never rose.
  for (const outcome of ['made', 'failed']) meters.exports({ tenant, outcome }, 0);
  for (const outcome of ['posted', 'late', 'silent', 'skipped', 'failed'])
    meters.digests({ tenant, outcome }, 0);
  for (const outcome of ['posted', 'refused', 'later', 'unknown', 'failed'])
    meters.alerts({ tenant, outcome }, 0);

  return {
    http(request, response, next) {
      const given = request.get('x-request-id') ?? '';
      const facts = newRequest('http', foreignId.test(given) ? given : undefined);
      response.setHeader('X-Request-Id', facts.id);
      const { socket, method } = request;
      const [begun, before] = [performance.now(), socket.bytesWritten];
      const onClose = (note: NoteSpan) => {
        const ms = performance.now() - begun;
        const route = facts.route ?? routeOf(request);
        const { statusCode: status } = response;
        const labels = { tenant, route: route ?? 'none', method };
        meters.httpRequests({ ...labels, status: String(status) }, 1);
        meters.httpDuration(labels, ms / 1000);
        note({ 'http.route': labels.route, 'http.response.status_code': status });
        log[probes.has(route) ? 'debug' : 'info'](
          {
            ...close(facts, ms, note),
            route,
            method,
            status,
            bytes: socket.bytesWritten - before,
            ...(response.writableFinished ? {} : { cut: true }),
          },
          'request',
        );
      };
      if (!isTracing()) {
        response.once('close', () => onClose(() => {}));
        return inRequest(facts, next);
      }
      void traced(
        'http',
        { tenant, 'http.request.method': method },
        (note) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          response.once('close', () => {
            onClose(note);
            resolve();
          });
          inRequest(facts, next);
          return promise;
        },
        { place: 'door', traceparent: request.get('traceparent') },
      );
    },
    slack({ trigger, name }, work) {
      const facts = newRequest('slack');
      facts.route = name;
      const begun = performance.now();
      const onAcknowledged = () =>
        meters.slackAcknowledgements({ tenant, trigger }, (performance.now() - begun) / 1000);
      const run = async (note: NoteSpan) => {
        try {
          await inRequest(facts, () => work(onAcknowledged));
        } finally {
          const level = notices.has(name) ? 'debug' : 'info';
          log[level]({ ...close(facts, performance.now() - begun, note), route: name, trigger }, 'request');
        }
      };
      return traced('slack', { tenant, trigger, name: name ?? '' }, run, { place: 'door' });
    },
    work: {
      run(kind, work) {
        const facts = newRequest('clock');
        facts.kind = kind;
        const begun = performance.now();
        const run = async (note: NoteSpan) => {
          try {
            return await inRequest(facts, async () => {
              const result = await work();
              // Answers within it have noted theirs.
              noteRequest({ kind });
              return result;
            });
          } finally {
            log.info(close(facts, performance.now() - begun, note), 'work');
          }
        };
        return traced('clock', { tenant, kind }, run, { place: 'door' });
      },
      ended(kind, outcome) {
        if (kind === 'export') meters.exports({ tenant, outcome }, 1);
        if (kind === 'digest') meters.digests({ tenant, outcome }, 1);
        if (kind === 'alert') meters.alerts({ tenant, outcome }, 1);
      },
    },
  };
}

/** The template of the route that answered; null where none did. */
function routeOf({ route }: Request): string | null {
  return typeof route?.path === 'string' ? route.path : null;
}
