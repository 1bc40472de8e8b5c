import type { DatabaseSync } from 'node:sqlite';
import { compareIds } from '../../issues/ids-and-names.ts';
import type { AccessRule, Directory } from '../../model/directory.ts';
import type { Status, StatusCategory, User } from '../../model/issue.ts';
import type { IssueStore } from '../store.ts';
import { inTransaction, parseDocument } from './sqlite-database.ts';

/** What is known beside the issues of one tracker: a row per entry of each list. */
export function createSqliteDirectory(
  database: DatabaseSync,
  tracker: string,
): Pick<IssueStore, 'directory' | 'putDirectory' | 'replaceDirectory' | 'removeAccess'> {
  return {
    async directory() {
      const rows = database
        .prepare('SELECT kind, id, document FROM directory_entry WHERE tracker = ?')
        .all(tracker)
        .sort((a, b) => compareIds(String(a.id), String(b.id)));
      const list = <Kind extends keyof Directory>(kind: Kind): Directory[Kind][number][] =>
        rows.filter((row) => row.kind === kind).map((row) => parseDocument(row.document));
      return {
        sprints: list('sprints'),
        filters: list('filters'),
        groups: list('groups'),
        fields: list('fields'),
        issueTypes: list('issueTypes'),
        access: list('access'),
        calendars: list('calendars'),
        parameterSets: list('parameterSets'),
        categories: list('categories'),
        delegations: list('delegations'),
      };
    },
    async putDirectory({ access = [], ...lists }) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tracker, kind, id, document) VALUES (?, ?, ?, ?)
        ON CONFLICT (tracker, kind, id) DO UPDATE SET document = excluded.document`);
      inTransaction(database, () => {
        for (const [kind, entries] of Object.entries(lists)) {
          for (const entry of entries) put.run(tracker, kind, String(entry.id), JSON.stringify(entry));
        }
        for (const rule of access) put.run(tracker, 'access', accessId(rule), JSON.stringify(rule));
      });
    },
    async replaceDirectory(lists, others) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tracker, kind, id, document, listed) VALUES (?, ?, ?, ?, 1)
        ON CONFLICT (tracker, kind, id) DO UPDATE SET document = excluded.document, listed = 1`);
      const remove = database.prepare(`
        DELETE FROM directory_entry
        WHERE tracker = ? AND kind = ? AND listed = 1 AND id NOT IN (SELECT value FROM json_each(?))`);
      inTransaction(database, () => {
        for (const [kind, entries] of Object.entries(lists)) {
          if (others === 'go') remove.run(tracker, kind, JSON.stringify(entries.map(({ id }) => id)));
          for (const entry of entries) put.run(tracker, kind, entry.id, JSON.stringify(entry));
        }
      });
    },
    async removeAccess(kind, id) {
      const remove = database.prepare(
        "DELETE FROM directory_entry WHERE tracker = ? AND kind = 'access' AND id = ?",
      );
      return inTransaction(database, () => remove.run(tracker, accessId({ kind, id }))).changes > 0;
    },
  };
}

/** A project and a security level may have the same id. */
function accessId({ kind, id }: Pick<AccessRule, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** The statuses of one tracker: what its lists say of them, and what issues do. */
export function createSqliteStatuses(
  database: DatabaseSync,
  tracker: string,
): Pick<IssueStore, 'statuses' | 'putStatuses' | 'clashes'> {
  /** Empties a list; what it will not have again is still known as it was called there. */
  function unlist(list: string, staying: readonly Status[]): void {
    database
      .prepare(`
        INSERT INTO status (tracker, id, name, category, scope, listed)
        SELECT tracker, id, name, category, scope, NULL FROM status
        WHERE tracker = ? AND listed = ? AND id NOT IN (SELECT value FROM json_each(?))
        ON CONFLICT (tracker, id, ifnull(listed, '')) DO UPDATE SET
          name = excluded.name, category = excluded.category, scope = excluded.scope
        WHERE category = 'Undefined'`)
      .run(tracker, list, JSON.stringify(staying.map(({ id }) => id)));
    database.prepare('DELETE FROM status WHERE tracker = ? AND listed = ?').run(tracker, list);
  }

  return {
    async statuses() {
      const rows = database.prepare('SELECT * FROM status WHERE tracker = ? ORDER BY rowid').all(tracker);
      const lists = new Set(rows.flatMap((row) => row.listed ?? [])).size;
      const statuses = new Map<string, Status>();
      // The word of a list stands above that of issues, and the word of a later list above that of an earlier one.
      for (const row of rows) {
        const id = String(row.id);
        if (row.listed !== null || !statuses.has(id)) statuses.set(id, readStatus(row, lists));
      }
      return statuses;
    },
    async putStatuses(statuses, list) {
      // A category learnt once is not forgotten for a bare name.
      const put = database.prepare(`
        INSERT INTO status (tracker, id, name, category, scope, listed) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (tracker, id, ifnull(listed, '')) DO UPDATE SET
          name = excluded.name, category = excluded.category, scope = excluded.scope
        WHERE excluded.category <> 'Undefined' OR category = 'Undefined'`);
      inTransaction(database, () => {
        if (list !== null) unlist(list, statuses);
        for (const { id, name, category, scope } of statuses) {
          put.run(tracker, id, name, category, scope ?? null, list);
        }
      });
    },
    async clashes(list) {
      // An issue has the category of the status it is in; without one it is a name some change once mentioned.
      return database
        .prepare(`
          SELECT own.id, own.name, other.name AS elsewhere
          FROM status AS own JOIN status AS other ON other.tracker = own.tracker AND other.id = own.id
          WHERE own.tracker = ? AND own.listed = ? AND other.listed IS NOT own.listed AND other.name <> own.name
            AND (other.listed IS NOT NULL OR other.category <> 'Undefined')
          ORDER BY own.rowid, other.rowid`)
        .all(tracker, list)
        .map((row) => ({ id: String(row.id), name: String(row.name), elsewhere: String(row.elsewhere) }));
    },
  };
}

function readStatus(row: Record<string, unknown>, lists: number): Status {
  const scope = row.scope;
  const inList = row.listed !== null;
  return {
    id: String(row.id),
    name: String(row.name),
    category: readCategory(row.category),
    deleted: lists > 0 && !inList,
    // Several lists may be of several sites, each with names of its own for the same ids.
    listed: lists === 1 && inList,
    ...(typeof scope === 'string' ? { scope } : {}),
  };
}

const categories: readonly StatusCategory[] = ['To Do', 'In Progress', 'Done', 'Undefined'];

function readCategory(text: unknown): StatusCategory {
  return categories.find((category) => category === text) ?? 'Undefined';
}

/** Every user of a tracker by id: the same map until any process has put a user. */
export function rememberUsers(database: DatabaseSync, tracker: string): () => ReadonlyMap<string, User> {
  const revision = database.prepare('SELECT revision FROM user_revision');
  const all = database.prepare('SELECT id, document FROM user WHERE tracker = ? ORDER BY id');
  let known: { readonly revision: number; readonly users: ReadonlyMap<string, User> } | null = null;
  return () => {
    const current = Number(revision.get()?.revision);
    if (known?.revision !== current) {
      const rows = all.all(tracker);
      const users = new Map(rows.map((row) => [String(row.id), parseDocument<User>(row.document)]));
      known = { revision: current, users };
    }
    return known.users;
  };
}
