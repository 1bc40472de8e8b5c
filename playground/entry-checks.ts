import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { PlaygroundOptions } from './playground-options.ts';

/** How somebody is told that they may not come in, and why. */
type Refuse = (request: Request, response: Response, why?: string) => void;

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** What proxies add to the requests they pass on. */
const addedByProxies = /^(x-forwarded-.+|forwarded|x-real-ip|via)$/;

/** Whoever comes in can act as anybody: only under names it was told, and through a proxy only where it was told so. */
export function onlyNamed(options: PlaygroundOptions, refuse: Refuse = refusalAsJson): RequestHandler {
  return (request, response, next) => {
    const why = addressProblem(request, options);
    if (why === null) next();
    else refuse(request, response, why);
  };
}

/** Why a request does not reach the playground as it was meant to be reached, as a sentence; null where it does. */
export function addressProblem(
  { headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  { url, hosts = [], behindProxy = false }: Pick<PlaygroundOptions, 'url' | 'hosts' | 'behindProxy'>,
): string | null {
  const added = Object.keys(headers).find((name) => addedByProxies.test(name));
  if (added !== undefined && !behindProxy)
    return `The playground does not answer through a proxy (header ${added}); to open it to others, set PLAYGROUND=on.`;
  // A proxy that adds no header shows by its protocol: no browser has spoken this one for decades.
  if (httpVersion === '1.0' && !behindProxy)
    return 'The playground does not answer HTTP/1.0, which proxies such as nginx before 1.29.7 speak by default; to open it to others, set PLAYGROUND=on.';
  const allowed = [...loopback, nameOf(url()), ...hosts];
  if (allowed.includes(nameOf(`http://${headers.host ?? ''}`))) return null;
  return `The playground does not answer under the name '${headers.host ?? ''}'; to open it to others, set PLAYGROUND=on and BASE_URL to the address they use.`;
}

/** Lets only the page itself in, and no other site's script. */
export function sameOrigin(refuse: Refuse = refusalAsJson): RequestHandler {
  return (request, response, next) => {
    if (isOwn(request)) next();
    else refuse(request, response);
  };
}

/** The refusal a program can read, with this word. */
function refusalAs(error: string): Refuse {
  return (_, response, why) => {
    const details = why === undefined ? {} : { response_metadata: { messages: [why] } };
    response.status(403).json({ ok: false, error, ...details });
  };
}

const refusalAsJson = refusalAs('not_same_origin');

function isOwn({ headers, method }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && method === 'GET')) return false;
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}

function nameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

const pageOf = (sentences: readonly string[]) => `<!doctype html>
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
${sentences.map((sentence) => `  <p>${sentence}</p>`).join('\n')}
</body>
</html>
`;

const elsewhere = [
  'This playground answers only on the machine it runs on, or under the name in BASE_URL.',
  'To open it to others, set PLAYGROUND=on and BASE_URL to the address they use. Anyone who can open it can act as anyone in it.',
];

/** Refuses the page itself with these sentences, none of which holds what was sent; as JSON to everything but a browser. */
function refusalWith(sentences: readonly string[], asJson: Refuse): Refuse {
  return (request, response, why) => {
    if (request.accepts(['json', 'html']) !== 'html') return void asJson(request, response, why);
    response
      .status(403)
      .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .set('x-content-type-options', 'nosniff')
      .type('html')
      .send(pageOf(sentences));
  };
}

/** Refuses the page where it was not meant to be reached: in words in front of a browser, else as JSON. */
export const refusePage = refusalWith(elsewhere, refusalAsJson);

const needed =
  'This playground shows issues that are not the sample, so it opens only with the link that Dwell prints when it starts, on standard output and in the log.';

/** Whether the browser of a request may come in: no code is needed, or its cookie has it. */
export async function mayEnter(request: IncomingMessage, options: PlaygroundOptions): Promise<boolean> {
  const { entry } = options;
  if (entry === undefined) return true;
  const codes = cookiesOf(request, cookieName(options));
  return codes.some((code) => isSame(code, entry.code)) || !(await entry.isNeeded());
}

const codeRefusal = refusalAs('code_required');
const refusals = { json: codeRefusal, page: refusalWith([needed], codeRefusal) };

/** Lets in who may enter; the others read how, on a page or as JSON. */
export function onlyWithCode(options: PlaygroundOptions, as: keyof typeof refusals = 'json'): RequestHandler {
  return async (request, response, next) => {
    if (await mayEnter(request, options)) next();
    else refusals[as](request, response, needed);
  };
}

/** Takes the code out of the address of the page and into a cookie. */
export function takeCode(options: PlaygroundOptions): RequestHandler {
  return (request, response, next) => {
    const { code } = request.query;
    if (options.entry === undefined || typeof code !== 'string' || !isSame(code, options.entry.code))
      return next();
    response
      .cookie(cookieName(options), code, { httpOnly: true, sameSite: 'strict', path: '/' })
      .set('referrer-policy', 'no-referrer')
      .redirect(303, './');
  };
}

/** Browsers keep one set of cookies for all ports of a machine. */
function cookieName({ url }: PlaygroundOptions): string {
  return `dwell_playground_${new URL(url()).port}`;
}

function cookiesOf({ headers }: IncomingMessage, wanted: string): readonly string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split('=');
    return name === wanted ? [value] : [];
  });
}

/** In a time that does not depend on how much of it is right. */
function isSame(given: string, code: string): boolean {
  const [one, other] = [given, code].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
