import type { Instant } from '../../model/issue.ts';
import type { KeychainAnswer, KeychainRequest, NoAnswer } from './send-once.ts';
import { TOO_LARGE } from './send-once.ts';

const TRIES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** How it is waited between tries. */
export interface Pauses {
  readonly now: () => Instant;
  readonly wait: (ms: number) => Promise<void>;
  /** From 0 to 1: clients that failed together shall not come back together. */
  readonly random: () => number;
}

/**
 * Sends a request up to three times, until there is an answer that another try would not better. What changes
 * something is repeated only when it was surely not done: nobody wants a delegation twice.
 */
export async function sendAgain(
  send: () => Promise<KeychainAnswer | NoAnswer>,
  method: KeychainRequest['method'],
  pauses: Pauses,
): Promise<KeychainAnswer | NoAnswer> {
  for (let tried = 1; ; tried++) {
    const outcome = await send();
    if (tried === TRIES || !isWorthAnotherTry(outcome, method)) return outcome;
    const pause = pauseAfter(outcome, tried, pauses);
    if (pause > LONGEST_PAUSE_MS) return outcome;
    await pauses.wait(pause);
  }
}

function isWorthAnotherTry(outcome: KeychainAnswer | NoAnswer, method: KeychainRequest['method']): boolean {
  if (outcome.kind === 'none') return (!outcome.sent || method === 'GET') && outcome.code !== TOO_LARGE;
  if (outcome.status === 429) return true;
  return method === 'GET' && [502, 503, 504].includes(outcome.status);
}

/** Twice as long each time, a random half of it left out; longer where the service asks for it. */
function pauseAfter(outcome: KeychainAnswer | NoAnswer, tried: number, { now, random }: Pauses): number {
  const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (1 - random() / 2);
  const wished = outcome.kind === 'answer' ? outcome.retryAfter : null;
  return wished === null ? pause : Math.max(pause, retryAfterMs(wished, now()));
}

/** Seconds, or the date and time from which on; whatever else stands there is no wish (RFC 9110, 10.2.3). */
function retryAfterMs(text: string, now: Instant): number {
  const wished = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wished) ? 0 : wished;
}
