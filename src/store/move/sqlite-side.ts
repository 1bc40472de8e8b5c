import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../model/error.ts';
import { markIn, openDatabase, SCHEMA_VERSION, versionOf } from '../sqlite/open-database.ts';
import { asUnavailable } from '../sqlite/open-engine.ts';
import { reasonOf } from '../sqlite/sqlite-errors.ts';
import { DATABASE_STAMP } from '../stamps.ts';
import type { OnUpgrade } from '../store.ts';
import { MARK_TABLE, type MoveMark, readMark, refusalOf, storeIn } from './move-mark.ts';
import { type MovedFiles, type MoveSide, plainReads, stampsIn } from './move-side.ts';
import { columnList, NUMBERED, type Row, type TableShape, tableShapes } from './moved-tables.ts';

/** The longest wait (ms) for a lock, where another process opens the file to see that it may not be used. */
const LOCK_TIMEOUT_MS = 10_000;

/** The store in a folder, by its whole path, as a side of a move. `onUpgrade` is called before one of an earlier version is upgraded. */
export function openSqliteSide(dataDir: string, files: MovedFiles, onUpgrade: OnUpgrade): MoveSide {
  const file = join(dataDir, 'dwell.db');
  const place = `the folder ${dataDir}`;
  const writes = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  let connection: DatabaseSync | null = null;

  function connected(): DatabaseSync {
    if (connection !== null) return connection;
    connection = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
    connection.exec('PRAGMA synchronous = FULL');
    return connection;
  }

  function disconnect(): void {
    writes.clear();
    connection?.close();
    connection = null;
  }

  function selectOf(table: TableShape, where: string): ReturnType<DatabaseSync['prepare']> {
    const names = table.columns.map(({ name }) => name);
    return connected().prepare(`SELECT ${columnList(names)} FROM "${table.name}" ${where}`);
  }

  /** The numbered table has the number alone as its key here: each tenant's are found by an index and read by the number. */
  function* numberedRows(table: TableShape, after: Row | null): Generator<Row> {
    const [tenant = '', id = 0] = after ?? [];
    const tenants = connected().prepare(
      `SELECT DISTINCT tenant FROM "${table.name}" WHERE tenant >= ? ORDER BY tenant`,
    );
    const own = selectOf(
      table,
      `WHERE id IN (SELECT id FROM "${table.name}" WHERE tenant = ? AND id > ?) ORDER BY id`,
    );
    for (const one of tenants.all(tenant).map((row) => String(row.tenant)))
      yield* rowsOf(own, one, one === tenant ? Number(id) : 0);
  }

  function inTransaction(work: (database: DatabaseSync) => void, database = connected()): void {
    database.exec('BEGIN IMMEDIATE');
    try {
      work(database);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw asUnavailable(error);
    }
  }

  return {
    kind: 'folder',
    place,
    argument: dataDir,
    emptied: 'a new folder',
    files,
    stamps: stampsIn(dataDir),
    async mark() {
      const text = existsSync(file) ? markIn(connected()) : null;
      return text === null ? null : readMark(text);
    },
    async prepare(role) {
      if (role === 'source' && !existsSync(file))
        throw new AppError(
          'store-unavailable',
          `There is no store in '${dataDir}': it has no file dwell.db.`,
        );
      // An older store that is not to be moved is not to be upgraded either.
      if (role === 'target' && existsSync(file) && versionOf(connected()) !== SCHEMA_VERSION)
        throw new AppError('store-unavailable', `${storeIn(dataDir).name} is not empty.`);
      disconnect();
      (await openDatabase(dataDir, onUpgrade)).close();
    },
    async begin(mark) {
      disconnect();
      try {
        using alone = new DatabaseSync(file, { timeout: 0 });
        // Every process that has the file open, be it idle, keeps others from this lock.
        alone.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL');
        inTransaction((database) => putMark(database, mark, dataDir), alone);
      } catch (error) {
        if (!isBusy(error)) throw error;
        const why = `${storeIn(dataDir).name} is in use. Stop Dwell and every command on it, then try again.`;
        throw new AppError('in-use', why, [], { cause: error });
      }
    },
    setMark: async (mark) => inTransaction((database) => putMark(database, mark, dataDir)),
    async release() {
      inTransaction((database) => {
        dropMark(database);
        const stamps = database.prepare("DELETE FROM document WHERE kind = 'stamp' AND id = ?");
        stamps.run(DATABASE_STAMP);
      });
    },
    ...plainReads(async (text) => [...rowsOf(connected().prepare(text))]),
    rows(table, after) {
      if (table.name === NUMBERED) return numberedRows(table, after);
      const key = columnList(table.key);
      const where = after === null ? '' : `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})`;
      return rowsOf(selectOf(table, `${where} ORDER BY ${key}`), ...(after ?? []));
    },
    async add(table, { rows }, mark) {
      const insert = writes.get(table.name) ?? insertOf(connected(), table);
      writes.set(table.name, insert);
      inTransaction((database) => {
        for (const row of rows) insert.run(...row);
        putMarkText(database, mark);
      });
    },
    async lastNumber() {
      const row = connected().prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(NUMBERED);
      return Number(row?.seq ?? 0);
    },
    async finish(lastNumber) {
      inTransaction((database) => {
        database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(NUMBERED);
        database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(NUMBERED, lastNumber);
      });
    },
    close: async () => disconnect(),
  };
}

