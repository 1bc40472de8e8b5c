import type { DatabaseSync } from 'node:sqlite';
import { millisecondsInHour } from 'date-fns/constants';
import { type Delivery, type ExportInput, type ExportRecord, exportStates } from '../../model/export.ts';
import { ask, type BrowseScope } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import type { ExportStore } from '../job-stores.ts';
import { inTransaction, parseDocument, withoutWaiting } from './sqlite-database.ts';

const UNFINISHED = "state IN ('Queued', 'Running')";

/** Leases and pauses that reach further than these (ms) were begun by a clock that has been set back since. */
const LONGEST_LEASE = 60_000;
const LONGEST_PAUSE = millisecondsInHour;

/** Nobody works on it, and there is something to do: the tenant, the doors that are open as JSON, four times the instant. */
const FREE = `tenant = ? AND (${UNFINISHED} OR (delivery_pending = 1 AND json_extract(delivery, '$.door') IN (SELECT value FROM json_each(?))))
  AND (held_until <= ? OR held_until > ? + ${LONGEST_LEASE})
  AND (not_before <= ? OR not_before > ? + ${LONGEST_PAUSE})`;

/** Still held by the process that asks: tenant, id and holder. */
const HELD = 'tenant = ? AND id = ? AND holder = ? AND revoked = 0';

