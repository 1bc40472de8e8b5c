import { randomUUID } from 'node:crypto';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { Asker } from '../model/request.ts';
import { authenticate } from './authenticate.ts';
import { errorReply } from './error-reply.ts';
import type { HttpParts, Reply } from './route.ts';
import { routes } from './routes/index.ts';

const nobody: Asker = { user: '', admin: false };

/** The REST door: every route of the list, and one translation of failures for all of them. */
export function createRestRouter(parts: HttpParts, log: Logger): Router {
  const router = express.Router();
  for (const route of routes) {
    router[route.method](route.path, async (request, response) => {
      const asker = route.guarded ? await authenticate(request, parts.tokens) : nobody;
      send(response, await route.serve(request, asker, parts));
    });
  }
  router.use((request) => {
    throw new AppError('not-found', 'Not found', [
      `There is nothing at ${request.method} '${request.path}'.`,
    ]);
  });
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const reference = randomUUID();
    // The path only: a query may carry a token.
    if (!(error instanceof AppError))
      log.error({ err: error, reference, path: request.path }, 'request failed');
    send(response, errorReply(error, reference, parts));
  });
  return router;
}

function send(response: Response, { status = 200, type, body }: Reply): void {
  response.status(status).set('Cache-Control', 'no-store');
  if (typeof body === 'string') response.type(type ?? 'text/plain').send(body);
  else response.json(body);
}
