import type { Duplex } from 'node:stream';
import { dialectAt, pathOf } from './dialect-at.ts';
import { errorReply } from './error-reply.ts';
import { Refusal } from './refusal.ts';
import type { HttpParts } from './route.ts';
import { routes } from './routes/index.ts';

/**
 * Answers what is no HTTP request at all, in the wire format of every failure: the listener of a server's event
 * `clientError`.
 */
export function answerClientError(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array },
  socket: Duplex,
  parts: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = refusalOf(error.code);
  const dialect = dialectAt(pathOf(targetOf(error.rawPacket)), routes);
  const text = JSON.stringify(errorReply(refusal, '', parts, { dialect }).body);
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.message}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}

/** The target of a request line, as far as the bytes that could not be read begin with one. */
function targetOf(bytes: Uint8Array = new Uint8Array()): string {
  const [, target = ''] = /^[A-Z]+ (\S+)/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  return target;
}

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal(431, 'The request line and the headers are too large. Try: 16 KiB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Refusal(413, 'The chunk extensions of the body are too large. Try: 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal(408, 'The request did not arrive in time.');
    default:
      return new Refusal(400, 'This is not an HTTP/1.1 request.');
  }
}
