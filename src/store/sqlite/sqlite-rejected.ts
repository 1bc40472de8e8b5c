import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { RejectedIssue, SyncStore } from '../sync-store.ts';
import { inTransaction } from './transaction.ts';

type Members = 'noteRejected' | 'forgetRejected' | 'rejected' | 'rejectedDue' | 'countRejected';

/** The issues of one tracker that could not be taken, in SQLite. */
export function createSqliteRejected(database: DatabaseSync, tracker: string): Pick<SyncStore, Members> {
  return {
    async noteRejected(issues, now, { firstMs, longestMs }) {
      const put = database.prepare(`
        INSERT INTO issue_rejected (tracker, tracker_id, key, reason, source_updated, tried_at, pause_ms)
        VALUES (:tracker, :id, :key, :reason, :updated, :now, :firstMs)
        ON CONFLICT (tracker, tracker_id) DO UPDATE SET key = excluded.key, reason = excluded.reason,
          source_updated = excluded.source_updated, tried_at = excluded.tried_at,
          pause_ms = min(pause_ms * 2, :longestMs)`);
      inTransaction(database, () => {
        for (const { id, key, reason, updated } of issues) {
          put.run({ tracker, id, key, reason, updated, now, firstMs, longestMs });
        }
      });
    },
    async forgetRejected(ids) {
      inTransaction(database, () => forgetRejected(database, tracker, ids));
    },
    async rejected(ids) {
      const rows = database
        .prepare(`
          SELECT * FROM issue_rejected
          WHERE tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))`)
        .all(tracker, JSON.stringify(ids));
      return new Map(rows.map((row) => [String(row.tracker_id), readRejected(row)]));
    },
    async rejectedDue(now, after, count) {
      // Who was tried in the future was so by a clock that has been set back since.
      return database
        .prepare(`
          SELECT * FROM issue_rejected WHERE tracker = :tracker AND tracker_id > :after
            AND (:now IS NULL OR tried_at + pause_ms <= :now OR tried_at > :now)
          ORDER BY tracker_id LIMIT :count`)
        .all({ tracker, after: after ?? '', now, count })
        .map(readRejected);
    },
    async countRejected() {
      const row = database.prepare('SELECT count(*) AS n FROM issue_rejected WHERE tracker = ?').get(tracker);
      return Number(row?.n);
    },
  };
}

/** To be called in a transaction. */
export function forgetRejected(database: DatabaseSync, tracker: string, ids: readonly string[]): void {
  database
    .prepare(
      'DELETE FROM issue_rejected WHERE tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))',
    )
    .run(tracker, JSON.stringify(ids));
}

function readRejected(row: Record<string, SQLOutputValue>): RejectedIssue {
  return {
    id: String(row.tracker_id),
    key: String(row.key),
    reason: String(row.reason),
    updated: row.source_updated === null ? null : Number(row.source_updated),
  };
}
