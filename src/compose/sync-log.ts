import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { ConnectionFact, SyncStatus } from '../model/sync.ts';
import { counted, fillShare, fillText } from '../output/sync-text.ts';
import { logProblem } from './log-problem.ts';

/** The step between two lines about a fill, in percent; without an estimate, in issues. */
const STEP_PERCENT = 10;
const STEP_ISSUES = 10_000;

/** Logs the progress of a first fill, step by step, and its end; nothing of an earlier fill. */
export function createFillLog(log: Pick<Logger, 'info'>): (status: SyncStatus) => void {
  let lastStep: number | null = null;
  return (status) => {
    const { site, filled, done, issues } = status;
    if (filled) {
      if (lastStep !== null) log.info({ site }, `the initial sync is done: ${counted(issues)} issues`);
      lastStep = null;
      return;
    }
    const share = fillShare(status);
    const step = Math.floor(share === null ? done / STEP_ISSUES : share / STEP_PERCENT);
    if (step === lastStep) return;
    lastStep = step;
    log.info({ site }, `initial sync: ${fillText(status)}`);
  };
}

/** The issues that a sync has added, updated and removed since the start. */
type Written = Readonly<Record<'added' | 'updated' | 'removed', number>>;

/** Logs what each check of the tracker has brought once the first fill is done; nothing at the level debug. */
export function createRoundLog(
  log: Pick<Logger, 'info' | 'debug'>,
): (written: Written, isFilled: boolean) => void {
  let before: Written = { added: 0, updated: 0, removed: 0 };
  return (written, isFilled) => {
    const added = written.added - before.added;
    const updated = written.updated - before.updated;
    const removed = written.removed - before.removed;
    before = written;
    if (!isFilled) return;
    log[added + updated + removed > 0 ? 'info' : 'debug']({ added, updated, removed }, 'sync');
  };
}

/**
 * Looks once whether the tracker says what people can see, and logs what lacks, with what helps: otherwise everyone sees
 * an empty tracker. `look` begins unless it is done or under way; while the tracker cannot be asked, the next one tries again.
 */
export function createPermissionCheck(
  checkConnection: () => AsyncIterable<ConnectionFact>,
  { log, title }: { readonly log: Pick<Logger, 'warn' | 'error'>; readonly title: string },
): { readonly look: () => void; readonly ended: () => Promise<void> } {
  let isKnown = false;
  let underWay: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      for await (const one of checkConnection()) {
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
