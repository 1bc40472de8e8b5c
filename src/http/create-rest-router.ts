import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { shown } from '../api/parameters/parameter.ts';
import { type Turn, takeTurn } from '../concurrency/answer-turns.ts';
import { failureReference } from '../concurrency/request-scope.ts';
import { AppError, failureText } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import { dialectAt, errorReply, isForeseen, Refusal } from './failures.ts';
import { routes } from './resources/index.ts';
import type { AnyRoute, HttpParts } from './route.ts';
import { sendBody, sendFile } from './send.ts';

/** The folder of Swagger UI, which renders the description. */
const renderer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));

/** The REST door: every route of the list, and one translation of failures for all of them. */
export function createRestRouter(parts: HttpParts, log: Logger): Router {
  const router = express.Router();
  router.use(async (request, response, next) => {
    await parts.limits.arrive(request, response);
    parts.admission.enter(request.path, response);
    next();
  });
  router.use(assertWellFormed);
  // Addresses in the page are relative to one without a slash at its end.
  router.get('/docs', (request, response, next) =>
    request.path.endsWith('/') ? response.redirect(308, '../docs') : next(),
  );
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/docs/${file}`, async (_request, response) => {
      response
        .set('Cache-Control', 'no-cache')
        .type(extname(file))
        .send(await readFile(join(renderer, file)));
    });
  }
  for (const [path, methods] of routesByPath()) {
    router.all(path, async (request, response) => {
      response.locals.beside = named(request);
      const route = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
      const allow = allowed(methods);
      if (request.method === 'OPTIONS') return void response.set('Allow', allow).status(204).end();
      if (route === undefined) throw notAllowed(request, allow);
      const gone = untilGone(response);
      let turn: Turn | null = null;
      const turnOf = async (principal: Principal) => {
        parts.admission.leave(response);
        turn = await takeTurn(parts.turns, { principal, response, signal: gone });
      };
      const reply = await route
        .serve(request, response, { ...parts, routes, gone, turnOf })
        .finally(() => turn?.made());
      if ('file' in reply) await sendFile(reply, request, response);
      else await sendBody(request, response, reply);
    });
  }
  router.use((request) => {
    throw new AppError('unknown-endpoint', 'Not found', [
      `No such endpoint: ${request.method} '${request.path}'.`,
    ]);
  });
  /** True if a failure only means that the initial sync is under way, which needs no attention. */
  async function isTooEarly({ code, cause }: AppError): Promise<boolean> {
    const isExpected = code === 'unavailable' && cause === undefined;
    return isExpected && (await parts.firstFill().catch(() => null)) !== null;
  }
  router.use(async (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof ClientGone && response.closed) return;
    const reference = failureReference();
    // The path only: a query may carry a token.
    const facts = { reference, path: request.path };
    if (error instanceof AppError && error.reason === 'overloaded') {
      log.info({ ...facts, why: failureText(error) }, 'request refused because others are still answered');
    } else if (error instanceof AppError && (await isTooEarly(error))) {
      log.info({ ...facts, why: failureText(error) }, 'request refused during the initial sync');
    } else if (!isForeseen(error) || (error instanceof AppError && error.code === 'unavailable')) {
      log.error({ err: error, ...facts }, 'request failed');
    }
    // Half an answer cannot become a failure: the client notices by the end of the connection.
    if (response.headersSent) return void response.destroy();
    const dialect = dialectAt(request.path, routes);
    const place = { ...response.locals.beside, dialect };
    await sendBody(request, response, errorReply(error, reference, parts, place));
  });
  return router;
}

/** The export of the path, which every failure names as well. */
function named({ params: { exportId } }: Request): { readonly exportId?: string } {
  return exportId === undefined ? {} : { exportId: shown(String(exportId)) };
}

/** The routes by path and method; a path with a placeholder comes after those that are spelled out. */
function routesByPath(): [string, ReadonlyMap<string, AnyRoute>][] {
  const byPath = new Map<string, Map<string, AnyRoute>>();
  for (const route of routes) {
    for (const path of route.paths) {
      const methods = byPath.get(path) ?? new Map<string, AnyRoute>();
      byPath.set(path, methods);
      for (const method of route.methods) methods.set(method.toUpperCase(), route);
    }
  }
  return [...byPath].sort(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')));
}

function allowed(methods: ReadonlyMap<string, AnyRoute>): string {
  return [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

function notAllowed({ method, path }: Request, allow: string): Refusal {
  const headers = { Allow: allow };
  return new Refusal(405, `${method} is not allowed at '${path}'. Try: ${allow}.`, { headers });
}

/** Refuses a path that cannot be decoded before a route is looked for. */
function assertWellFormed(request: Request, _response: Response, next: NextFunction): void {
  try {
    decodeURIComponent(request.path);
  } catch {
    throw new Refusal(400, "The path has a percent-encoding that is not UTF-8, such as '%zz'.");
  }
  next();
}

class ClientGone extends Error {
  constructor() {
    super('The client is gone.');
    this.name = 'ClientGone';
  }
}

/** Aborted with ClientGone when the connection ends before the answer is given. */
function untilGone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientGone());
  });
  return controller.signal;
}
