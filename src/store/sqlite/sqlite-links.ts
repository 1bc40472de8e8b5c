import type { DatabaseSync } from 'node:sqlite';
import type { PersonLink } from '../../model/person-link.ts';
import type { LinkStore } from '../store.ts';
import { inTransaction } from './transaction.ts';

/** Which accounts elsewhere are whose of one tracker's users, in SQLite. */
export function createSqliteLinks(database: DatabaseSync, tracker: string): LinkStore {
  return {
    async links() {
      const rows = database.prepare('SELECT * FROM person_link WHERE tracker = ? ORDER BY account');
      return rows.all(tracker).map(read);
    },
    async link(account) {
      const find = database.prepare('SELECT * FROM person_link WHERE tracker = ? AND account = ?');
      const row = find.get(tracker, account);
      return row === undefined ? null : read(row);
    },
    async put({ account, user, by, at }) {
      const put = database.prepare(
        'INSERT OR REPLACE INTO person_link (tracker, account, user, said_by, at) VALUES (?, ?, ?, ?, ?)',
      );
      inTransaction(database, () => put.run(tracker, account, user, by, at));
    },
    async remove(account) {
      const remove = database.prepare('DELETE FROM person_link WHERE tracker = ? AND account = ?');
      return inTransaction(database, () => remove.run(tracker, account)).changes > 0;
    },
  };
}

function read(row: Record<string, unknown>): PersonLink {
  return {
    account: String(row.account),
    user: String(row.user),
    by: String(row.said_by),
    at: Number(row.at),
  };
}
