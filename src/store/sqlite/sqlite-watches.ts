import type { DatabaseSync } from 'node:sqlite';
import type { Snooze, Watch, WatchAlert } from '../../model/watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { claimWatchVisits, writeClaims } from './claim-watch-visits.ts';
import { parseDocument } from './parse-document.ts';
import { inTransaction } from './transaction.ts';

const VISIT = 'watch = ? AND key = ? AND since = ?';

/** Watches and what they told, in SQLite. */
export function createSqliteWatches(database: DatabaseSync): WatchStore {
  const get = (id: string): Watch | null => {
    const row = database.prepare('SELECT document FROM watch WHERE id = ?').get(id);
    return row === undefined ? null : parseDocument(row.document);
  };

  return {
    async add(watch, most, leftAlone) {
      const count = database.prepare('SELECT count(*) AS count FROM watch WHERE owner = ?');
      const insert = database.prepare('INSERT INTO watch (id, owner, document) VALUES (?, ?, ?)');
      const leave = database.prepare(`
        INSERT INTO watch_alert (watch, key, since, state, account, claimed_at, settled_at)
        VALUES (?, ?, ?, 'told', NULL, ?, ?)`);
      const { id, owner, createdAt } = watch;
      return inTransaction(database, () => {
        if (Number(count.get(owner)?.count) >= most) return false;
        insert.run(id, owner, JSON.stringify(watch));
        for (const { key, since } of leftAlone) leave.run(id, key, since, createdAt, createdAt);
        return true;
      });
    },
    async get(id) {
      return get(id);
    },
    async list() {
      const rows = database.prepare('SELECT document FROM watch ORDER BY rowid').all();
      return rows.map((row) => parseDocument<Watch>(row.document));
    },
    async change(id, change) {
      const put = database.prepare('UPDATE watch SET owner = ?, document = ? WHERE id = ?');
      return inTransaction(database, () => {
        const kept = get(id);
        if (kept === null) return null;
        const watch = { ...change(kept), id };
        put.run(watch.owner, JSON.stringify(watch), id);
        return watch;
      });
    },
    async remove(id) {
      const remove = database.prepare('DELETE FROM watch WHERE id = ?');
      const removeAlerts = database.prepare(
        "DELETE FROM watch_alert WHERE watch = ? AND (account IS NULL OR state <> 'told')",
      );
      return inTransaction(database, () => {
        removeAlerts.run(id);
        return remove.run(id).changes > 0;
      });
    },
    async claim(account, visits, at) {
      const open = () => claimWatchVisits(database, account, visits, at);
      // Visits told already are met every few minutes, which must not wait until an import has done writing.
      const before = open();
      if (before.kind === 'quiet') return 'quiet';
      if (before.take.length === 0 && before.heard.length === 0) return [];
      return inTransaction(database, () => {
        const now = open();
        if (now.kind === 'quiet') return 'quiet';
        writeClaims(database, account, now, at.now);
        return now.take;
      });
    },
    async settle(visits, { state, account, at }) {
      const open = `${VISIT} AND state = 'claimed'`;
      const free = database.prepare(`DELETE FROM watch_alert WHERE ${open}`);
      const end = database.prepare(
        `UPDATE watch_alert SET state = 'told', account = ?, settled_at = ? WHERE ${open}`,
      );
      inTransaction(database, () => {
        for (const { watchId, key, since } of visits) {
          if (state === 'free') free.run(watchId, key, since);
          else end.run(account, at, watchId, key, since);
        }
      });
    },
    async alerts(watchId) {
      const rows = database.prepare('SELECT * FROM watch_alert WHERE watch = ? ORDER BY since, key');
      return rows.all(watchId).map(readAlert);
    },
    async putSnooze({ account, key, since, until }) {
      const put = database.prepare(
        'INSERT OR REPLACE INTO snooze (account, key, since, until) VALUES (?, ?, ?, ?)',
      );
      inTransaction(database, () => put.run(account, key, since, until));
    },
    async snoozes() {
      return database.prepare('SELECT * FROM snooze ORDER BY account, key, since').all().map(readSnooze);
    },
    async forget(before) {
      const snoozes = 'FROM snooze WHERE until < ?';
      const alerts = 'FROM watch_alert WHERE settled_at < ?';
      const any = database.prepare(`SELECT 1 ${snoozes} UNION ALL SELECT 1 ${alerts} LIMIT 1`);
      if (any.get(before, before) === undefined) return;
      const forget = [snoozes, alerts].map((old) => database.prepare(`DELETE ${old}`));
      inTransaction(database, () => {
        for (const statement of forget) statement.run(before);
      });
    },
  };
}

function readAlert(row: Record<string, unknown>): WatchAlert {
  const { state, settled_at } = row;
  return {
    watchId: String(row.watch),
    key: String(row.key),
    since: Number(row.since),
    state: state === 'told' ? state : 'claimed',
    account: row.account === null ? null : String(row.account),
    toldAt: state === 'told' ? Number(settled_at) : null,
  };
}

function readSnooze(row: Record<string, unknown>): Snooze {
  return {
    account: String(row.account),
    key: String(row.key),
    since: Number(row.since),
    until: Number(row.until),
  };
}
