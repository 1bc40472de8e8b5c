import type { DatabaseSync } from 'node:sqlite';
import type { Issue } from '../../model/issue.ts';
import type { IssueStore } from '../store.ts';
import { issueRevision } from './issue-revision.ts';
import { parseDocument } from './parse-document.ts';
import { inTransaction } from './transaction.ts';
import { createWriteIssue } from './write-issue.ts';

/** The issues of one tracker themselves: a row per issue, the issue with its changes as one JSON document. */
export function createSqliteIssueRows(
  database: DatabaseSync,
  tracker: string,
): Pick<
  IssueStore,
  | 'issue'
  | 'formerKeys'
  | 'putIssues'
  | 'recentKeys'
  | 'count'
  | 'countUnreadRoles'
  | 'revision'
  | 'changedSince'
> {
  return {
    async issue(key) {
      const row =
        database
          .prepare('SELECT document FROM issue WHERE tracker = ? AND key = ?')
          .get(tracker, key.toUpperCase()) ??
        database
          .prepare(`
            SELECT document FROM issue WHERE tracker = :tracker AND tracker_id =
              (SELECT tracker_id FROM issue_alias WHERE tracker = :tracker AND key = :key)`)
          .get({ tracker, key: key.toUpperCase() }) ??
        database
          .prepare(`
            SELECT document FROM issue WHERE tracker = :tracker AND key =
              (SELECT issue_key FROM issue_former_key WHERE tracker = :tracker AND key = :key)`)
          .get({ tracker, key: key.toUpperCase() });
      return row === undefined ? null : parseDocument<Issue>(row.document);
    },
    async formerKeys() {
      const rows = database
        .prepare(`
          SELECT former.key, former.issue_key FROM issue_former_key AS former
            WHERE former.tracker = :tracker
          UNION ALL
          SELECT alias.key, issue.key FROM issue_alias AS alias
            JOIN issue ON issue.tracker = alias.tracker AND issue.tracker_id = alias.tracker_id
            WHERE alias.tracker = :tracker`)
        .all({ tracker });
      return new Map(rows.map((row) => [String(row.key), String(row.issue_key)]));
    },
    async putIssues(issues, merge) {
      return inTransaction(database, () => {
        const write = createWriteIssue(database, tracker);
        return issues.map((issue) => write(issue, merge));
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
    async countUnreadRoles() {
      const sql = 'SELECT count(*) AS n FROM issue WHERE tracker = ? AND unread_roles = 1';
      return Number(database.prepare(sql).get(tracker)?.n);
    },
    async revision() {
      return issueRevision(database, tracker);
    },
    async changedSince(since, count) {
      // Each half comes from its own index in order, and no more of it is read than is told.
      const rows = database
        .prepare(`
          SELECT * FROM (
            SELECT document, NULL AS removed, revision FROM issue
            WHERE tracker = :tracker AND revision > :since ORDER BY revision LIMIT :count)
          UNION ALL
          SELECT * FROM (
            SELECT NULL AS document, key AS removed, revision FROM issue_removed
            WHERE tracker = :tracker AND revision > :since ORDER BY revision LIMIT :count)
          ORDER BY revision LIMIT :count`)
        .all({ tracker, since, count });
      return {
        issues: rows.flatMap((row) => (row.removed === null ? [parseDocument<Issue>(row.document)] : [])),
        removed: rows.flatMap((row) => (row.removed === null ? [] : [String(row.removed)])),
        revision: Number(rows.at(-1)?.revision ?? since),
      };
    },
  };
}
