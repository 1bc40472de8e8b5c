import type { IncomingMessage, RequestListener } from 'node:http';
import { dialectAt, pathOf } from './dialect-at.ts';
import { errorReply } from './error-reply.ts';
import { Refusal } from './refusal.ts';
import type { HttpParts } from './route.ts';
import { routes } from './routes/index.ts';

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
