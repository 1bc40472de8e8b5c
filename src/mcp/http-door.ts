import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { AppError, sentencesOf } from '../model/error.ts';
import type { Principal } from '../model/request.ts';
import { createMcpServers } from './create-mcp-server.ts';
import type { ToolParts } from './tool.ts';

/** Bytes. */
const LARGEST_BODY = 1_000_000;

/** Error codes of JSON-RPC, and one of the range it leaves to servers. */
const codes = { parseError: -32_700, invalidRequest: -32_600, internal: -32_603, refused: -32_000 };

/** What the door is built over; `baseUrl` is also the only origin that a browser may come from. */
export interface McpHttpParts extends ToolParts {
  readonly baseUrl: string;
  /** Who the header `Authorization` speaks for; an AppError where it holds for no one. */
  readonly principalOf: (authorization: string | undefined) => Promise<Principal>;
}

/** The door for assistants over HTTP: nothing is kept between two requests. */
export function createMcpRouter(parts: McpHttpParts, log: Logger): Router {
  const serverFor = createMcpServers(parts, log);
  const router = express.Router();
  const { origin: ownOrigin } = new URL(parts.baseUrl);

  /** Rights come before the body, which is not read for strangers. */
  async function admit(request: Request, response: Response, next: NextFunction): Promise<void> {
    const origin = request.get('origin');
    if (request.method !== 'POST') {
      response.set('Allow', 'POST');
      return refuse(response, 405, codes.refused, 'Only POST is answered here: there are no sessions.');
    }
    if (origin !== undefined && origin !== ownOrigin) {
      return refuse(response, 403, codes.refused, `Requests from the origin '${origin}' are not answered.`);
    }
    response.locals.principal = await parts.principalOf(request.get('authorization'));
    next();
  }

  router.use(admit, express.json({ limit: LARGEST_BODY, type: () => true, strict: false }));
  router.use(async (request: Request, response: Response) => {
    const server = serverFor(response.locals.principal);
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: LARGEST_BODY,
    });
    // Whoever goes away ends what is done for them.
    response.once('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, request.body);
  });
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) return void response.destroy();
    if (error instanceof AppError) return refuseAsSaid(error, response, log);
    const status = statusOf(error);
    if (status === 413) {
      return refuse(
        response,
        413,
        codes.invalidRequest,
        `The body is too large. Try: ${LARGEST_BODY} bytes.`,
      );
    }
    if (status === 415) {
      return refuse(response, 415, codes.invalidRequest, 'The encoding of the body is not known. Try: gzip.');
    }
    if (status === 400) return refuse(response, 400, codes.parseError, 'Parse error: the body is not JSON.');
    log.error({ err: error }, 'a request of an assistant failed');
    refuse(response, 500, codes.internal, 'Something went wrong on our side.');
  });
  return router;
}

function refuseAsSaid(error: AppError, response: Response, log: Logger): void {
  const message = sentencesOf(error).join(' ');
  if (error.code === 'not-authenticated') {
    response.set('WWW-Authenticate', 'Bearer realm="Dwell", TISJWT realm="Dwell", Basic realm="Dwell"');
    refuse(response, 401, codes.refused, message);
  } else {
    log.error({ err: error }, 'a request of an assistant failed');
    refuse(response, 503, codes.internal, message);
  }
}

function refuse(response: Response, status: number, code: number, message: string): void {
  response.status(status).json({ jsonrpc: '2.0', error: { code, message }, id: null });
}

/** What the reader of bodies says of a body that is wrong. */
function statusOf(error: unknown): unknown {
  return error !== null && typeof error === 'object' && 'status' in error ? error.status : null;
}
