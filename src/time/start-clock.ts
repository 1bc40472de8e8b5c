import { schedule } from 'node-cron';
import type { Logger } from 'pino';

/** A clock calls functions at the start of every minute: a reminder to look whether something is due, and no more. */
export interface Clock {
  stop(): Promise<void>;
}

/**
 * Makes the process that has this environment count local time in UTC, whatever the machine's zone is. Without it the clock
 * calls nothing for an hour when clocks go back: node-cron 4.6 rounds its instants with `Date.setMilliseconds`, which takes
 * an hour that comes twice for the first of the two, also where it is told to match in UTC.
 */
export function countInUtc(environment: { TZ?: string | undefined }): void {
  environment.TZ = 'UTC';
}

/** Starts a clock in a process that counts in UTC; a call that fails is logged, and the next minute calls again. */
export function startClock(calls: readonly (() => Promise<void>)[], log: Logger): Clock {
  const callAll = async () => {
    const ended = await Promise.allSettled(calls.map((call) => call()));
    for (const end of ended) {
      if (end.status === 'rejected') log.error({ err: end.reason }, 'what the clock called failed');
    }
  };
  const task = schedule('* * * * *', callAll, { timezone: 'UTC' });
  return {
    async stop() {
      await task.destroy();
    },
  };
}
