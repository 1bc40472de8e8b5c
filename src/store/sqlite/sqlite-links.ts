import type { DatabaseSync } from 'node:sqlite';
import type { PersonLink } from '../../model/chat.ts';
import type { LinkStore } from '../store.ts';
import { inTransaction } from './transaction.ts';

/** Which accounts elsewhere are whose of one tracker's users, in SQLite. */
export function createSqliteLinks(database: DatabaseSync, tracker: string): LinkStore {
  const findLink = database.prepare(
    'SELECT * FROM person_link WHERE tracker = ? AND account = ? AND user IS NOT NULL',
  );
  const revisionOf = (account: string) => {
    const find = database.prepare('SELECT revision FROM person_link WHERE tracker = ? AND account = ?');
    return Number(find.get(tracker, account)?.revision ?? 0);
  };
  return {
    async links() {
      const rows = database.prepare(
        'SELECT * FROM person_link WHERE tracker = ? AND user IS NOT NULL ORDER BY account',
      );
      return rows.all(tracker).map(read);
    },
    async link(account) {
      const row = findLink.get(tracker, account);
      return row === undefined ? null : read(row);
    },
    revision: async (account) => revisionOf(account),
    async put({ account, user, by, at, proof }, revision) {
      const put = database.prepare(
        `INSERT OR REPLACE INTO person_link (tracker, account, user, said_by, at, token, token_admin, revision)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      return inTransaction(database, () => {
        const kept = revisionOf(account);
        if (revision !== undefined && revision !== kept) return false;
        const said = proof === null ? [null, null] : [proof.token, Number(proof.admin)];
        put.run(tracker, account, user, by, at, ...said, kept + 1);
        return true;
      });
    },
    async remove(account) {
      const remove = database.prepare(
        `UPDATE person_link
         SET user = NULL, said_by = NULL, at = NULL, token = NULL, token_admin = NULL, revision = revision + 1
         WHERE tracker = ? AND account = ? AND user IS NOT NULL`,
      );
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
    proof: row.token === null ? null : { token: String(row.token), admin: row.token_admin === 1 },
  };
}
