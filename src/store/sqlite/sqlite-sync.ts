import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { IssueTerms } from '../packed/issue-terms.ts';
import { PackedIssue } from '../packed/packed-issue.ts';
import { createIssueUnpacker } from '../packed/unpack-issue.ts';
import type { RejectedIssue, SyncStore } from '../sync-store.ts';
import { bytesOf } from './read-issues.ts';
import { inTransaction, type Owner, parseDocument } from './sqlite-database.ts';
import { createTakeIssueAway, issueRevision } from './sqlite-issues.ts';

/** Leases that reach further than this (ms) were begun by a clock that has been set back since. */
const LONGEST_LEASE = 60_000;

/** What a synchronisation remembers of one tracker, in SQLite. */
export function createSqliteSync(database: DatabaseSync, owner: Owner, terms: IssueTerms): SyncStore {
  const [tenant, tracker] = owner;
  const unpacker = createIssueUnpacker(terms);
  const takeAway = createTakeIssueAway(database, owner);
  const number = (sql: string) => Number(database.prepare(sql).get(...owner)?.n);
  const write = (sql: string, ...values: readonly SQLInputValue[]) => {
    const statement = database.prepare(sql);
    inTransaction(database, () => statement.run(...values));
  };

  return {
    ...createSqliteRejected(database, owner),
    async state() {
      const row = database
        .prepare('SELECT document FROM sync_state WHERE tenant = ? AND tracker = ?')
        .get(...owner);
      return row === undefined ? null : parseDocument<unknown>(row.document);
    },
    async putState(state) {
      write(
        'INSERT OR REPLACE INTO sync_state (tenant, tracker, document) VALUES (?, ?, ?)',
        ...owner,
        JSON.stringify(state),
      );
    },
    async claim({ holder, until }, now) {
      const take = database.prepare(`
        INSERT INTO sync_lease (tenant, tracker, holder, held_until) VALUES (:tenant, :tracker, :holder, :until)
        ON CONFLICT (tenant, tracker) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
        WHERE holder = excluded.holder OR held_until <= :now OR held_until > :now + ${LONGEST_LEASE}`);
      return inTransaction(database, () => take.run({ tenant, tracker, holder, until, now })).changes > 0;
    },
    async release(holder) {
      write('DELETE FROM sync_lease WHERE tenant = ? AND tracker = ? AND holder = ?', ...owner, holder);
    },
    async kept(ids) {
      const rows = database
        .prepare(`
          SELECT tracker_id, key, source_updated, cut FROM issue INDEXED BY issue_tracker_id
          WHERE tenant = ? AND tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))`)
        .all(...owner, JSON.stringify(ids));
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
          SELECT tracker_id, packed FROM issue
          WHERE tenant = ? AND tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))`)
        .all(...owner, JSON.stringify(ids));
      return new Map(
        rows.map(({ tracker_id, packed }) => {
          const { status, assignee } = new PackedIssue(bytesOf(packed), unpacker);
          return [String(tracker_id), { status: status.id, assignee: assignee?.id ?? null }];
        }),
      );
    },
    async clearSeen() {
      write('DELETE FROM issue_seen WHERE tenant = ? AND tracker = ?', ...owner);
    },
    async addSeen(ids) {
      write(
        'INSERT OR IGNORE INTO issue_seen (tenant, tracker, tracker_id) SELECT ?, ?, value FROM json_each(?)',
        ...owner,
        JSON.stringify(ids),
      );
    },
    async countSeen() {
      return number('SELECT count(*) AS n FROM issue_seen WHERE tenant = ? AND tracker = ?');
    },
    async unseen(after, count) {
      return database
        .prepare(`
          SELECT tracker_id FROM issue AS kept INDEXED BY issue_tracker_id
          WHERE tenant = ? AND tracker = ? AND tracker_id > ? AND NOT EXISTS (
            SELECT 1 FROM issue_seen WHERE tenant = kept.tenant AND tracker = kept.tracker AND tracker_id = kept.tracker_id)
          ORDER BY tracker_id LIMIT ?`)
        .all(...owner, after ?? '', count)
        .map((row) => String(row.tracker_id));
    },
    async countCut() {
      return number('SELECT count(*) AS n FROM issue WHERE tenant = ? AND tracker = ? AND cut = 1');
    },
    async removeIssues(ids) {
      const keys = database.prepare(
        `SELECT key FROM issue INDEXED BY issue_tracker_id
         WHERE tenant = ? AND tracker = ? AND tracker_id IN (SELECT value FROM json_each(?)) ORDER BY key`,
      );
      inTransaction(database, () => {
        const first = issueRevision(database, owner)() + 1;
        for (const [i, { key }] of keys.all(...owner, JSON.stringify(ids)).entries()) {
          takeAway(String(key), first + i, null);
        }
        forgetRejected(database, owner, ids);
      });
    },
  };
}

type Members = 'noteRejected' | 'forgetRejected' | 'rejected' | 'rejectedDue' | 'countRejected';

/** The issues of one tracker that could not be taken, in SQLite. */
function createSqliteRejected(database: DatabaseSync, owner: Owner): Pick<SyncStore, Members> {
  const [tenant, tracker] = owner;
  return {
    async noteRejected(issues, now, { firstMs, longestMs }) {
      const put = database.prepare(`
        INSERT INTO issue_rejected (tenant, tracker, tracker_id, key, reason, source_updated, tried_at, pause_ms)
        VALUES (:tenant, :tracker, :id, :key, :reason, :updated, :now, :firstMs)
        ON CONFLICT (tenant, tracker, tracker_id) DO UPDATE SET key = excluded.key, reason = excluded.reason,
          source_updated = excluded.source_updated, tried_at = excluded.tried_at,
          pause_ms = min(pause_ms * 2, :longestMs)`);
      inTransaction(database, () => {
        for (const { id, key, reason, updated } of issues) {
          put.run({ tenant, tracker, id, key, reason, updated, now, firstMs, longestMs });
        }
      });
    },
    async forgetRejected(ids) {
      inTransaction(database, () => forgetRejected(database, owner, ids));
    },
    async rejected(ids) {
      const rows = database
        .prepare(`
          SELECT * FROM issue_rejected
          WHERE tenant = ? AND tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))`)
        .all(...owner, JSON.stringify(ids));
      return new Map(rows.map((row) => [String(row.tracker_id), readRejected(row)]));
    },
    async rejectedDue(now, after, count) {
      // Who was tried in the future was so by a clock that has been set back since.
      return database
        .prepare(`
          SELECT * FROM issue_rejected WHERE tenant = :tenant AND tracker = :tracker AND tracker_id > :after
            AND (:now IS NULL OR tried_at + pause_ms <= :now OR tried_at > :now)
          ORDER BY tracker_id LIMIT :count`)
        .all({ tenant, tracker, after: after ?? '', now, count })
        .map(readRejected);
    },
    async countRejected() {
      const row = database
        .prepare('SELECT count(*) AS n FROM issue_rejected WHERE tenant = ? AND tracker = ?')
        .get(...owner);
      return Number(row?.n);
    },
  };
}

/** To be called in a transaction. */
function forgetRejected(database: DatabaseSync, owner: Owner, ids: readonly string[]): void {
  database
    .prepare(
      'DELETE FROM issue_rejected WHERE tenant = ? AND tracker = ? AND tracker_id IN (SELECT value FROM json_each(?))',
    )
    .run(...owner, JSON.stringify(ids));
}

function readRejected(row: Record<string, SQLOutputValue>): RejectedIssue {
  return {
    id: String(row.tracker_id),
    key: String(row.key),
    reason: String(row.reason),
    updated: row.source_updated === null ? null : Number(row.source_updated),
  };
}