/** Queued exports in SQLite. */
export function createSqliteExports(database: DatabaseSync, tenant: string): ExportStore {
  const get = (id: string): ExportRecord | null => {
    const row = database.prepare('SELECT * FROM export WHERE tenant = ? AND id = ?').get(tenant, id);
    return row === undefined ? null : read(row);
  };
  const write = (sql: string, ...values: readonly (string | number | null)[]): boolean => {
    const statement = database.prepare(sql);
    return inTransaction(database, () => statement.run(...values)).changes > 0;
  };
  // Who works on an export writes every now and then, and tries again: everybody else must not wait for that.
  const writeAtOnce: typeof write = (...told) => withoutWaiting(database, () => write(...told));

  return {
    async add(record, mostUnfinished) {
      const { account, rights } = record.input.request.principal;
      const unfinished = database.prepare(
        `SELECT count(*) AS count FROM export WHERE tenant = ? AND account = ? AND ${UNFINISHED}`,
      );
      const insert = database.prepare(`
        INSERT INTO export (tenant, id, account, rights, wish, state, created_at, completed, total, message, file_name, bytes,
          provenance, scope, finished_at, expires_at, delivery, delivery_pending, attempts)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
      return inTransaction(database, () => {
        if (Number(unfinished.get(tenant, account)?.count) >= mostUnfinished) return false;
        insert.run(
          tenant,
          record.id,
          account,
          rights,
          JSON.stringify(record.input),
          record.state,
          record.createdAt,
          record.completed,
          record.total,
          record.message,
          record.fileName,
          record.bytes,
          documentOf(record.provenance),
          documentOf(record.scope),
          record.finishedAt,
          record.expiresAt,
          documentOf(record.delivery),
          Number(record.delivery?.pending ?? false),
          record.attempts,
        );
        return true;
      });
    },
    async dropDeliveries() {
      const pending = 'FROM export WHERE tenant = ? AND delivery_pending = 1';
      if (database.prepare(`SELECT 1 ${pending} LIMIT 1`).get(tenant) === undefined) return;
      write(
        `UPDATE export SET delivery_pending = 0, delivery = json_set(delivery, '$.pending', json('false'))
         WHERE tenant = ? AND delivery_pending = 1`,
        tenant,
      );
    },
    async get(id) {
      return get(id);
    },
    async list({ account, rights }, { start, size }) {
      const whose = `tenant = ? AND account = ?${rights === 'admin' ? '' : " AND rights <> 'admin'"}`;
      const count = database.prepare(`SELECT count(*) AS count FROM export WHERE ${whose}`);
      const rows = database
        .prepare(`SELECT * FROM export WHERE ${whose} ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`)
        .all(tenant, account, size, start);
      return {
        records: rows.map(read),
        total: Number(count.get(tenant, account)?.count),
      };
    },
    async claim(now, { holder, until }, doors) {
      const next = database.prepare(`
        SELECT id FROM export AS waiting WHERE ${FREE}
        ORDER BY (
          SELECT max(served) FROM export WHERE tenant = waiting.tenant AND account = waiting.account), created_at, rowid LIMIT 1`);
      // Processes look for work all the time, which must not wait until an import has done writing.
      const free = [tenant, JSON.stringify(doors), now, now, now, now];
      if (next.get(...free) === undefined) return null;
      const take = database.prepare(`
        UPDATE export SET holder = ?, held_until = ?, revoked = 0,
          served = (SELECT max(served) FROM export AS one WHERE one.tenant = export.tenant) + 1,
          attempts = attempts + (${UNFINISHED}),
          completed = CASE WHEN ${UNFINISHED} THEN 0 ELSE completed END,
          state = CASE WHEN ${UNFINISHED} THEN 'Running' ELSE state END
        WHERE tenant = ? AND id = ?`);
      return inTransaction(database, () => {
        const row = next.get(...free);
        if (row === undefined) return null;
        const id = String(row.id);
        take.run(holder, until, tenant, id);
        return get(id);
      });
    },
    async renew(id, { holder, until }, { completed, total }) {
      return writeAtOnce(
        `UPDATE export SET held_until = ?,
           completed = CASE state WHEN 'Running' THEN ? ELSE completed END,
           total = CASE state WHEN 'Running' THEN ? ELSE total END
         WHERE ${HELD}`,
        until,
        completed,
        total,
        tenant,
        id,
        holder,
      );
    },
    async finish(id, { holder, until }, at, outcome) {
      const isThere = outcome.state === 'Successful';
      return writeAtOnce(
        `UPDATE export SET held_until = ?, finished_at = ?, state = ?, message = ?, file_name = ?, bytes = ?,
           provenance = ?, scope = ?, expires_at = ?, completed = CASE WHEN ? THEN total ELSE completed END
         WHERE ${HELD} AND state = 'Running'`,
        until,
        at,
        outcome.state,
        isThere ? null : outcome.message,
        isThere ? outcome.fileName : null,
        isThere ? outcome.bytes : null,
        documentOf(isThere ? outcome.provenance : null),
        documentOf(isThere ? outcome.scope : null),
        isThere ? outcome.expiresAt : null,
        Number(isThere),
        tenant,
        id,
        holder,
      );
    },
    async putDelivery(id, { holder, until }, delivery) {
      const sql = `UPDATE export SET held_until = ?, delivery = ?, delivery_pending = ? WHERE ${HELD}`;
      return writeAtOnce(sql, until, JSON.stringify(delivery), Number(delivery.pending), tenant, id, holder);
    },
    async release(id, holder, notBefore) {
      // An attempt that was let go of in good order is none that a crash has ended.
      write(
        `UPDATE export SET holder = NULL, held_until = 0, revoked = 0, not_before = ?,
           attempts = attempts - (state = 'Running'),
           completed = CASE WHEN state = 'Running' THEN 0 ELSE completed END,
           state = CASE WHEN state = 'Running' THEN 'Queued' ELSE state END
         WHERE tenant = ? AND id = ? AND holder = ?`,
        notBefore,
        tenant,
        id,
        holder,
      );
    },
    async abort(id, at, message) {
      return write(
        `UPDATE export SET state = 'Aborted', finished_at = ?, message = ?, revoked = (holder IS NOT NULL)
         WHERE tenant = ? AND id = ? AND ${UNFINISHED}`,
        at,
        message,
        tenant,
        id,
      );
    },
    async expire(now, oldest, most) {
      const past = `tenant = :tenant AND state = 'Successful' AND (expires_at <= :now OR (delivery_pending = 0 AND id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY account ORDER BY finished_at DESC, rowid DESC) AS place
          FROM export WHERE tenant = :tenant AND state = 'Successful')
        WHERE place > :most)))`;
      const old = 'tenant = :tenant AND finished_at < :oldest';
      const any = database.prepare(`SELECT 1 FROM export WHERE (${past}) OR (${old}) LIMIT 1`);
      if (any.get({ tenant, now, most, oldest }) === undefined) return [];
      const forget = database.prepare(`DELETE FROM export WHERE ${old} RETURNING id`);
      const close = database.prepare(`UPDATE export SET state = 'Expired' WHERE ${past} RETURNING id`);
      return inTransaction(database, () =>
        [...forget.all({ tenant, oldest }), ...close.all({ tenant, now, most })].map((row) => String(row.id)),
      );
    },
  };
}

function read(row: Record<string, unknown>): ExportRecord {
  const { delivery, provenance, scope } = row;
  return {
    id: String(row.id),
    input: wholeInput(parseDocument<ExportInput>(row.wish)),
    state: exportStates.find((state) => state === row.state) ?? 'Failed',
    createdAt: Number(row.created_at),
    completed: Number(row.completed),
    total: Number(row.total),
    message: text(row.message),
    fileName: text(row.file_name),
    bytes: number(row.bytes),
    provenance: provenance === null ? null : parseDocument<Provenance>(provenance),
    scope: scope === null ? null : parseDocument<BrowseScope>(scope),
    finishedAt: number(row.finished_at),
    expiresAt: number(row.expires_at),
    delivery: delivery === null ? null : parseDocument<Delivery>(delivery),
    attempts: Number(row.attempts),
  };
}

/** One that an older version kept lacks the choices that came later. */
function wholeInput(input: ExportInput): ExportInput {
  return { ...input, request: ask(input.request) };
}

function documentOf(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

function text(value: unknown): string | null {
  return value === null ? null : String(value);
}

function number(value: unknown): number | null {
  return value === null ? null : Number(value);
}
