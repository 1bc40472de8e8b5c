import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { HttpCall, HttpSurroundings } from '../http-client/http-client.ts';
import type { Instant } from '../model/issue.ts';

/** Fine enough for pauses of some seconds. */
const RANDOM_STEPS = 1_000_000;

/** The machine's timers and chance, as clients of other services use them. */
export function httpSurroundings(now: () => Instant, onCall?: (call: HttpCall) => void): HttpSurroundings {
  return {
    now,
    onCall,
    // An abortable wait keeps the process alive; any other does not.
    wait: (ms, signal) =>
      setTimeout(ms, undefined, signal === undefined ? { ref: false } : { signal }).catch(() => {}),
    random: () => randomInt(RANDOM_STEPS + 1) / RANDOM_STEPS,
    deadline: (ms) => AbortSignal.timeout(ms),
  };
}
