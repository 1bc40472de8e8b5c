import type { DatabaseSync } from 'node:sqlite';
import type { TokenRecord, TokenStore } from '../store.ts';
import { inTransaction } from './transaction.ts';

/** Token records and the key they are signed with, in SQLite. */
export function createSqliteTokens(database: DatabaseSync): TokenStore {
  return {
    async put({ id, user, admin, createdAt, expiresAt, active }) {
      const insert = database.prepare(
        'INSERT INTO token (id, user, admin, created_at, expires_at, active) VALUES (?, ?, ?, ?, ?, ?)',
      );
      inTransaction(database, () =>
        insert.run(id, user, Number(admin), createdAt, expiresAt, Number(active)),
      );
    },
    async get(id) {
      const row = database.prepare('SELECT * FROM token WHERE id = ?').get(id);
      return row === undefined ? null : read(row);
    },
    async list() {
      return database.prepare('SELECT * FROM token ORDER BY created_at DESC, id').all().map(read);
    },
    async setActive(id, active) {
      const update = database.prepare('UPDATE token SET active = ? WHERE id = ?');
      return inTransaction(database, () => update.run(Number(active), id)).changes > 0;
    },
    async signingKey(create) {
      const find = database.prepare("SELECT value FROM secret WHERE name = 'token-signing-key'");
      // Every check of a token asks for it, which must not wait until an import has done writing.
      const found = find.get();
      if (found !== undefined) return String(found.value);
      const insert = database.prepare(
        "INSERT INTO secret (name, value) VALUES ('token-signing-key', ?) ON CONFLICT DO NOTHING",
      );
      inTransaction(database, () => insert.run(create()));
      return String(find.get()?.value);
    },
  };
}

function read(row: Record<string, unknown>): TokenRecord {
  return {
    id: String(row.id),
    user: String(row.user),
    admin: row.admin === 1,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    active: row.active === 1,
  };
}
