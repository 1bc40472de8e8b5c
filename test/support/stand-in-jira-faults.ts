import type { ServerResponse } from 'node:http';
import type { Fault } from './stand-in-keychain-faults.ts';

/**
 * What Jira does in place of an answer. `answer` is what it would have said, made only when asked for. Faults of other
 * stand-ins serve as well.
 */
export type JiraFault = (
  response: ServerResponse,
  goOn: () => void,
  answer: () => { readonly status: number; readonly text: string },
) => void;

/** Too many requests, the way Jira Cloud says so. */
export function rateLimited(seconds: number, reason = 'jira-burst-based'): JiraFault {
  return refusal(429, 'Rate limit exceeded.', { 'Retry-After': String(seconds), 'RateLimit-Reason': reason });
}

/** Not now; with null nothing says when. */
export function unavailable(seconds: number | null): JiraFault {
  return refusal(503, 'Service Unavailable', seconds === null ? {} : { 'Retry-After': String(seconds) });
}

/** An answer of Jira with one of its sentences. */
export function refusal(status: number, sentence: string, headers: Record<string, string> = {}): JiraFault {
  return (response) => {
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ errorMessages: [sentence], errors: {} }));
  };
}

/** The right answer as another version of Jira would spell it. */
export function altered(alter: (body: unknown) => unknown): JiraFault {
  return (response, _goOn, answer) => {
    const { status, text } = answer();
    response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(alter(JSON.parse(text))));
  };
}

/** Lets something happen while the question is under way, before it is answered. */
export function meanwhile(happens: () => void): Fault {
  return (_response, goOn) => {
    happens();
    goOn();
  };
}

/** The right answer, and something that happens right after it was made. */
export function afterwards(happens: () => void): JiraFault {
  return (response, _goOn, answer) => {
    const { status, text } = answer();
    happens();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
  };
}
