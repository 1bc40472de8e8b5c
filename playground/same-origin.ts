import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { PlaygroundOptions } from './playground-options.ts';

/** How somebody is told that they may not come in, and why. */
type Refuse = (request: Request, response: Response, why?: string) => void;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** What proxies add to the requests they pass on. */
const addedByProxies = /^(x-forwarded-.+|forwarded|x-real-ip|via)$/;

/** Whoever comes in can act as anybody: only under names it was told, and through a proxy only where it was told so. */
export function onlyNamed(options: PlaygroundOptions, refuse: Refuse = refuseAsJson): RequestHandler {
  return (request, response, next) => {
    const why = whyNotNamed(request, options);
    if (why === null) next();
    else refuse(request, response, why);
  };
}

/** Why a request does not reach the playground as it was meant to be reached, as a sentence; null where it does. */
export function whyNotNamed(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { url, hosts = [], behindProxy = false }: Pick<PlaygroundOptions, 'url' | 'hosts' | 'behindProxy'>,
): string | null {
  const added = Object.keys(headers).find((name) => addedByProxies.test(name));
  if (added !== undefined && !behindProxy)
    return `The playground does not answer through a proxy (header ${added}); to open it to others, set PLAYGROUND=on.`;
  const allowed = [...loopback, nameOf(url()), ...hosts];
  if (allowed.includes(nameOf(`http://${headers.host ?? ''}`))) return null;
  return `The playground does not answer under the name '${headers.host ?? ''}'; to open it to others, set PLAYGROUND=on and BASE_URL to the address they use.`;
}

/** Lets only the page itself in, and no other site's script. */
export function sameOrigin(refuse: Refuse = refuseAsJson): RequestHandler {
  return (request, response, next) => {
    if (isOwn(request)) next();
    else refuse(request, response);
  };
}

/** The refusal a program can read. */
function refuseAsJson(_: Request, response: Response, why?: string): void {
  const details = why === undefined ? {} : { response_metadata: { messages: [why] } };
  response.status(403).json({ ok: false, error: 'not_same_origin', ...details });
}

function isOwn({ headers, method }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && method === 'GET')) return false;
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}

function nameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Not here</title>
  <style>
    :root { color-scheme: light dark; }
    body { max-width: 32em; margin: 20vh auto; padding: 0 24px; font: 16px / 1.5 system-ui, sans-serif; }
  </style>
</head>
<body>
  <p>This playground answers only on the machine it runs on, or under the name in BASE_URL.</p>
  <p>To open it to others, set PLAYGROUND=on and BASE_URL to the address they use. Anyone who can open it can act as anyone in it.</p>
</body>
</html>
`;

/** Refuses the page itself: in words to somebody in front of a browser, as JSON to everything else. */
export function refusePage(request: Request, response: Response, why?: string): void {
  if (request.accepts(['json', 'html']) !== 'html') return void refuseAsJson(request, response, why);
  response
    .status(403)
    .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    .set('x-content-type-options', 'nosniff')
    .type('html')
    .send(html);
}
