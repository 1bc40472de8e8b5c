import { loadAgain } from './load-again.ts';
import { removeGone } from './refuse-if-blind.ts';
import type { Work } from './work.ts';

/** Beyond so many it is left to the next look at what was updated. */
const MOST_IDS = 10_000;

/** Ids of issues that something has happened to, as the tracker itself has told. */
export interface Nudges {
  add(ids: readonly string[]): void;
  isEmpty(): boolean;
  /** Looks at them now; they stay when that fails. */
  settle(work: Work): Promise<void>;
}

/** Holds them until somebody has the lease. */
export function createNudges(): Nudges {
  const pending = new Set<string>();
  let settling = false;
  const add = (ids: readonly string[]) => {
    for (const id of ids) if (pending.size < MOST_IDS) pending.add(id);
  };
  return {
    add,
    isEmpty: () => pending.size === 0,
    async settle(work) {
      if (settling || pending.size === 0) return;
      const ids = [...pending];
      pending.clear();
      settling = true;
      try {
        await loadAgain(
          work,
          ids.map((id) => ({ id })),
          { onMissing: (missing) => removeGone(work, missing) },
        );
      } catch (error) {
        add(ids);
        throw error;
      } finally {
        settling = false;
      }
    },
  };
}
