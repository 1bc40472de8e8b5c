import type { DatabaseSync } from 'node:sqlite';
import { compareIds } from '../../issues/ids-and-names.ts';
import type { AccessRule, Directory } from '../../model/directory.ts';
import type { Status, StatusCategory, User } from '../../model/issue.ts';
import type { IssueStore, SetCategory } from '../store.ts';
import {
  forgetLists,
  inTransaction,
  type Owner,
  parseDocument,
  rememberList,
  untilWritten,
} from './sqlite-database.ts';

/** The kind of the entry, no list's, that has what was learnt of values in histories. */
const LEARNT = 'historyValues';

/** What is known beside the issues of one tracker: a row per entry of each list. */
export function createSqliteDirectory(
  database: DatabaseSync,
  owner: Owner,
): Pick<
  IssueStore,
  'directory' | 'putDirectory' | 'replaceDirectory' | 'removeAccess' | 'historyValues' | 'putHistoryValues'
> {
  const entries = database.prepare(
    `SELECT kind, id, document FROM directory_entry WHERE tenant = ? AND tracker = ? AND kind <> '${LEARNT}'`,
  );
  const known = rememberList(database, (): Directory => {
    const rows = entries.all(...owner).sort((a, b) => compareIds(String(a.id), String(b.id)));
    const list = <Kind extends keyof Directory>(kind: Kind): Directory[Kind][number][] =>
      rows.filter((row) => row.kind === kind).map((row) => parseDocument(row.document));
    return {
      sprints: list('sprints'),
      filters: list('filters'),
      groups: list('groups'),
      fields: list('fields'),
      issueTypes: list('issueTypes'),
      priorities: list('priorities'),
      versions: list('versions'),
      access: list('access'),
      calendars: list('calendars'),
      parameterSets: list('parameterSets'),
      categories: list('categories'),
      delegations: list('delegations'),
    };
  });
  /** Each write of the lists. */
  const change = <Result>(work: () => Result): Result => {
    forgetLists(database);
    return inTransaction(database, work);
  };
  return {
    directory: async () => known(),
    async historyValues() {
      const row = database
        .prepare(
          `SELECT document FROM directory_entry WHERE tenant = ? AND tracker = ? AND kind = '${LEARNT}'`,
        )
        .get(...owner);
      return row === undefined ? null : String(row.document);
    },
    async putHistoryValues(text) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tenant, tracker, kind, id, document) VALUES (?, ?, '${LEARNT}', '', ?)
        ON CONFLICT (tenant, tracker, kind, id) DO UPDATE SET document = excluded.document`);
      inTransaction(database, () => put.run(...owner, text));
    },
    async putDirectory({ access = [], ...lists }) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tenant, tracker, kind, id, document) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (tenant, tracker, kind, id) DO UPDATE SET document = excluded.document`);
      change(() => {
        for (const [kind, entries] of Object.entries(lists)) {
          for (const entry of entries) put.run(...owner, kind, String(entry.id), JSON.stringify(entry));
        }
        for (const rule of access) put.run(...owner, 'access', accessId(rule), JSON.stringify(rule));
      });
    },
    async replaceDirectory(lists, others) {
      const put = database.prepare(`
        INSERT INTO directory_entry (tenant, tracker, kind, id, document, listed) VALUES (?, ?, ?, ?, ?, 1)
        ON CONFLICT (tenant, tracker, kind, id) DO UPDATE SET document = excluded.document, listed = 1`);
      const remove = database.prepare(`
        DELETE FROM directory_entry
        WHERE tenant = ? AND tracker = ? AND kind = ? AND listed = 1 AND id NOT IN (SELECT value FROM json_each(?))`);
      change(() => {
        for (const [kind, entries] of Object.entries(lists)) {
          if (others === 'go') remove.run(...owner, kind, JSON.stringify(entries.map(({ id }) => id)));
          for (const entry of entries) put.run(...owner, kind, entry.id, JSON.stringify(entry));
        }
      });
    },
    async removeAccess(kind, id) {
      const remove = database.prepare(
        "DELETE FROM directory_entry WHERE tenant = ? AND tracker = ? AND kind = 'access' AND id = ?",
      );
      return change(() => remove.run(...owner, accessId({ kind, id }))).changes > 0;
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
  owner: Owner,
): Pick<IssueStore, 'statuses' | 'setCategories' | 'putCategory' | 'putStatuses' | 'clashes'> {
  /** Empties a list; what it will not have again is still known as it was called there. */
  function unlist(list: string, staying: readonly Status[]): void {
    database
      .prepare(`
        INSERT INTO status (tenant, tracker, id, name, category, scope, listed)
        SELECT tenant, tracker, id, name, category, scope, NULL FROM status
        WHERE tenant = ? AND tracker = ? AND listed = ? AND id NOT IN (SELECT value FROM json_each(?))
        ON CONFLICT (tenant, tracker, id, ifnull(listed, '')) DO UPDATE SET
          name = excluded.name, category = excluded.category, scope = excluded.scope
        WHERE category = 'Undefined'`)
      .run(...owner, list, JSON.stringify(staying.map(({ id }) => id)));
    database
      .prepare('DELETE FROM status WHERE tenant = ? AND tracker = ? AND listed = ?')
      .run(...owner, list);
  }

  const allSet = database.prepare(
    'SELECT * FROM status_category WHERE tenant = ? AND tracker = ? ORDER BY rowid',
  );
  const set = rememberList(database, (): ReadonlyMap<string, SetCategory> => {
    const found = new Map<string, SetCategory>();
    for (const { status, category, said_by: by, at } of allSet.all(...owner)) {
      if (category === null) found.delete(String(status));
      else found.set(String(status), { category: readCategory(category), by: String(by), at: Number(at) });
    }
    return found;
  });
  const all = database.prepare('SELECT * FROM status WHERE tenant = ? AND tracker = ? ORDER BY rowid');
  const known = rememberList(database, (): ReadonlyMap<string, Status> => {
    const rows = all.all(...owner);
    const lists = new Set(rows.flatMap((row) => row.listed ?? [])).size;
    const statuses = new Map<string, Status>();
    // The word of a list stands above that of issues, and the word of a later list above that of an earlier one.
    for (const row of rows) {
      const id = String(row.id);
      if (row.listed !== null || !statuses.has(id)) statuses.set(id, readStatus(row, lists));
    }
    for (const [id, { category }] of set()) {
      const status = statuses.get(id);
      // The tracker's own word stands above it.
      if (status?.category === 'Undefined') {
        statuses.set(id, { ...status, category, categorySource: 'admin' });
      }
    }
    return statuses;
  });
  return {
    statuses: async () => known(),
    setCategories: async () => set(),
    async putCategory(status, category, { by, at }) {
      const insert = database.prepare(
        'INSERT INTO status_category (tenant, tracker, status, category, said_by, at) VALUES (?, ?, ?, ?, ?, ?)',
      );
      forgetLists(database);
      inTransaction(database, () => insert.run(...owner, status, category, by, at));
    },
    async putStatuses(statuses, list) {
      // A category learnt once is not forgotten for a bare name.
      const put = database.prepare(`
        INSERT INTO status (tenant, tracker, id, name, category, scope, listed) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (tenant, tracker, id, ifnull(listed, '')) DO UPDATE SET
          name = excluded.name, category = excluded.category, scope = excluded.scope
        WHERE excluded.category <> 'Undefined' OR category = 'Undefined'`);
      forgetLists(database);
      inTransaction(database, () => {
        if (list !== null) unlist(list, statuses);
        for (const { id, name, category, scope } of statuses) {
          put.run(...owner, id, name, category, scope ?? null, list);
        }
      });
    },
    async clashes(list) {
      // An issue has the category of the status it is in; without one it is a name some change once mentioned.
      return database
        .prepare(`
          SELECT own.id, own.name, other.name AS elsewhere
          FROM status AS own JOIN status AS other ON other.tenant = own.tenant
            AND other.tracker = own.tracker AND other.id = own.id
          WHERE own.tenant = ? AND own.tracker = ? AND own.listed = ? AND other.listed IS NOT own.listed AND other.name <> own.name
            AND (other.listed IS NOT NULL OR other.category <> 'Undefined')
          ORDER BY own.rowid, other.rowid`)
        .all(...owner, list)
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
    ...(lists > 0 && !inList ? { unlisted: true } : {}),
    // Several lists may be of several sites, each with names of its own for the same ids.
    listed: lists === 1 && inList,
    ...(typeof scope === 'string' ? { scope } : {}),
  };
}

const categories: readonly StatusCategory[] = ['To Do', 'In Progress', 'Done', 'Undefined'];

function readCategory(text: unknown): StatusCategory {
  return categories.find((category) => category === text) ?? 'Undefined';
}

/** The users of a tracker by id. */
interface RememberedUsers {
  /** Everybody: the same map until any process has put a user. */
  all(): ReadonlyMap<string, User>;
  /** Some: each is read once until then. */
  some(ids: Iterable<string>): ReadonlyMap<string, User>;
}

/** Whom questions are asked about, and of whom rights are asked for with each of them. */
export function rememberUsers(database: DatabaseSync, owner: Owner): RememberedUsers {
  const revision = database.prepare('SELECT revision FROM user_revision WHERE tenant = ?');
  const all = database.prepare('SELECT id, document FROM user WHERE tenant = ? AND tracker = ? ORDER BY id');
  const one = database.prepare('SELECT document FROM user WHERE tenant = ? AND tracker = ? AND id = ?');
  const revisionNow = untilWritten(database, () => Number(revision.get(owner[0])?.revision ?? 0));
  let known = { revision: -1, isWhole: false, users: new Map<string, User>() };
  const current = () => {
    const now = revisionNow();
    if (known.revision !== now) known = { revision: now, isWhole: false, users: new Map() };
    return known;
  };
  const read = (id: string): User | undefined => {
    const row = one.get(...owner, id);
    return row && parseDocument<User>(row.document);
  };
  return {
    all() {
      const now = current();
      if (!now.isWhole) {
        const rows = all.all(...owner);
        now.users = new Map(rows.map((row) => [String(row.id), parseDocument<User>(row.document)]));
        now.isWhole = true;
      }
      return now.users;
    },
    some(ids) {
      const { users, isWhole } = current();
      const found = new Map<string, User>();
      for (const id of ids) {
        let user = users.get(id);
        if (user === undefined && !isWhole) {
          user = read(id);
          if (user !== undefined) users.set(id, user);
        }
        if (user !== undefined) found.set(id, user);
      }
      return found;
    },
  };
}
