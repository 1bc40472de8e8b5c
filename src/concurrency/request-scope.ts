import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Actor } from '../model/audit.ts';

/** The places that requests come from; the clock calls work that no one waits for. */
type Door = 'http' | 'mcp' | 'slack' | 'clock';

/** The facts of one request, which whoever finds them out completes; null: not known, or there are none. */
export interface RequestFacts {
  /** The id that each of its lines in the log has, and that its failure names. */
  readonly id: string;
  door: Door;
  /** The template of a route such as `/rest/issue/:key`, never a path. */
  route: string | null;
  /** The kind of question, tool, command or button, out of a list of the program. */
  kind: string | null;
  /** The id of the token that proved its user, never the token. */
  token: string | null;
  /** The rows of its answer. */
  rows: number | null;
  /** The reason of a refusal under load or over a limit. */
  reason: string | null;
  /** The limit of requests that refused it. */
  limit: 'token' | 'address' | 'tenant' | null;
}

const currentRequest = new AsyncLocalStorage<RequestFacts>();

/** Runs the answer to a request, with everything that it sets off and waits for. */
export function inRequest<Result>(facts: RequestFacts, run: () => Result): Result {
  return currentRequest.run(facts, run);
}

/** Runs work for many requests, which belongs to none. */
export function outsideRequest<Result>(run: () => Result): Result {
  return currentRequest.exit(run);
}

/** Returns the facts of a request that begins; without an id it gets a new one. */
export function newRequest(door: Door, id: string = randomUUID()): RequestFacts {
  return { id, door, route: null, kind: null, token: null, rows: null, reason: null, limit: null };
}

/** Completes the facts of the request under way; without one it does nothing. */
export function noteRequest(facts: Partial<Omit<RequestFacts, 'id'>>): void {
  const request = currentRequest.getStore();
  if (request !== undefined) Object.assign(request, facts);
}

/** Returns the id of the request under way; null where there is none. */
export function requestId(): string | null {
  return currentRequest.getStore()?.id ?? null;
}

/** Returns the id under which a failure is logged: that of its request, or a new one where there is none. */
export function failureReference(): string {
  return requestId() ?? randomUUID();
}

const currentWorker = new AsyncLocalStorage<Omit<Actor, 'requestId'>>();

/** Runs the work of someone: what it changes is theirs in the audit log. Each door opens such a scope for its principal. */
export function asActor<Result>(
  { account, via, tokenId = null }: Pick<Actor, 'account' | 'via'> & Partial<Pick<Actor, 'tokenId'>>,
  work: () => Result,
): Result {
  return currentWorker.run({ account, via, tokenId }, work);
}

/** Returns the one whose work is under way, in the request under way; Dwell itself where it is no one's. */
export function currentActor(): Actor {
  const actor = currentWorker.getStore() ?? { account: null, via: 'system', tokenId: null };
  return { ...actor, requestId: requestId() };
}

/** Runs work that goes on by itself, whoever set it off. */
export function asSystem<Result>(work: () => Result): Result {
  return currentWorker.exit(work);
}

const question = new AsyncLocalStorage<object>();

/** Runs the answer to a question: what is stored may be looked at once for all of it. In an answer it is a part of that. */
export function asOneQuestion<Result>(run: () => Result): Result {
  return question.getStore() === undefined ? question.run({}, run) : run();
}

/** Returns what stands for the question that is being answered; null where none is. */
export function currentQuestion(): object | null {
  return question.getStore() ?? null;
}

/** Runs a look at what is stored now, whatever was seen for the question before. */
export function outsideQuestion<Result>(run: () => Result): Result {
  return question.exit(run);
}
