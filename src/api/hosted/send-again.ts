import { askedToWait } from '../../http-client/asked-to-wait.ts';
import { backOff } from '../../http-client/back-off.ts';
import { type HttpAnswer, isFinal, type NoAnswer, TOO_SLOW } from '../../http-client/send-once.ts';
import type { Instant } from '../../model/issue.ts';

const TRIES = 3;
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
  send: () => Promise<HttpAnswer | NoAnswer>,
  repeating: Repeating,
  pauses: Pauses,
): Promise<HttpAnswer | NoAnswer> {
  for (let tried = 1; ; tried++) {
    const outcome = await send();
    if (tried === (repeating.tries ?? TRIES) || !isWorthAnotherTry(outcome, repeating)) return outcome;
    const pause = pauseAfter(outcome, tried, pauses);
    if (pause > (repeating.longestPauseMs ?? LONGEST_PAUSE_MS)) return outcome;
    await pauses.wait(pause);
  }
}

function isWorthAnotherTry(outcome: HttpAnswer | NoAnswer, { repeatable, whenSlow }: Repeating): boolean {
  if (outcome.kind === 'none') {
    if (isFinal(outcome)) return false;
    return !outcome.sent || (repeatable && (whenSlow || outcome.code !== TOO_SLOW));
  }
  if (outcome.status === 429) return true;
  return repeatable && [502, 503, 504].includes(outcome.status);
}

/** Longer each time, and longer still where the service asks for it. */
function pauseAfter(outcome: HttpAnswer | NoAnswer, tried: number, { now, random }: Pauses): number {
  const wished = outcome.kind === 'answer' ? askedToWait(outcome.headers, now()) : null;
  return Math.max(backOff(tried, random), wished ?? 0);
}
