import { createTisClient, type TisClient } from '../../src/hosted/tis-client.ts';
import { caseNow } from '../support/case-reporting.ts';

/** A client that waits for nothing, in the world of the cases; `waits` is told how long it would have. */
export function hostedClient(access: Parameters<typeof createTisClient>[0], waits: number[] = []): TisClient {
  return createTisClient(access, {
    now: caseNow,
    wait: async (ms) => void waits.push(ms),
    random: () => 0,
    deadline: () => new AbortController().signal,
  });
}
