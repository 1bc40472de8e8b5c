import type { ServerResponse } from 'node:http';

/** What a server does in place of an answer; `goOn` answers as if nothing had been. */
export type Fault = (response: ServerResponse, goOn: () => void) => void;

/** The page of Jira about a licence of the app that does not hold. */
export const licencePage: Fault = page(401, 'Unauthorized (401)', 'Unauthorized access');

/** The page of Jira about a user whom it does not let in. */
export const userPage: Fault = page(
  401,
  'Unauthorized (401)',
  'Basic Authentication Failure - Reason : AUTHENTICATED_FAILED',
);

/** What an admin's switch leaves of the interface. */
export const switchedOff: Fault = page(503, 'Service Unavailable (503)', 'Rest API is disabled');

/** Too many requests; `retryAfter` is the header, in seconds or as a date. */
export function tooMany(retryAfter: string): Fault {
  return (response) => {
    response.writeHead(429, { 'Retry-After': retryAfter, 'Content-Type': 'text/plain' }).end('Slow down');
  };
}

/** Announces more than it sends, and hangs up. */
export const halfABody: Fault = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
  response.write('{"delegator":"ada","asOf":"20', () => response.destroy());
};

/** Hangs up at once. */
export const hangUp: Fault = (response) => {
  response.destroy();
};

/** Leads elsewhere, as a log-in page does; with null it does not say where. */
export function redirect(location: string | null): Fault {
  return (response) => {
    response.writeHead(302, location === null ? {} : { Location: location }).end();
  };
}

/** Another body than expected, as JSON. */
export function json(body: unknown, status = 200): Fault {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** A page of whatever is before or around the service. */
export function page(status: number, title: string, text: string): Fault {
  return (response) => {
    response
      .writeHead(status, { 'Content-Type': 'text/html;charset=UTF-8' })
      .end(`<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`);
  };
}

/** An answer that is right, once it is let go. */
export function held(): { readonly fault: Fault; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { fault: (_response, goOn) => void promise.then(goOn), release: resolve };
}
