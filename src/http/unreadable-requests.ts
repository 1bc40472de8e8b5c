import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { dialectAt, errorReply, pathOf, Refusal } from './failures.ts';
import { routes } from './resources/index.ts';
import type { HttpParts } from './route.ts';

/**
 * Spares a handler the requests that no router could make sense of: they are answered in the wire format of every
 * failure. The server must let requests without a host through (`requireHostHeader: false`), or Node refuses those
 * without a word.
 */
export function refuseUnreadable(
  handler: RequestListener,
  parts: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
): RequestListener {
  return (request, response) => {
    const why = whyUnreadable(request);
    if (why === null) return handler(request, response);
    const dialect = dialectAt(pathOf(request.url ?? ''), routes);
    const { status = 400, body } = errorReply(new Refusal(400, why), '', parts, { dialect });
    const text = JSON.stringify(body);
    response
      .writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
        Connection: 'close',
      })
      .end(request.method === 'HEAD' ? undefined : text);
  };
}

function whyUnreadable({ url = '', headers, httpVersion }: IncomingMessage): string | null {
  if (httpVersion === '1.1' && headers.host === undefined) return 'The header Host is required.';
  return url.startsWith('/') || url === '*' || URL.canParse(url)
    ? null
    : 'The target of the request is neither a path nor an address.';
}

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
