import type { DatabaseSync } from 'node:sqlite';
import type { WatchStore } from '../store.ts';

/** Watches in SQLite. */
export function createSqliteWatches(_database: DatabaseSync): WatchStore {
  return new Proxy({} as WatchStore, {
    get: () => () => {
      throw new Error('watches are not kept yet');
    },
  });
}
