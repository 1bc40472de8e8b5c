import type { DatabaseSync } from 'node:sqlite';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { PersonLink } from '../../model/chat.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { CalendarDefinition, CalendarInput } from '../../model/settings.ts';
import {
  type LinkStore,
  NameTaken,
  type SecretStore,
  type SettingsStore,
  type TokenRecord,
  type TokenStore,
} from '../store.ts';
import {
  forgetLists,
  inTransaction,
  isNotUnique,
  nextId,
  type Owner,
  parseDocument,
  rememberList,
} from './sqlite-database.ts';

/** Trackers bring calendars along, whose ids are smaller. */
const FIRST_CALENDAR_ID = 101;

/** What admins and users have configured, in SQLite. */
export function createSqliteSettings(database: DatabaseSync, tenant: string): SettingsStore {
  const allCalendars = database.prepare('SELECT id, document FROM calendar WHERE tenant = ? ORDER BY id');
  const calendars = rememberList(database, () => allCalendars.all(tenant).map(readCalendar));
  const setting = <Value>(name: string): Value | null => {
    const row = database
      .prepare('SELECT document FROM setting WHERE tenant = ? AND name = ?')
      .get(tenant, name);
    return row === undefined ? null : parseDocument(row.document);
  };

  const parameterSet = (id: string): ParameterSet | undefined => {
    const row = database
      .prepare('SELECT document FROM parameter_set WHERE tenant = ? AND id = ?')
      .get(tenant, id);
    return row && parseDocument<ParameterSet>(row.document);
  };

  return {
    async calendars() {
      return calendars();
    },
    async addCalendar(input) {
      const insert = database.prepare(
        'INSERT INTO calendar (tenant, id, document, folded) VALUES (?, ?, ?, ?)',
      );
      forgetLists(database);
      return withUniqueNames(database, () => {
        // They belong to no tracker.
        const id = nextId(database, [tenant, ''], 'calendar', FIRST_CALENDAR_ID);
        insert.run(tenant, id, JSON.stringify(plain(input)), foldedName(input.name));
        return { ...plain(input), id };
      });
    },
    async changeCalendar(id, change) {
      const put = database.prepare(
        'UPDATE calendar SET document = ?, folded = ? WHERE tenant = ? AND id = ?',
      );
      forgetLists(database);
      return withUniqueNames(database, () => {
        const row = database.prepare('SELECT * FROM calendar WHERE tenant = ? AND id = ?').get(tenant, id);
        if (row === undefined) return null;
        const kept = readCalendar(row);
        const input = plain(change(kept));
        const folded = foldedName(input.name);
        // An older store may have its name twice, which is no reason to refuse a new holiday.
        const isRenamed = folded !== foldedName(kept.name);
        put.run(JSON.stringify(input), isRenamed ? folded : (row.folded ?? null), tenant, id);
        return { ...input, id };
      });
    },
    async parameterSets() {
      const rows = database
        .prepare('SELECT document FROM parameter_set WHERE tenant = ? ORDER BY rowid')
        .all(tenant);
      return rows.map((row) => parseDocument<ParameterSet>(row.document));
    },
    async parameterSet(id) {
      return parameterSet(id) ?? null;
    },
    async addParameterSet(set) {
      const insert = database.prepare(
        'INSERT INTO parameter_set (tenant, id, document, owner, folded) VALUES (?, ?, ?, ?, ?)',
      );
      withUniqueNames(database, () => insert.run(tenant, set.id, ...columnsOf(set)));
    },
    async changeParameterSet(id, change, base) {
      const put = database.prepare(`
        INSERT INTO parameter_set (tenant, id, document, owner, folded) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (tenant, id) DO UPDATE SET document = excluded.document, owner = excluded.owner, folded = excluded.folded`);
      return withUniqueNames(database, () => {
        const before = parameterSet(id) ?? base;
        if (before === undefined) return null;
        const set = { ...change(before), id };
        put.run(tenant, id, ...columnsOf(set));
        return set;
      });
    },
    async removeParameterSet(id, check) {
      return inTransaction(database, () => {
        const set = parameterSet(id);
        if (set === undefined) return false;
        check(set);
        const remove = database.prepare('DELETE FROM parameter_set WHERE tenant = ? AND id = ?');
        return remove.run(tenant, id).changes > 0;
      });
    },
    async clientKey(create) {
      const found = setting<string>('client-key');
      if (found !== null) return found;
      const insert = database.prepare(
        "INSERT INTO setting (tenant, name, document) VALUES (?, 'client-key', ?) ON CONFLICT DO NOTHING",
      );
      return inTransaction(database, () => {
        const made = create();
        // Another process may have been first.
        return insert.run(tenant, JSON.stringify(made)).changes > 0
          ? made
          : (setting<string>('client-key') ?? made);
      });
    },
  };
}

/** A write transaction that fails with `NameTaken` where a name is another's. */
function withUniqueNames<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    return inTransaction(database, work);
  } catch (error) {
    throw isNotUnique(error) ? new NameTaken('The name is taken.', { cause: error }) : error;
  }
}

/** Document, owner and name as it is compared; a set that was deleted leaves its name to others. */
function columnsOf(set: ParameterSet): readonly [string, string, string | null] {
  return [JSON.stringify(set), set.ownerId, set.deleted === true ? null : foldedName(set.name)];
}

function readCalendar(row: Record<string, unknown>): CalendarDefinition {
  return { ...parseDocument<CalendarInput>(row.document), id: Number(row.id) };
}

/** The id is the row's; an input made of a whole calendar must not bring another. */
function plain({ name, timeZone, workingTimes, holidays }: CalendarInput): CalendarInput {
  return { name, timeZone, workingTimes, holidays };
}

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
  const allLinks = database.prepare(
    'SELECT * FROM person_link WHERE tenant = ? AND tracker = ? AND user IS NOT NULL ORDER BY account',
  );
  // Every question asks whose an account is.
  const known = rememberList(database, () => {
    const all = allLinks.all(...owner).map(readLink);
    return { all, byAccount: new Map(all.map((link) => [link.account, link])) };
  });
  /** Each write of a link. */
  const change = <Result>(work: () => Result): Result => {
    forgetLists(database);
    return inTransaction(database, work);
  };
  const revisionOf = (account: string) => {
    const find = database.prepare(
      'SELECT revision FROM person_link WHERE tenant = ? AND tracker = ? AND account = ?',
    );
    return Number(find.get(...owner, account)?.revision ?? 0);
  };
  return {
    async links() {
      return known().all;
    },
    async link(account) {
      return known().byAccount.get(account) ?? null;
    },
    revision: async (account) => revisionOf(account),
    async put({ account, user, by, at, proof }, revision) {
      const put = database.prepare(
        `INSERT OR REPLACE INTO person_link (tenant, tracker, account, user, said_by, at, token, token_admin, revision)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      return change(() => {
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
      return change(() => remove.run(...owner, account)).changes > 0;
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
