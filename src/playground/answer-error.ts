import type { ErrorRequestHandler } from 'express';

/** The end of every failure in the playground: an answer in JSON that tells nothing of the inside. */
export const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (response.headersSent) return void response.destroy();
  const [status, word] = answerTo(statusOf(error));
  response.status(status).json({ ok: false, error: word });
};

function answerTo(status: number): readonly [number, string] {
  if (status === 404) return [404, 'not_found'];
  if (status === 413) return [413, 'request_too_large'];
  return status >= 400 && status < 500 ? [400, 'invalid_request'] : [500, 'internal_error'];
}

/** Express and its body parsers say with a status that the request was at fault. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
