import type { DatabaseSync } from 'node:sqlite';
import type { SyncStore } from '../sync-store.ts';

/** What a synchronisation remembers, in SQLite. */
export function createSqliteSync(_database: DatabaseSync, _tracker: string): SyncStore {
  throw new Error('to come');
}