function* rowsOf(
  statement: ReturnType<DatabaseSync['prepare']>,
  ...values: (Row[number] | undefined)[]
): Generator<Row> {
  statement.setReturnArrays(true);
  const parameters = values.map((value) => value ?? null);
  for (const row of statement.iterate(...parameters)) yield Object.values(row).map(asRowValue);
}

function asRowValue(value: unknown): Row[number] {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A column has a value of a kind that no column holds (${typeof value}).`);
}

function insertOf(database: DatabaseSync, { name, columns }: TableShape) {
  const names = columnList(columns.map((column) => column.name));
  return database.prepare(`INSERT INTO "${name}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
}

const triggerOf = (table: string, event: string) => `"${MARK_TABLE}_${table}_${event}"`;
const events = ['insert', 'update', 'delete'];

/** Returns true where others use the file, as a lock or a transaction that was to begin says. */
function isBusy(error: unknown): boolean {
  return reasonOf(error) === 'busy' || (error instanceof AppError && reasonOf(error.cause) === 'busy');
}

/** Sets the mark; of a source, every write of a row fails with its sentence from then on. */
function putMark(database: DatabaseSync, mark: MoveMark, dataDir: string): void {
  dropMark(database);
  database.exec(`CREATE TABLE ${MARK_TABLE} (mark text NOT NULL)`);
  database.prepare(`INSERT INTO ${MARK_TABLE} VALUES (?)`).run(JSON.stringify(mark));
  if (mark.role === 'target') return;
  const sentence = refusalOf(mark, storeIn(dataDir)).replaceAll("'", "''");
  for (const { name } of tableShapes) {
    for (const event of events) {
      database.exec(
        `CREATE TRIGGER ${triggerOf(name, event)} BEFORE ${event} ON "${name}" BEGIN SELECT RAISE(ABORT, '${sentence}'); END`,
      );
    }
  }
}

function putMarkText(database: DatabaseSync, mark: MoveMark): void {
  database.prepare(`UPDATE ${MARK_TABLE} SET mark = ?`).run(JSON.stringify(mark));
}

function dropMark(database: DatabaseSync): void {
  database.exec(`DROP TABLE IF EXISTS ${MARK_TABLE}`);
  for (const { name } of tableShapes)
    for (const event of events) database.exec(`DROP TRIGGER IF EXISTS ${triggerOf(name, event)}`);
}
