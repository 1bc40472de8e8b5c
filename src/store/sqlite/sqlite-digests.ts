import type { DatabaseSync } from 'node:sqlite';
import type { DigestStore } from '../store.ts';

/** Digests in SQLite. */
export function createSqliteDigests(_database: DatabaseSync): DigestStore {
  return new Proxy({} as DigestStore, {
    get: () => () => {
      throw new Error('digests are not kept yet');
    },
  });
}
