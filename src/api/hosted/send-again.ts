import type { Instant } from '../../model/issue.ts';
import { type NoAnswer, type ServiceAnswer, TOO_LARGE, TOO_SLOW } from './send-once.ts';

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

/** How often a request may be sent. */
export interface Repeating {
  /** It changes nothing; what does is repeated only when it was surely not done: nobody wants a delegation twice. */
  readonly repeatable: boolean;
  /** What took too long once may be quicker the next time. */
  readonly whenSlow: boolean;
  readonly tries?: number;
  /** Where the service asks for more, its answer is as good as final; ten seconds unless told. */
  readonly longestPauseMs?: number;
}

/** Sends a request, up to three times unless told, until there is an answer that another try would not better. */
export async function sendAgain(
  send: () => Promise<ServiceAnswer | NoAnswer>,
  repeating: Repeating,
  pauses: Pauses,
): Promise<ServiceAnswer | NoAnswer> {
  for (let tried = 1; ; tried++) {
    const outcome = await send();
    if (tried === (repeating.tries ?? TRIES) || !isWorthAnotherTry(outcome, repeating)) return outcome;
    const pause = pauseAfter(outcome, tried, pauses);
    if (pause > (repeating.longestPauseMs ?? LONGEST_PAUSE_MS)) return outcome;
    await pauses.wait(pause);
  }
}

function isWorthAnotherTry(outcome: ServiceAnswer | NoAnswer, { repeatable, whenSlow }: Repeating): boolean {
  if (outcome.kind === 'none') {
    if (outcome.code === TOO_LARGE) return false;
    return !outcome.sent || (repeatable && (whenSlow || outcome.code !== TOO_SLOW));
  }
  if (outcome.status === 429) return true;
  return repeatable && [502, 503, 504].includes(outcome.status);
}

/** Twice as long each time, a random half of it left out; longer where the service asks for it. */
function pauseAfter(outcome: ServiceAnswer | NoAnswer, tried: number, { now, random }: Pauses): number {
  const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (1 - random() / 2);
  const wished = outcome.kind === 'answer' ? outcome.retryAfter : null;
  return wished === null ? pause : Math.max(pause, retryAfterMs(wished, now()));
}

/** Seconds, or the date and time from which on; whatever else stands there is no wish (RFC 9110, 10.2.3). */
function retryAfterMs(text: string, now: Instant): number {
  const wished = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wished) ? 0 : wished;
}
