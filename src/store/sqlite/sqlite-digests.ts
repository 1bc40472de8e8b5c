import type { DatabaseSync } from 'node:sqlite';
import { millisecondsInDay } from 'date-fns/constants';
import { compareText } from '../../issues/ids-and-names.ts';
import { type Digest, type DigestRun, digestRunStates, skipReasons } from '../../model/digest.ts';
import type { DigestStore, HeldRun } from '../job-stores.ts';
import { inTransaction, parseDocument, withoutWaiting } from './sqlite-database.ts';

/** Leases and pauses that reach further than these (ms) were begun by a clock that has been set back since. */
const LONGEST_LEASE = 600_000;
const LONGEST_PAUSE = millisecondsInDay;

/** It has not ended: the tenant. */
const CLAIMED = "tenant = ? AND state = 'claimed'";

/** Nobody works on it: the tenant, twice the instant. */
const UNHELD = `${CLAIMED} AND (held_until <= ? OR held_until > ? + ${LONGEST_LEASE})`;

/** A period that nobody works on and that may be told: the tenant, five times the instant. */
const FREE = `${UNHELD} AND planned_for <= ?
  AND (not_before <= ? OR not_before > ? + ${LONGEST_PAUSE})`;

/** Still held by the process that asks: tenant, digest, due and holder. */
const HELD = "tenant = ? AND digest = ? AND due = ? AND holder = ? AND state = 'claimed'";

/** With each digest of a tenant the newest of its periods that ended. */
const DIGESTS = `
  SELECT digest.id, digest.owner, digest.paused, digest.next_due, digest.document, last.digest, last.due,
    last.state, last.note, last.attempts, last.message, last.skip_reason, last.finished_at
  FROM digest LEFT JOIN digest_period AS last
    ON last.tenant = digest.tenant AND last.digest = digest.id AND last.due = (
      SELECT max(due) FROM digest_period AS period
      WHERE period.tenant = digest.tenant AND period.digest = digest.id AND state <> 'claimed')
  WHERE digest.tenant = ?`;

