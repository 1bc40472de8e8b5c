import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { PlaygroundOptions } from './playground-options.ts';
import { refusalAs, refusalWith } from './same-origin.ts';

const needed =
  'This playground shows issues that are not the sample, so it opens only with the link that Dwell prints when it starts, on standard output and in the log.';

/** Whether the browser of a request may come in: no code is needed, or its cookie has it. */
export async function mayEnter(request: IncomingMessage, options: PlaygroundOptions): Promise<boolean> {
  const { entry } = options;
  if (entry === undefined) return true;
  const codes = cookiesOf(request, cookieName(options));
  return codes.some((code) => isSame(code, entry.code)) || !(await entry.isNeeded());
}

const refusalAsJson = refusalAs('code_required');
const refusals = { json: refusalAsJson, page: refusalWith([needed], refusalAsJson) };

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
