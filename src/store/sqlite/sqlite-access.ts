import type { DatabaseSync } from 'node:sqlite';
import type { PersonLink } from '../../model/chat.ts';
import type { LinkStore, SecretStore, TokenRecord, TokenStore } from '../store.ts';
import { inTransaction, type Owner } from './sqlite-database.ts';

/** Token records and the key they are signed with, in SQLite. */
export function createSqliteTokens(database: DatabaseSync, tenant: string): TokenStore {
  // Every request is about both.
  const find = database.prepare('SELECT * FROM token WHERE tenant = ? AND id = ?');
  const findKey = database.prepare(
    "SELECT value FROM secret WHERE tenant = ? AND name = 'token-signing-key'",
  );
  return {
    async put({ id, user, admin, createdAt, expiresAt, active }) {
      const insert = database.prepare(
        'INSERT INTO token (tenant, id, user, admin, created_at, expires_at, active) VALUES (?, ?, ?, ?, ?, ?, ?)',
      );
      inTransaction(database, () =>
        insert.run(tenant, id, user, Number(admin), createdAt, expiresAt, Number(active)),
      );
    },
    async get(id) {
      const row = find.get(tenant, id);
      return row === undefined ? null : readToken(row);
    },
    async list() {
      return database
        .prepare('SELECT * FROM token WHERE tenant = ? ORDER BY created_at DESC, id')
        .all(tenant)
        .map(readToken);
    },
    async setActive(id, active) {
      const update = database.prepare('UPDATE token SET active = ? WHERE tenant = ? AND id = ?');
      return inTransaction(database, () => update.run(Number(active), tenant, id)).changes > 0;
    },
    async signingKey(create) {
      // Every check of a token asks for it, which must not wait until an import has done writing.
      const found = findKey.get(tenant);
      if (found !== undefined) return String(found.value);
      const insert = database.prepare(
        "INSERT INTO secret (tenant, name, value) VALUES (?, 'token-signing-key', ?) ON CONFLICT DO NOTHING",
      );
      inTransaction(database, () => insert.run(tenant, create()));
      return String(findKey.get(tenant)?.value);
    },
  };
}

function readToken(row: Record<string, unknown>): TokenRecord {
  return {
    id: String(row.id),
    user: String(row.user),
    admin: row.admin === 1,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    active: row.active === 1,
  };
}

/** Secrets in SQLite. */
export function createSqliteSecrets(database: DatabaseSync, tenant: string): SecretStore {
  return {
    async get(name) {
      const row = database
        .prepare('SELECT value FROM secret WHERE tenant = ? AND name = ?')
        .get(tenant, name);
      return row === undefined ? null : String(row.value);
    },
    async put(name, value) {
      const put = database.prepare('INSERT OR REPLACE INTO secret (tenant, name, value) VALUES (?, ?, ?)');
      inTransaction(database, () => put.run(tenant, name, value));
    },
    async remove(name) {
      const remove = database.prepare('DELETE FROM secret WHERE tenant = ? AND name = ?');
      inTransaction(database, () => remove.run(tenant, name));
    },
  };
}

/** Which accounts elsewhere are whose of one tracker's users, in SQLite. */
export function createSqliteLinks(database: DatabaseSync, owner: Owner): LinkStore {
  const findLink = database.prepare(
    'SELECT * FROM person_link WHERE tenant = ? AND tracker = ? AND account = ? AND user IS NOT NULL',
  );
  const revisionOf = (account: string) => {
    const find = database.prepare(
      'SELECT revision FROM person_link WHERE tenant = ? AND tracker = ? AND account = ?',
    );
    return Number(find.get(...owner, account)?.revision ?? 0);
  };
  return {
    async links() {
      const rows = database.prepare(
        'SELECT * FROM person_link WHERE tenant = ? AND tracker = ? AND user IS NOT NULL ORDER BY account',
      );
      return rows.all(...owner).map(readLink);
    },
    async link(account) {
      const row = findLink.get(...owner, account);
      return row === undefined ? null : readLink(row);
    },
    revision: async (account) => revisionOf(account),
    async put({ account, user, by, at, proof }, revision) {
      const put = database.prepare(
        `INSERT OR REPLACE INTO person_link (tenant, tracker, account, user, said_by, at, token, token_admin, revision)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      return inTransaction(database, () => {
        const kept = revisionOf(account);
        if (revision !== undefined && revision !== kept) return false;
        const said = proof === null ? [null, null] : [proof.token, Number(proof.admin)];
        put.run(...owner, account, user, by, at, ...said, kept + 1);
        return true;
      });
    },
    async remove(account) {
      const remove = database.prepare(
        `UPDATE person_link
         SET user = NULL, said_by = NULL, at = NULL, token = NULL, token_admin = NULL, revision = revision + 1
         WHERE tenant = ? AND tracker = ? AND account = ? AND user IS NOT NULL`,
      );
      return inTransaction(database, () => remove.run(...owner, account)).changes > 0;
    },
  };
}

function readLink(row: Record<string, unknown>): PersonLink {
  return {
    account: String(row.account),
    user: String(row.user),
    by: String(row.said_by),
    at: Number(row.at),
    proof: row.token === null ? null : { token: String(row.token), admin: row.token_admin === 1 },
  };
}