/** Digests and their periods in SQLite. */
export function createSqliteDigests(database: DatabaseSync, tenant: string): DigestStore {
  const get = (id: string): Digest | null => {
    const row = database.prepare(`${DIGESTS} AND digest.id = ?`).get(tenant, id);
    return row === undefined ? null : read(row);
  };
  const write = (sql: string, ...values: readonly (string | number | null)[]): boolean => {
    const statement = database.prepare(sql);
    return inTransaction(database, () => statement.run(...values)).changes > 0;
  };

  return {
    async add(digest, most) {
      const count = database.prepare('SELECT count(*) AS count FROM digest WHERE tenant = ? AND owner = ?');
      const insert = database.prepare(
        'INSERT INTO digest (tenant, id, owner, paused, next_due, document) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const { id, owner, paused, nextDue } = digest;
      return inTransaction(database, () => {
        if (Number(count.get(tenant, owner)?.count) >= most) return false;
        insert.run(tenant, id, owner, Number(paused), nextDue, documentOf(digest));
        return true;
      });
    },
    async get(id) {
      return get(id);
    },
    async list() {
      return database.prepare(DIGESTS).all(tenant).map(read).sort(byTitle);
    },
    async change(id, change) {
      const put = database.prepare(
        'UPDATE digest SET owner = ?, paused = ?, next_due = ?, document = ? WHERE tenant = ? AND id = ?',
      );
      return inTransaction(database, () => {
        const kept = get(id);
        if (kept === null) return null;
        const digest = change(kept);
        put.run(digest.owner, Number(digest.paused), digest.nextDue, documentOf(digest), tenant, id);
        return get(id);
      });
    },
    async remove(id) {
      const remove = database.prepare('DELETE FROM digest WHERE tenant = ? AND id = ?');
      const removePeriods = database.prepare('DELETE FROM digest_period WHERE tenant = ? AND digest = ?');
      return inTransaction(database, () => {
        removePeriods.run(tenant, id);
        return remove.run(tenant, id).changes > 0;
      });
    },
    async due(now) {
      const due = `${DIGESTS} AND digest.paused = 0 AND digest.next_due <= ? ORDER BY digest.next_due, digest.id`;
      return database.prepare(due).all(tenant, now).map(read);
    },
    async addRuns(id, expected, runs, nextDue) {
      const insert = database.prepare(`
        INSERT INTO digest_period (tenant, digest, due, state, message, skip_reason, finished_at, planned_for)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
      const goOn = database.prepare(
        'UPDATE digest SET next_due = ? WHERE tenant = ? AND id = ? AND next_due = ? AND paused = 0',
      );
      return inTransaction(database, () => {
        if (goOn.run(nextDue, tenant, id, expected).changes === 0) return false;
        for (const { due, notBefore, skipped } of runs) {
          const end =
            skipped === null
              ? ['claimed', null, null, null]
              : ['skipped', skipped.message, skipped.skipReason, due];
          insert.run(tenant, id, due, ...end, notBefore);
        }
        return true;
      });
    },
    async claim(now, { holder, until }, busy = []) {
      const next = database.prepare(`
        SELECT digest, due FROM digest_period
        WHERE ${FREE} AND digest IN (
          SELECT id FROM digest WHERE digest.tenant = digest_period.tenant AND paused = 0
          AND coalesce(json_extract(document, '$.place.channel'), owner) NOT IN (SELECT value FROM json_each(?)))
        ORDER BY due, digest LIMIT 1`);
      const free = [tenant, now, now, now, now, now, JSON.stringify(busy)];
      // Processes look for work all the time, which must not wait until an import has done writing.
      if (next.get(...free) === undefined) return null;
      const take = database.prepare(`
        UPDATE digest_period SET holder = ?, held_until = ?, attempts = attempts + 1
        WHERE tenant = ? AND digest = ? AND due = ? RETURNING *`);
      return inTransaction(database, (): HeldRun | null => {
        const found = next.get(...free);
        if (found === undefined) return null;
        const digest = get(String(found.digest));
        const row = take.get(holder, until, tenant, String(found.digest), Number(found.due));
        return digest === null || row === undefined ? null : { digest, run: readRun(row) };
      });
    },
    async skipWaiting(digestId, { message, skipReason }, now, evenHeld = false) {
      const sql = `UPDATE digest_period SET state = 'skipped', message = ?, skip_reason = ?, finished_at = ?,
        holder = NULL, held_until = 0 WHERE digest = ? AND ${evenHeld ? CLAIMED : UNHELD}`;
      write(sql, message, skipReason, now, digestId, tenant, ...(evenHeld ? [] : [now, now]));
    },
    async takeBack(digestId, now) {
      write(
        `DELETE FROM digest_period WHERE tenant = ? AND digest = ? AND due > ?
         AND (state IN ('skipped', 'silent') OR (state = 'claimed' AND note = '{}'))`,
        tenant,
        digestId,
        now,
      );
    },
    async unreported(since) {
      const failed = `SELECT * FROM digest_period WHERE tenant = ? AND finished_at >= ? AND state = 'failed'
        AND json_extract(note, '$.told') IS NULL ORDER BY due, digest`;
      return database.prepare(failed).all(tenant, since).map(readRun);
    },
    async forgetUnreported() {
      write(
        `UPDATE digest_period SET note = json_set(note, '$.told', '')
         WHERE tenant = ? AND state = 'failed' AND json_extract(note, '$.told') IS NULL`,
        tenant,
      );
    },
    async changeNote(digestId, due, expected, note) {
      return write(
        `UPDATE digest_period SET note = ?
         WHERE tenant = ? AND digest = ? AND due = ? AND state <> 'claimed' AND note = ?`,
        JSON.stringify(note),
        tenant,
        digestId,
        due,
        JSON.stringify(expected),
      );
    },
    async renew(digestId, due, { holder, until }) {
      // It is tried again soon: everybody else must not wait for that.
      return withoutWaiting(database, () =>
        write(`UPDATE digest_period SET held_until = ? WHERE ${HELD}`, until, tenant, digestId, due, holder),
      );
    },
    // What was posted is worth waiting for: unknown, it would be posted once more.
    async putNote(digestId, due, { holder, until }, note) {
      const sql = `UPDATE digest_period SET held_until = ?, note = ? WHERE ${HELD}`;
      return write(sql, until, JSON.stringify(note), tenant, digestId, due, holder);
    },
    async finish(digestId, due, holder, { state, message, skipReason = null, at }) {
      return write(
        `UPDATE digest_period SET state = ?, message = ?, skip_reason = ?, finished_at = ?,
         holder = NULL, held_until = 0 WHERE ${HELD}`,
        state,
        message,
        skipReason,
        at,
        tenant,
        digestId,
        due,
        holder,
      );
    },
    async release(digestId, due, holder, notBefore, isAttempt) {
      write(
        `UPDATE digest_period SET holder = NULL, held_until = 0, not_before = ?, attempts = attempts - ?
         WHERE ${HELD}`,
        notBefore,
        Number(!isAttempt),
        tenant,
        digestId,
        due,
        holder,
      );
    },
    async putTold(digestId, due, note) {
      const sql = `INSERT INTO digest_period (tenant, digest, due, state, note, finished_at, planned_for)
        SELECT tenant, id, ?, 'sent', ?, ?, ? FROM digest WHERE tenant = ? AND id = ?
        ON CONFLICT DO UPDATE SET state = 'sent', message = NULL, note = excluded.note WHERE state = 'failed'`;
      return write(sql, due, JSON.stringify(note), due, due, tenant, digestId);
    },
    async runs(digestId, count) {
      const rows = database.prepare(
        'SELECT * FROM digest_period WHERE tenant = ? AND digest = ? ORDER BY due DESC LIMIT ?',
      );
      return rows.all(tenant, digestId, count).map(readRun);
    },
    async forget(before) {
      const old = `FROM digest_period AS period WHERE tenant = ? AND finished_at < ? AND due < (
        SELECT max(due) FROM digest_period AS one
        WHERE one.tenant = period.tenant AND one.digest = period.digest AND state <> 'claimed')`;
      if (database.prepare(`SELECT 1 ${old} LIMIT 1`).get(tenant, before) === undefined) return;
      write(`DELETE ${old}`, tenant, before);
    },
  };
}

/** By title; of one title the one that is due first, paused ones last. */
function byTitle(a: Digest, b: Digest): number {
  const titles = compareText(a.title.toLowerCase(), b.title.toLowerCase());
  const due = (one: Digest) => one.nextDue ?? Number.MAX_SAFE_INTEGER;
  return titles || due(a) - due(b) || compareText(a.id, b.id);
}

type Kept = Omit<Digest, 'id' | 'owner' | 'paused' | 'nextDue' | 'lastRun'>;

function documentOf({ id, owner, paused, nextDue, lastRun, ...kept }: Digest): string {
  return JSON.stringify(kept);
}

function read(row: Record<string, unknown>): Digest {
  return {
    ...parseDocument<Kept>(row.document),
    id: String(row.id),
    owner: String(row.owner),
    paused: row.paused === 1,
    nextDue: number(row.next_due),
    lastRun: row.due === null ? null : readRun(row),
  };
}

function readRun(row: Record<string, unknown>): DigestRun {
  return {
    digestId: String(row.digest),
    due: Number(row.due),
    state: digestRunStates.find((state) => state === row.state) ?? 'failed',
    note: parseDocument(row.note),
    attempts: Number(row.attempts),
    message: row.message === null ? null : String(row.message),
    skipReason: skipReasons.find((reason) => reason === row.skip_reason) ?? null,
    finishedAt: number(row.finished_at),
  };
}

function number(value: unknown): number | null {
  return value === null ? null : Number(value);
}
