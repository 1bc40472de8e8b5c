import type { DatabaseSync } from 'node:sqlite';
import type { User } from '../../model/issue.ts';
import type { IssueStore } from '../store.ts';
import { parseDocument } from './parse-document.ts';
import { rememberUsers } from './remember-users.ts';
import { createSqliteDirectory } from './sqlite-directory.ts';
import { createSqliteIssueRows } from './sqlite-issue-rows.ts';
import { createSqliteStatuses } from './sqlite-statuses.ts';
import { inTransaction } from './transaction.ts';

/** The issues of one tracker in SQLite, with people, statuses and lists. */
export function createSqliteIssues(database: DatabaseSync, tracker: string): IssueStore {
  // Every question about rights asks for everybody.
  const everybody = rememberUsers(database, tracker);

  return {
    ...createSqliteIssueRows(database, tracker),
    ...createSqliteStatuses(database, tracker),
    ...createSqliteDirectory(database, tracker),
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
