import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { AppError } from '../../model/error.ts';
import { cannotOpen, clientOf, markInDatabase, migrate, readIdentity } from '../postgres/migrate.ts';
import { asAppError, MOVED, sqlState } from '../postgres/postgres-errors.ts';
import { DATABASE_STAMP } from '../stamps.ts';
import type { OnUpgrade } from '../store.ts';
import { MARK_TABLE, type MoveMark, readMark, refusalOf, storeInDatabase } from './move-mark.ts';
import { type MovedFiles, type MoveSide, plainReads } from './move-side.ts';
import { columnList, NUMBERED, type Row, type TableShape, tableShapes } from './moved-tables.ts';

/** The most rows of a query, and the most bytes. */
const MAX_ROWS = 2_000;
const MAX_BYTES = 4 * 2 ** 20;

/** The longest wait (ms) for connections of a process that was killed, and the pause between two looks. */
const GONE_MS = 500;
const PAUSE_MS = 50;

/** The longest wait (ms) for transactions that write. */
const LOCK_MS = 10_000;

/** The first bytes of a binary COPY, without flags and extensions, and the last. */
const COPY_BEGIN = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = Buffer.from([0xff, 0xff]);

const REFUSE_WRITE = `${MARK_TABLE}_refuse_write`;
const TRIGGER = MARK_TABLE;

