import type { DatabaseSync } from 'node:sqlite';
import type { SecretStore } from '../store.ts';
import { inTransaction } from './transaction.ts';

/** Secrets in SQLite. */
export function createSqliteSecrets(database: DatabaseSync): SecretStore {
  return {
    async get(name) {
      const row = database.prepare('SELECT value FROM secret WHERE name = ?').get(name);
      return row === undefined ? null : String(row.value);
    },
    async put(name, value) {
      const put = database.prepare('INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)');
      inTransaction(database, () => put.run(name, value));
    },
    async remove(name) {
      const remove = database.prepare('DELETE FROM secret WHERE name = ?');
      inTransaction(database, () => remove.run(name));
    },
  };
}
