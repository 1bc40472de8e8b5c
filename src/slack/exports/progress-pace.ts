import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Instant } from '../../model/issue.ts';

/** Slack takes 50 changes of messages a minute from one app, whatever they are about. */
const MESSAGES_APART_MS = 2000;

/** Tells progress at a pace Slack bears. */
interface ProgressPace {
  /** Runs `say` unless the same was told last, another is under way, or it is too early; resolves when it is told. */
  tell(id: string, percent: number, say: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way, and forgets what was told: the end follows. */
  settled(id: string): Promise<void>;
}

/** Nothing told yet. */
export function createProgressPace(now: () => Instant): ProgressPace {
  const told = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  let notBefore = 0;
  return {
    async tell(id, percent, say) {
      if (underWay.has(id) || told.get(id) === percent || now() < notBefore) return;
      notBefore = now() + MESSAGES_APART_MS;
      told.set(id, percent);
      const work = say();
      underWay.set(id, work);
      try {
        await work;
      } catch (error) {
        if (!(error instanceof WebAPIRateLimitedError)) throw error;
        notBefore = now() + 1000 * error.retryAfter;
      } finally {
        underWay.delete(id);
      }
    },
    async settled(id) {
      await underWay.get(id)?.catch(() => {});
      told.delete(id);
    },
  };
}
