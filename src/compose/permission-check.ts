import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { Introduction } from '../model/sync.ts';
import { logProblem } from './log-problem.ts';

/**
 * Looks once whether the tracker says what people can see, and logs what lacks, with what helps: otherwise everyone sees
 * an empty tracker. `look` begins unless it is done or under way; while the tracker cannot be asked, the next one tries again.
 */
export function createPermissionCheck(
  introduce: () => AsyncIterable<Introduction>,
  { log, title }: { readonly log: Pick<Logger, 'warn' | 'error'>; readonly title: string },
): { readonly look: () => void; readonly ended: () => Promise<void> } {
  let isKnown = false;
  let underWay: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      for await (const one of introduce()) {
        if (one.about !== 'permissions') continue;
        isKnown = true;
        if (one.refusal !== null) log.warn({ problem: one.refusal }, 'people cannot see all their issues');
      }
    } catch (error) {
      // The sync logs why the tracker does not answer at all.
      if (!(error instanceof AppError))
        logProblem(log, error, `checking the permissions of the ${title} account failed`);
    }
  }

  return {
    look() {
      if (isKnown) return;
      underWay ??= ask().finally(() => {
        underWay = null;
      });
    },
    ended: async () => underWay ?? undefined,
  };
}
