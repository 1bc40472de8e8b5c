import type { DatabaseSync } from 'node:sqlite';
import type { Instant } from '../../model/issue.ts';
import type { Snooze, Watch, WatchAlert } from '../../model/watch.ts';
import type { ClaimedVisit, WatchStore, WatchVisit } from '../job-stores.ts';
import { inTransaction, parseDocument } from './sqlite-database.ts';

const VISIT = 'tenant = ? AND watch = ? AND key = ? AND since = ?';

/** Watches and what they told, in SQLite. */
export function createSqliteWatches(database: DatabaseSync, tenant: string): WatchStore {
  const get = (id: string): Watch | null => {
    const row = database.prepare('SELECT document FROM watch WHERE tenant = ? AND id = ?').get(tenant, id);
    return row === undefined ? null : parseDocument(row.document);
  };

  /** In a transaction. */
  const leaveAlone = (id: string, visits: readonly Omit<WatchVisit, 'watchId'>[], at: Instant): void => {
    const leave = database.prepare(`
      INSERT INTO watch_alert (tenant, watch, key, since, state, account, claimed_at, settled_at)
      VALUES (?, ?, ?, ?, 'told', NULL, ?, ?)
      ON CONFLICT DO UPDATE SET state = 'told', account = NULL, settled_at = excluded.settled_at
      WHERE state = 'claimed'`);
    for (const { key, since } of visits) leave.run(tenant, id, key, since, at, at);
  };

  return {
    async add(watch, most, leftAlone) {
      const count = database.prepare('SELECT count(*) AS count FROM watch WHERE tenant = ? AND owner = ?');
      const insert = database.prepare('INSERT INTO watch (tenant, id, owner, document) VALUES (?, ?, ?, ?)');
      const { id, owner, createdAt } = watch;
      return inTransaction(database, () => {
        if (Number(count.get(tenant, owner)?.count) >= most) return false;
        insert.run(tenant, id, owner, JSON.stringify(watch));
        leaveAlone(id, leftAlone, createdAt);
        return true;
      });
    },
    async leaveAlone(id, visits, at) {
      inTransaction(database, () => leaveAlone(id, visits, at));
    },
    async get(id) {
      return get(id);
    },
    async list() {
      const rows = database.prepare('SELECT document FROM watch WHERE tenant = ? ORDER BY rowid').all(tenant);
      return rows.map((row) => parseDocument<Watch>(row.document));
    },
    async change(id, change) {
      const put = database.prepare('UPDATE watch SET owner = ?, document = ? WHERE tenant = ? AND id = ?');
      return inTransaction(database, () => {
        const kept = get(id);
        if (kept === null) return null;
        const watch = { ...change(kept), id };
        put.run(watch.owner, JSON.stringify(watch), tenant, id);
        return watch;
      });
    },
    async remove(id) {
      const remove = database.prepare('DELETE FROM watch WHERE tenant = ? AND id = ?');
      const removeAlerts = database.prepare(
        "DELETE FROM watch_alert WHERE tenant = ? AND watch = ? AND (account IS NULL OR state <> 'told')",
      );
      return inTransaction(database, () => {
        removeAlerts.run(tenant, id);
        return remove.run(tenant, id).changes > 0;
      });
    },
    async claim(account, visits, at) {
      const open = () => claimWatchVisits({ database, tenant, account }, visits, at);
      // Visits told already are met every few minutes, which must not wait until an import has done writing.
      const before = open();
      if (before.kind === 'quiet') return 'quiet';
      if (before.take.length === 0 && before.heard.length === 0) return [];
      return inTransaction(database, () => {
        const now = open();
        if (now.kind === 'quiet') return 'quiet';
        writeClaims({ database, tenant, account }, now, at.now);
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
          if (state === 'free') free.run(tenant, watchId, key, since);
          else end.run(account, at, tenant, watchId, key, since);
        }
      });
    },
    async alerts(watchId) {
      const rows = database.prepare(
        'SELECT * FROM watch_alert WHERE tenant = ? AND watch = ? ORDER BY since, key',
      );
      return rows.all(tenant, watchId).map(readAlert);
    },
    async putSnooze({ account, key, since, until }) {
      const put = database.prepare(
        'INSERT OR REPLACE INTO snooze (tenant, account, key, since, until) VALUES (?, ?, ?, ?, ?)',
      );
      inTransaction(database, () => put.run(tenant, account, key, since, until));
    },
    async snoozes() {
      const rows = database.prepare('SELECT * FROM snooze WHERE tenant = ? ORDER BY account, key, since');
      return rows.all(tenant).map(readSnooze);
    },
    async forget(before) {
      const snoozes = 'FROM snooze WHERE tenant = ? AND until < ?';
      const alerts = 'FROM watch_alert WHERE tenant = ? AND settled_at < ?';
      const any = database.prepare(`SELECT 1 ${snoozes} UNION ALL SELECT 1 ${alerts} LIMIT 1`);
      if (any.get(tenant, before, tenant, before) === undefined) return;
      const forget = [snoozes, alerts].map((old) => database.prepare(`DELETE ${old}`));
      inTransaction(database, () => {
        for (const statement of forget) statement.run(tenant, before);
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

/** A visit the account was told of by another watch, and when. */
interface HeardVisit extends WatchVisit {
  readonly at: Instant;
}

/** What can be claimed now. */
type Claims =
  | { readonly kind: 'quiet' }
  | { readonly kind: 'open'; readonly take: readonly ClaimedVisit[]; readonly heard: readonly HeardVisit[] };

type At = Parameters<WatchStore['claim']>[2];

/** A row of what the account was told, or is to be told. */
interface Row {
  readonly watch: string;
  readonly key: string;
  readonly since: Instant;
  readonly told: Instant | null;
  readonly isUnderWay: boolean;
}

/** Who is to be alerted, and where that is written. */
interface Alerted {
  readonly database: DatabaseSync;
  readonly tenant: string;
  readonly account: string;
}

/** Finds, and writes nothing. */
function claimWatchVisits(
  { database, tenant, account }: Alerted,
  visits: readonly WatchVisit[],
  at: At,
): Claims {
  const watch = database.prepare('SELECT 1 FROM watch WHERE tenant = ? AND id = ?');
  const own = database.prepare(
    'SELECT state, account, claimed_at FROM watch_alert WHERE tenant = ? AND watch = ? AND key = ? AND since = ?',
  );
  const watches = new Set(
    [...new Set(visits.map(({ watchId }) => watchId))].filter((id) => watch.get(tenant, id) !== undefined),
  );
  const free = visits.flatMap((visit): ClaimedVisit[] => {
    const { watchId, key, since } = visit;
    if (!watches.has(watchId)) return [];
    const row = own.get(tenant, watchId, key, since);
    if (row === undefined) return [{ ...visit, leftFor: null }];
    if (row.state !== 'claimed' || isUnderWay(Number(row.claimed_at), at)) return [];
    return [{ ...visit, leftFor: row.account === null ? account : String(row.account) }];
  });
  if (free.length === 0) return { kind: 'open', take: [], heard: [] };
  const rows = database
    .prepare('SELECT * FROM watch_alert WHERE tenant = ? AND account = ?')
    .all(tenant, account)
    .map((row) => readRow(row, at));
  if (rows.some((row) => row.isUnderWay || isRecent(row, at))) return { kind: 'quiet' };
  return { kind: 'open', ...shareOut(free, rows, account) };
}

/** Writes them, in the caller's transaction. */
function writeClaims(
  { database, tenant, account }: Alerted,
  { take, heard }: Extract<Claims, { readonly kind: 'open' }>,
  now: Instant,
): void {
  const put = database.prepare(`
    INSERT OR REPLACE INTO watch_alert (tenant, watch, key, since, state, account, claimed_at, settled_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const { watchId, key, since } of take)
    put.run(tenant, watchId, key, since, 'claimed', account, now, null);
  for (const { watchId, key, since, at } of heard)
    put.run(tenant, watchId, key, since, 'told', account, now, at);
}

/** Whatever watch found a visit, an account is told of it once. */
function shareOut(free: readonly ClaimedVisit[], rows: readonly Row[], account: string) {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const take = new Map<string, ClaimedVisit>();
  const heard: HeardVisit[] = [];
  for (const visit of free) {
    const { watchId, key, since } = visit;
    const others = (byKey.get(key) ?? []).filter((row) => row.watch !== watchId && row.since >= since);
    const told = others.flatMap((row) => (row.told === null ? [] : [row.told]));
    if (told.length > 0) heard.push({ watchId, key, since, at: Math.max(...told) });
    else if (!take.has(key)) {
      take.set(key, others.length === 0 ? visit : { ...visit, leftFor: visit.leftFor ?? account });
    }
  }
  return { take: [...take.values()], heard };
}

function readRow(row: Record<string, unknown>, at: At): Row {
  return {
    watch: String(row.watch),
    key: String(row.key),
    since: Number(row.since),
    told: row.state === 'told' ? Number(row.settled_at) : null,
    isUnderWay: row.state === 'claimed' && isUnderWay(Number(row.claimed_at), at),
  };
}

/** A claim further ahead than a stale one lies back was made by a clock that has been set back since. */
function isUnderWay(claimedAt: Instant, { now, stale }: At): boolean {
  return claimedAt > stale && claimedAt <= 2 * now - stale;
}

function isRecent({ told }: Row, { now, quietSince }: At): boolean {
  return told !== null && told > quietSince && told <= 2 * now - quietSince;
}
