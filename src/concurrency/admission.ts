import { AppError } from '../model/error.ts';
import { noteRequest } from './request-scope.ts';

/** The load of a process, and chance (0 to below 1) by which refused clients do not come back together. */
export interface Load {
  /** Returns how late (ms) the event loop came round of late. */
  readonly lateMs: () => number;
  readonly random: () => number;
  readonly onRefused: (refusal: { readonly why: 'requests' | 'reports' }) => void;
}

/** Requests under way beyond which others are refused. */
const MAX_REQUESTS = 1_000;

/** A loop that is later (ms) has more work than it can do, unless only a few requests are under way. */
const MAX_LATE_MS = 250;
const MIN_REQUESTS = 32;

/** Requests whose bodies are read while it is unknown who sent them: a stranger can let a body take minutes. */
const MAX_UNREAD = 250;

/** The paths of supervisors, which are always answered: a restart would make an overload worse. */
export const supervisedPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** The part of an answer over HTTP by which its request is counted. */
interface Answer {
  readonly closed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Refuses requests while those under way are more than the process can do. */
export interface Admission {
  /** Counts a request until its answer closes; fails as `overloaded` for one too many. */
  enter(path: string, response: Answer): void;
  /** The request is one for a long answer, which turns limit: it does not count any more. */
  leave(response: Answer): void;
  /**
   * Reads the body of a request before it is known who sent it. It counts apart meanwhile, so that bodies that do not come
   * keep out no one who is known; fails as `overloaded` for one too many.
   */
  reading<Body>(response: Answer, read: () => Promise<Body>): Promise<Body>;
}

/** Creates the admission of a process. */
export function createAdmission({ lateMs, random, onRefused }: Load): Admission {
  const underWay = new Set<Answer>();
  const unread = new Set<Answer>();
  const refusal = () => {
    onRefused({ why: 'requests' });
    return overloaded('Dwell is busy with other requests. Try again in a moment.', random);
  };
  return {
    enter(path, response) {
      if (supervisedPaths.has(path) || response.closed === true) return;
      const { size } = underWay;
      if (size >= MAX_REQUESTS || (size >= MIN_REQUESTS && lateMs() > MAX_LATE_MS)) throw refusal();
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
    },
    leave: (response) => void underWay.delete(response),
    async reading(response, read) {
      if (unread.size >= MAX_UNREAD) throw refusal();
      const isCounted = underWay.delete(response);
      unread.add(response);
      try {
        return await read();
      } finally {
        unread.delete(response);
        if (isCounted && response.closed !== true) underWay.add(response);
      }
    },
  };
}

/** Seconds after which a client that was refused for now tries again, on average. */
const RETRY_AFTER_SECONDS = 10;

/** A refusal under load: clients come back after five to fifteen seconds. */
export function overloaded(sentence: string, random: () => number): AppError {
  noteRequest({ reason: 'overloaded' });
  const retryAfterSeconds = Math.round(RETRY_AFTER_SECONDS * (0.5 + random()));
  return new AppError('overloaded', sentence, [], { data: { retryAfterSeconds } });
}

/** The header with the time after which a client that was refused for now tries again. */
export function retryAfter({ data }: AppError): Readonly<Record<string, string>> {
  return { 'Retry-After': String(data.retryAfterSeconds ?? RETRY_AFTER_SECONDS) };
}

/** The interval (ms) at which the event loop is looked at, and the looks that count. */
const LOOK_MS = 50;
const LOOKS = 4;

/**
 * Watches how late (ms) the event loop comes round: the least of the last looks, since one long pause, of the machine or
 * for garbage, is no load. `now` is in ms of any clock that only goes forward.
 */
export function watchLoop(now = () => performance.now()): {
  readonly lateMs: () => number;
  readonly stop: () => void;
} {
  const delays = new Array<number>(LOOKS).fill(0);
  let due = now() + LOOK_MS;
  const timer = setInterval(() => {
    delays.push(now() - due);
    delays.shift();
    due = now() + LOOK_MS;
  }, LOOK_MS).unref();
  return { lateMs: () => Math.max(0, Math.min(...delays)), stop: () => clearInterval(timer) };
}
