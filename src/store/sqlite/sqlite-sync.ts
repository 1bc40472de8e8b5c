import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SyncStore } from '../sync-store.ts';
import { issueRevision } from './issue-revision.ts';
import { parseDocument } from './parse-document.ts';
import { createSqliteRejected, forgetRejected } from './sqlite-rejected.ts';
import { takeIssueAway } from './take-issue-away.ts';
import { inTransaction } from './transaction.ts';

/** Leases that reach further than this (ms) were begun by a clock that has been set back since. */
const LONGEST_LEASE = 60_000;

/** What a synchronisation remembers of one tracker, in SQLite. */
export function createSqliteSync(database: DatabaseSync, tracker: string): SyncStore {
  const number = (sql: string) => Number(database.prepare(sql).get(tracker)?.n);
  const write = (sql: string, ...values: readonly SQLInputValue[]) => {
    const statement = database.prepare(sql);
    inTransaction(database, () => statement.run(...values));
  };

  return {
    ...createSqliteRejected(database, tracker),
    async state() {
      const row = database.prepare('SELECT document FROM sync_state WHERE tracker = ?').get(tracker);
      return row === undefined ? null : parseDocument<unknown>(row.document);
    },
    async putState(state) {
      write(
        'INSERT OR REPLACE INTO sync_state (tracker, document) VALUES (?, ?)',
        tracker,
        JSON.stringify(state),
      );
    },
    async claim({ holder, until }, now) {
      const take = database.prepare(`
        INSERT INTO sync_lease (tracker, holder, held_until) VALUES (:tracker, :holder, :until)
        ON CONFLICT (tracker) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
        WHERE holder = excluded.holder OR held_until <= :now OR held_until > :now + ${LONGEST_LEASE}`);
      return inTransaction(database, () => take.run({ tracker, holder, until, now })).changes > 0;
    },
    async release(holder) {
      write('DELETE FROM sync_lease WHERE tracker = ? AND holder = ?', tracker, holder);
    },
    async kept(ids) {
      const rows = database
        .prepare(`
          SELECT tracker_id, key, source_updated, cut FROM issue INDEXED BY issue_facts
          WHERE tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))`)
        .all(tracker, JSON.stringify(ids));
      return new Map(
        rows.map((row) => [
          String(row.tracker_id),
          {
            key: String(row.key),
            updated: row.source_updated === null ? null : Number(row.source_updated),
            complete: row.cut === 0,
          },
        ]),
      );
    },
    async standings(ids) {
      const rows = database
        .prepare(`
          SELECT tracker_id, document ->> '$.status.id' AS status, document ->> '$.assignee.id' AS assignee
          FROM issue WHERE tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))`)
        .all(tracker, JSON.stringify(ids));
      return new Map(
        rows.map(({ tracker_id, status, assignee }) => [
          String(tracker_id),
          { status: String(status), assignee: assignee === null ? null : String(assignee) },
        ]),
      );
    },
    async clearSeen() {
      write('DELETE FROM issue_seen WHERE tracker = ?', tracker);
    },
    async addSeen(ids) {
      write(
        'INSERT OR IGNORE INTO issue_seen (tracker, tracker_id) SELECT ?, value FROM json_each(?)',
        tracker,
        JSON.stringify(ids),
      );
    },
    async countSeen() {
      return number('SELECT count(*) AS n FROM issue_seen WHERE tracker = ?');
    },
    async unseen(after, count) {
      return database
        .prepare(`
          SELECT tracker_id FROM issue AS kept INDEXED BY issue_facts
          WHERE tracker = ? AND tracker_id > ? AND NOT EXISTS (
            SELECT 1 FROM issue_seen WHERE tracker = kept.tracker AND tracker_id = kept.tracker_id)
          ORDER BY tracker_id LIMIT ?`)
        .all(tracker, after ?? '', count)
        .map((row) => String(row.tracker_id));
    },
    async countCut() {
      return number('SELECT count(*) AS n FROM issue WHERE tracker = ? AND cut = 1');
    },
    async removeIssues(ids) {
      const keys = database.prepare(
        'SELECT key FROM issue WHERE tracker = ? AND tracker_id IN (SELECT value FROM json_each(?)) ORDER BY key',
      );
      inTransaction(database, () => {
        const first = issueRevision(database, tracker) + 1;
        for (const [i, { key }] of keys.all(tracker, JSON.stringify(ids)).entries()) {
          takeIssueAway(database, tracker, String(key), first + i);
        }
        forgetRejected(database, tracker, ids);
      });
    },
  };
}
