import { schedule } from 'node-cron';
import type { Logger } from 'pino';

/** The clock: calls each of these at the start of every minute. It is no truth, only a reminder to look. */
export interface Clock {
  stop(): Promise<void>;
}

/** Starts the clock; a call that fails is logged, and the next minute calls again. */
export function startClock(calls: readonly (() => Promise<void>)[], log: Logger): Clock {
  const task = schedule('* * * * *', async () => {
    const ended = await Promise.allSettled(calls.map((call) => call()));
    for (const end of ended) {
      if (end.status === 'rejected') log.error({ err: end.reason }, 'what the clock called failed');
    }
  });
  return {
    async stop() {
      await task.destroy();
    },
  };
}
