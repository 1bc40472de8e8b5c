import type { DatabaseSync } from 'node:sqlite';
import type { RunStore } from '../store.ts';

/** Runs in SQLite. */
export function createSqliteRuns(_database: DatabaseSync): RunStore {
  return new Proxy({} as RunStore, {
    get: () => () => {
      throw new Error('runs are not kept yet');
    },
  });
}