/** The store in a database of PostgreSQL as a side of a move, and the files that belong to it. */
export function openPostgresSide(url: string, files: MovedFiles, onUpgrade: OnUpgrade): MoveSide {
  const client = clientOf(url);
  client.on('error', () => {});
  let connecting: Promise<unknown> | null = null;

  async function query(text: string, values: Row = []): Promise<readonly Row[]> {
    connecting ??= client.connect();
    await connecting.catch((cause: unknown) => {
      throw cannotOpen(cause, client);
    });
    try {
      return (await client.query({ text, values: [...values], rowMode: 'array' })).rows;
    } catch (error) {
      throw inWords(error);
    }
  }

  async function inTransaction(work: () => Promise<void>): Promise<void> {
    await query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}`);
    try {
      await work();
      await query('COMMIT');
    } catch (error) {
      await query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async function isUsed(): Promise<boolean> {
    const others = await query(`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND application_name IN ('dwell', current_setting('application_name'))`);
    return others.length > 0;
  }

  async function dropMark(): Promise<void> {
    for (const { name } of tableShapes) await query(`DROP TRIGGER IF EXISTS ${TRIGGER} ON "${name}"`);
    await query(`DROP FUNCTION IF EXISTS ${REFUSE_WRITE}; DROP TABLE IF EXISTS ${MARK_TABLE}`);
  }

  /** Sets the mark; of a source, every statement that writes fails with its sentence from then on. */
  async function putMark(mark: MoveMark): Promise<void> {
    await dropMark();
    await query(`CREATE TABLE ${MARK_TABLE} (mark text NOT NULL)`);
    await query(`INSERT INTO ${MARK_TABLE} VALUES ($1)`, [JSON.stringify(mark)]);
    if (mark.role === 'target') return;
    const sentence = client.escapeLiteral(refusalOf(mark, storeInDatabase));
    await query(`
      CREATE FUNCTION ${REFUSE_WRITE}() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN RAISE EXCEPTION USING ERRCODE = '${MOVED}', MESSAGE = ${sentence}; END $body$`);
    for (const { name } of tableShapes) {
      // It waits for the end of transactions that have written to the table.
      await query(`
        CREATE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "${name}"
        FOR EACH STATEMENT EXECUTE FUNCTION ${REFUSE_WRITE}()`);
    }
  }

  async function* rows(table: TableShape, begin: Row | null): AsyncGenerator<Row> {
    const keyAt = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
    for (let after = begin; ; ) {
      const some = await query(selectAfter(table, after), after ?? []);
      yield* some;
      const last = some.at(-1);
      if (last === undefined) return;
      after = keyAt.map((index) => last[index] ?? null);
    }
  }

  return {
    kind: 'database',
    get place() {
      return placeOf(client);
    },
    argument: 'DATABASE_URL',
    get emptied() {
      const name = client.escapeIdentifier(client.database ?? '');
      const owner = client.escapeIdentifier(client.user ?? '');
      return `a new database, or, if nothing else is in it, this one emptied: DROP DATABASE ${name}; CREATE DATABASE ${name} OWNER ${owner} ENCODING 'UTF8' TEMPLATE template0`;
    },
    files,
    stamps: {
      name: DATABASE_STAMP,
      read: () => readIdentity(async (text) => (await query(text))[0]?.[0]),
    },
    async mark() {
      await query('SELECT 1');
      const text = await markInDatabase(client);
      return text === null ? null : readMark(text);
    },
    async prepare(role) {
      const [made] = await query("SELECT to_regclass('kysely_migration')");
      if (role === 'source' && made?.[0] === null)
        throw new AppError(
          'store-unavailable',
          `There is no store in ${placeOf(client)}: it has no tables of Dwell.`,
        );
      await migrate(url, onUpgrade);
    },
    async begin(mark) {
      // The connection of a process that was killed ends a little later.
      for (let waited = 0; waited < GONE_MS && (await isUsed()); waited += PAUSE_MS) await pause(PAUSE_MS);
      await inTransaction(async () => {
        await putMark(mark);
        // A Dwell that starts from here on finds the mark.
        if (!(await isUsed())) return;
        const why = `${storeInDatabase.name} is in use. Stop every Dwell and every command on it, then try again.`;
        throw new AppError('in-use', why);
      });
    },
    setMark: (mark) => inTransaction(() => putMark(mark)),
    release: () => inTransaction(dropMark),
    ...plainReads(query),
    rows,
    add: ({ name, columns }, { bytes }, mark) =>
      inTransaction(async () => {
        const list = columnList(columns.map((column) => column.name));
        const stream = client.query(copyFrom(`COPY "${name}" (${list}) FROM STDIN (FORMAT binary)`));
        await pipeline(Readable.from([COPY_BEGIN, bytes, COPY_END]), stream).catch((error: unknown) => {
          throw inWords(error);
        });
        await query(`UPDATE ${MARK_TABLE} SET mark = $1`, [JSON.stringify(mark)]);
      }),
    async lastNumber() {
      const [row] = await query(`SELECT pg_get_serial_sequence('${NUMBERED}', 'id')`);
      const [last] = await query(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${row?.[0]}`);
      return Number(last?.[0]);
    },
    async finish(lastNumber) {
      await query(`SELECT setval(pg_get_serial_sequence('${NUMBERED}', 'id'), $1, $2::int = 1)`, [
        Math.max(1, lastNumber),
        Number(lastNumber > 0),
      ]);
      // Plans of queries are made by what is in the tables, which nothing has counted yet.
      await query('ANALYZE');
    },
    close: () => client.end().catch(() => {}),
  };
}

function placeOf({ database, host, port }: Client): string {
  return `the database ${database} on ${host}:${port}`;
}

/** The next rows beyond a key, whose sizes are summed up before any of them is sent. */
function selectAfter({ name, key, columns }: TableShape, after: Row | null): string {
  const list = columnList(columns.map((column) => column.name));
  const order = columnList(key);
  const where = after === null ? '' : `WHERE (${order}) > (${key.map((_, i) => `$${i + 1}`).join(', ')})`;
  const size = columns
    .filter(({ kind }) => kind !== 'integer')
    .map((column) => `coalesce(octet_length("${column.name}"), 0)`)
    .join(' + ');
  return `
    SELECT ${list} FROM (
      SELECT ${list}, sum(${size}) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM "${name}" ${where} ORDER BY ${order} LIMIT ${MAX_ROWS}
    ) AS next WHERE coalesce(before, 0) < ${MAX_BYTES} ORDER BY ${order}`;
}

/** The error of a statement; one that is not the database's own stands for a lost connection. */
function inWords(error: unknown): unknown {
  if (sqlState(error) !== null) return asAppError(error);
  const why = error instanceof Error ? error.message : String(error);
  return new AppError('store-unavailable', `The database cannot be reached: ${why}.`, [], { cause: error });
}
