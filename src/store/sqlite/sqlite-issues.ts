import type { DatabaseSync } from 'node:sqlite';
import type { Issue, Status, StatusCategory, User } from '../../model/issue.ts';
import type { IssueStore } from '../store.ts';
import { inTransaction } from './transaction.ts';

/** The issues of one tracker in SQLite: a row per issue, the issue with its changes as one JSON document. */
export function createSqliteIssues(database: DatabaseSync, tracker: string): IssueStore {
  return {
    async issue(key) {
      const row = database
        .prepare('SELECT document FROM issue WHERE tracker = ? AND key = ?')
        .get(tracker, key.toUpperCase());
      return row === undefined ? null : parse<Issue>(row.document);
    },
    async putIssues(issues, merge) {
      const get = database.prepare('SELECT document FROM issue WHERE tracker = ? AND key = ?');
      const put = database.prepare(
        'INSERT OR REPLACE INTO issue (tracker, key, project, created, updated, document) VALUES (?, ?, ?, ?, ?, ?)',
      );
      return inTransaction(database, () =>
        issues.map((incoming) => {
          const key = incoming.key.toUpperCase();
          const before = get.get(tracker, key)?.document;
          const issue = before === undefined ? incoming : merge(parse<Issue>(before), incoming);
          const document = JSON.stringify(issue);
          const changed = document !== before;
          if (changed) put.run(tracker, key, issue.project.id, issue.created, issue.updated, document);
          return { issue, changed };
        }),
      );
    },
    async recentKeys(count) {
      return database
        .prepare('SELECT key FROM issue WHERE tracker = ? ORDER BY updated DESC, key LIMIT ?')
        .all(tracker, count)
        .map((row) => String(row.key));
    },
    async count() {
      return Number(database.prepare('SELECT count(*) AS n FROM issue WHERE tracker = ?').get(tracker)?.n);
    },
    async statuses() {
      const rows = database.prepare('SELECT * FROM status WHERE tracker = ? ORDER BY rowid').all(tracker);
      const listKnown = rows.some((row) => row.listed === 1);
      return new Map(rows.map((row) => [String(row.id), readStatus(row, listKnown)]));
    },
    async putStatuses(statuses, whole) {
      // What the tracker's own list says stands; a category learnt once is not forgotten for a bare name.
      const put = database.prepare(`
        INSERT INTO status (tracker, id, name, category, scope, listed) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (tracker, id) DO UPDATE SET
          name = excluded.name, category = excluded.category, scope = excluded.scope, listed = excluded.listed
        WHERE excluded.listed = 1
          OR (listed = 0 AND (excluded.category <> 'Undefined' OR category = 'Undefined'))`);
      inTransaction(database, () => {
        if (whole) database.prepare('UPDATE status SET listed = 0 WHERE tracker = ?').run(tracker);
        for (const { id, name, category, scope } of statuses) {
          put.run(tracker, id, name, category, scope ?? null, Number(whole));
        }
      });
    },
    async users(ids) {
      const get = database.prepare('SELECT document FROM user WHERE tracker = ? AND id = ?');
      const found = [...new Set(ids)].flatMap((id): [string, User][] => {
        const row = get.get(tracker, id);
        return row === undefined ? [] : [[id, parse<User>(row.document)]];
      });
      return new Map(found);
    },
    async putUsers(users) {
      const put = database.prepare('INSERT OR REPLACE INTO user (tracker, id, document) VALUES (?, ?, ?)');
      inTransaction(database, () => {
        for (const user of users) put.run(tracker, user.id, JSON.stringify(user));
      });
    },
    async filledAt() {
      const row = database.prepare('SELECT at FROM fill WHERE tracker = ?').get(tracker);
      return row === undefined ? null : Number(row.at);
    },
    async putFilledAt(at) {
      const put = database.prepare('INSERT OR REPLACE INTO fill (tracker, at) VALUES (?, ?)');
      inTransaction(database, () => put.run(tracker, at));
    },
  };
}

/** Reads back what `JSON.stringify` wrote here; the store is the only writer of these columns. */
function parse<Value>(document: unknown): Value {
  return JSON.parse(String(document));
}

function readStatus(row: Record<string, unknown>, listKnown: boolean): Status {
  const scope = row.scope;
  const listed = row.listed === 1;
  return {
    id: String(row.id),
    name: String(row.name),
    category: readCategory(row.category),
    deleted: listKnown && !listed,
    listed,
    ...(typeof scope === 'string' ? { scope } : {}),
  };
}

const categories: readonly StatusCategory[] = ['To Do', 'In Progress', 'Done', 'Undefined'];

function readCategory(text: unknown): StatusCategory {
  return categories.find((category) => category === text) ?? 'Undefined';
}
