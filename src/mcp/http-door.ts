import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { type Admission, retryAfter } from '../concurrency/admission.ts';
import { type AnswerTurns, type Turn, takeTurn } from '../concurrency/answer-turns.ts';
import { withTaskContext, yieldToOthers } from '../concurrency/cooperative-yield.ts';
import type { RateLimits } from '../concurrency/rate-limits.ts';
import { AppError, sentencesOf } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import { createMcpServers, longToolOf } from './create-mcp-server.ts';
import { codes, errorMessage, MAX_MESSAGE_BYTES, readMessage, requestIdOf, tooLong } from './messages.ts';
import type { ToolParts } from './tool.ts';

/** The parts of the door; `baseUrl` is also the only origin from which a browser can send requests. */
export interface McpHttpParts extends ToolParts {
  /** Turns at answers that take long, which every door shares. */
  readonly turns: AnswerTurns;
  readonly limits: RateLimits;
  readonly admission: Admission;
  readonly baseUrl: string;
  /** The principal of the header `Authorization`; fails with an AppError without a valid one. */
  readonly principalOf: (authorization: string | undefined) => Promise<Principal>;
}

/** The door for assistants over HTTP, without sessions. */
export function createMcpRouter(parts: McpHttpParts, log: Logger): Router {
  const serverFor = createMcpServers(parts, null, log);
  const router = express.Router();
  const { origin: ownOrigin } = new URL(parts.baseUrl);

  /** Checks rights before the body is read. */
  async function admit(request: Request, response: Response, next: NextFunction): Promise<void> {
    await parts.limits.arrive(request, response);
    parts.admission.enter(request.baseUrl + request.path, response);
    const origin = request.get('origin');
    if (request.method !== 'POST') {
      response.set('Allow', 'POST');
      return refuse(response, 405, codes.refused, 'Only POST is answered here: there are no sessions.');
    }
    if (origin !== undefined && origin !== ownOrigin) {
      return refuse(response, 403, codes.refused, `Requests from the origin '${origin}' are not answered.`);
    }
    const principal = await parts.principalOf(request.get('authorization'));
    await parts.limits.admit(principal, response);
    response.locals.principal = principal;
    next();
  }

  /** Waits for a turn if a message calls a tool that takes long; headers of the answer have the limit. */
  async function turnOf(message: unknown, principal: Principal, response: Response): Promise<Turn | null> {
    if (longToolOf(message) === null) return null;
    parts.admission.leave(response);
    const gone = new AbortController();
    const leave = () => gone.abort();
    response.once('close', leave);
    return takeTurn(parts.turns, { principal, response, signal: gone.signal }).finally(() =>
      response.off('close', leave),
    );
  }

  async function answer(request: Request, response: Response, principal: Principal): Promise<void> {
    // Others get their turn in between, however many messages one user sends.
    await yieldToOthers();
    const read = readMessage(typeof request.body === 'string' ? request.body : '');
    if (!('message' in read)) return refuse(response, 400, read.code, read.problem);
    response.locals.id = requestIdOf(read.message);
    const turn = await turnOf(read.message, principal, response);
    if (response.closed) return;
    const server = serverFor(principal);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const send = transport.send.bind(transport);
    // Tools send nothing but their answer.
    transport.send = (...sent) => {
      turn?.made();
      return send(...sent);
    };
    // Work for a client ends when it is gone.
    response.once('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, read.message);
  }

  router.use(admit, express.text({ limit: MAX_MESSAGE_BYTES, type: () => true }));
  router.use((request: Request, response: Response) => {
    const principal: Principal = response.locals.principal;
    const owner = `${principal.tenant} ${principal.account}`;
    return withTaskContext({ owner }, () => answer(request, response, principal));
  });
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.closed) return;
    if (response.headersSent) return void response.destroy();
    if (error instanceof AppError) return sendRefusal(error, response, log);
    const status = statusOf(error);
    if (status === 413) return refuse(response, 413, tooLong.code, tooLong.problem);
    if (status === 415) {
      return refuse(response, 415, codes.invalidRequest, 'The encoding of the body is not known. Try: gzip.');
    }
    if (status === 400) return refuse(response, 400, codes.parseError, 'The body cannot be read to its end.');
    log.error({ err: error }, 'a request of an assistant failed');
    refuse(response, 500, codes.internal, 'Something went wrong on our side.');
  });
  return router;
}

function sendRefusal(error: AppError, response: Response, log: Logger): void {
  const message = sentencesOf(error).join(' ');
  if (error.code === 'not-authenticated') {
    response.set('WWW-Authenticate', 'Bearer realm="Dwell", TISJWT realm="Dwell", Basic realm="Dwell"');
    refuse(response, 401, codes.refused, message);
    return;
  }
  const isLimit = error.code === 'too-many';
  const isRefused = isLimit || error.reason === 'overloaded';
  if (!isRefused) log.error({ err: error }, 'a request of an assistant failed');
  else if (!isLimit)
    log.info({ why: message }, 'request of an assistant refused because others are still answered');
  response.set(retryAfter(error));
  refuse(response, isLimit ? 429 : 503, isRefused ? codes.refused : codes.internal, message);
}

function refuse(response: Response, status: number, code: number, message: string): void {
  response.status(status).json(errorMessage(code, message, response.locals.id));
}

/** The status with which the reader of bodies refuses a body. */
function statusOf(error: unknown): unknown {
  return error !== null && typeof error === 'object' && 'status' in error ? error.status : null;
}
