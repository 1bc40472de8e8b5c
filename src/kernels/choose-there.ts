import { type ChosenRows, joinChosen } from '../columns/choose-rows.ts';
import { runInWorkers, settled, WORKERS } from './kernel-pool.ts';
import type { ChooseTask } from './kernel-worker.ts';
import { lendCopy } from './shared-memory.ts';

/**
 * The rows for which a predicate holds, as `chooseInPlace` finds them, in threads: that is for many rows. Nobody must
 * write to the columns meanwhile.
 */
export async function chooseThere({ rows, ...task }: ChooseTask): Promise<ChosenRows> {
  const { numbers, release } = lendCopy(rows);
  try {
    const size = Math.ceil(rows.length / WORKERS);
    const parts = await settled(
      Array.from({ length: WORKERS }, async (_, part) => {
        const from = Math.min(rows.length, part * size);
        const own = numbers.subarray(from, from + size);
        return { from, chosen: await runInWorkers('choose', { ...task, rows: own }) };
      }),
    );
    const chosen = joinChosen(numbers, parts);
    return { ...chosen, rows: new Uint32Array(chosen.rows) };
  } finally {
    release();
  }
}
