import type { Request, RequestHandler, Response } from 'express';

/** How somebody is told that they may not come in. */
export type Refuse = (request: Request, response: Response) => void;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Lets only the page itself in: no other site's script, and no foreign name that leads to this machine. */
export function sameOrigin(hosts: () => readonly string[], refuse: Refuse = refuseAsJson): RequestHandler {
  return (request, response, next) => {
    const host = nameOf(`http://${request.headers.host ?? ''}`);
    const allowed = [...loopback, ...hosts()];
    const known = allowed.includes(host) || allowed.includes('*');
    if (known && isOwn(request)) next();
    else refuse(request, response);
  };
}

/** The refusal a program can read. */
export function refuseAsJson(_: Request, response: Response): void {
  response.status(403).json({ ok: false, error: 'not_same_origin' });
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
