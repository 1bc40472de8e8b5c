import { flushCompileCache } from 'node:module';
import { type RestoreStep, restoreCopy } from '../../src/store/sqlite/restore-copy.ts';

let seconds = 0;

/** Restores a copy in the place of a database, and calls `after` after each step. */
export async function replaceBy(file: string, dataDir: string, after: (step: RestoreStep) => void) {
  await restoreCopy({
    ...{ file, dataDir, isReplacing: true, copiedAt: null, secretKeys: null },
    ...{ newStamp: () => 'restored', now: () => ++seconds * 1000, onUpgrade: () => {}, onStep: after },
  });
}

/** As a process, it kills itself after a step. */
if (import.meta.main) {
  const [file = '', dataDir = '', last = ''] = process.argv.slice(2);
  await replaceBy(file, dataDir, (step) => {
    if (step !== last) return;
    // The next process is to find what was compiled, as if this one had ended in peace.
    flushCompileCache();
    process.kill(process.pid, 'SIGKILL');
  });
}
