import type { DatabaseSync } from 'node:sqlite';
import type { Issue, User } from '../../model/issue.ts';
import type { IssueStore } from '../store.ts';
import { parseDocument } from './parse-document.ts';
import { rememberUsers } from './remember-users.ts';
import { createSqliteDirectory } from './sqlite-directory.ts';
import { createSqliteStatuses } from './sqlite-statuses.ts';
import { inTransaction } from './transaction.ts';

/** The issues of one tracker in SQLite: a row per issue, the issue with its changes as one JSON document. */
export function createSqliteIssues(database: DatabaseSync, tracker: string): IssueStore {
  const revision = () =>
    Number(
      database.prepare('SELECT max(revision) AS last FROM issue WHERE tracker = ?').get(tracker)?.last ?? 0,
    );

  // Every question about rights asks for everybody.
  const everybody = rememberUsers(database, tracker);

  return {
    ...createSqliteStatuses(database, tracker),
    ...createSqliteDirectory(database, tracker),
    async issue(key) {
      const row = database
        .prepare('SELECT document FROM issue WHERE tracker = ? AND key = ?')
        .get(tracker, key.toUpperCase());
      return row === undefined ? null : parseDocument<Issue>(row.document);
    },
    async putIssues(issues, merge) {
      const get = database.prepare('SELECT document FROM issue WHERE tracker = ? AND key = ?');
      const put = database.prepare(`
        INSERT INTO issue (tracker, key, project, created, updated, document, revision) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (tracker, key) DO UPDATE SET project = excluded.project, created = excluded.created,
          updated = excluded.updated, document = excluded.document, revision = excluded.revision`);
      return inTransaction(database, () => {
        // Nobody else writes meanwhile, and issues are never taken away: the highest number given is still there.
        let last = revision();
        return issues.map((incoming) => {
          const key = incoming.key.toUpperCase();
          const before = get.get(tracker, key)?.document;
          const issue = before === undefined ? incoming : merge(parseDocument<Issue>(before), incoming);
          const document = JSON.stringify(issue);
          const changed = document !== before;
          if (changed) {
            last += 1;
            put.run(tracker, key, issue.project.id, issue.created, issue.updated, document, last);
          }
          return { issue, changed };
        });
      });
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
    async users(ids) {
      if (ids === undefined) return everybody();
      const get = database.prepare('SELECT document FROM user WHERE tracker = ? AND id = ?');
      const found = [...new Set(ids)].flatMap((id): [string, User][] => {
        const row = get.get(tracker, id);
        return row === undefined ? [] : [[id, parseDocument<User>(row.document)]];
      });
      return new Map(found);
    },
    async putUsers(users) {
      const put = database.prepare('INSERT OR REPLACE INTO user (tracker, id, document) VALUES (?, ?, ?)');
      inTransaction(database, () => {
        for (const user of users) put.run(tracker, user.id, JSON.stringify(user));
      });
    },
    async revision() {
      return revision();
    },
    async changedSince(since, count) {
      const rows = database
        .prepare(
          'SELECT document, revision FROM issue WHERE tracker = ? AND revision > ? ORDER BY revision LIMIT ?',
        )
        .all(tracker, since, count);
      return {
        issues: rows.map((row) => parseDocument<Issue>(row.document)),
        removed: [],
        revision: Number(rows.at(-1)?.revision ?? since),
      };
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
