import {
  type BigIntStats,
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { AppError } from '../../model/error.ts';
import { assertNotMoved, MARK_TABLE, storeIn } from '../move/move-mark.ts';
import { migrationsIn } from '../sql/migrations.ts';
import { CHANGING_TABLES, type OnUpgrade } from '../store.ts';
import { makeFolder } from './make-folder.ts';
import { nodeSqliteDialect, SqliteConnection } from './node-sqlite-dialect.ts';
import { patiently } from './open-engine.ts';
import { isStoreFull } from './sqlite-errors.ts';

/** The longest wait (ms) for another process that opens, upgrades or writes to the file. */
const LOCK_TIMEOUT_MS = 10_000;

/** The steps of the schema since kysely came to write it. */
export const migrations = migrationsIn({
  text: 'text',
  bytes: 'blob',
  numbering: (column) => column.primaryKey().autoIncrement(),
  numberKey: null,
  shortRows: 'without rowid',
});

/** As many steps a file has taken before kysely came to write the schema; `PRAGMA user_version` counts on from there. */
const LAST_OLDER_VERSION = 17;
/** Files of this version or an earlier one have a document for each issue, which an upgrade packs. */
export const LAST_UNPACKED_VERSION = 10;
/** The version of the schema, as the file says it. */
export const SCHEMA_VERSION = LAST_OLDER_VERSION + Object.keys(migrations).length;

/**
 * Opens (and if need be creates and upgrades) the database in `dataDir`. The write-ahead log with full synchronisation
 * makes a finished call survive a killed process and a cut power line alike. A store of an earlier version is upgraded,
 * which may take minutes: with `onUpgrade` in a thread of its own, so that this one goes on meanwhile.
 */
export async function openDatabase(dataDir: string, onUpgrade?: OnUpgrade): Promise<DatabaseSync> {
  const file = join(dataDir, 'dwell.db');
  let database: DatabaseSync | null = null;
  try {
    makeFolder(dataDir);
    removeForeignLog(file);
    const there = statSync(file, { throwIfNoEntry: false })?.ino;
    database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
    // The file holds the key that signs tokens.
    chmodSync(file, 0o600);
    // Two processes that open a new file at once: SQLite gives up at once on the switch, whatever the busy timeout.
    await patiently(LOCK_TIMEOUT_MS, () => database?.exec('PRAGMA journal_mode = WAL'));
    setUpWriter(database);
    assertNotMoved(markIn(database), storeIn(dataDir));
    // An up-to-date file is opened without a write, however busy another process keeps it.
    const version = versionOf(database);
    if (onUpgrade !== undefined && version > 0 && version < SCHEMA_VERSION) {
      onUpgrade({ step: CHANGING_TABLES, done: version, of: SCHEMA_VERSION });
      await upgradeInThread(file, onUpgrade);
    } else if (version !== SCHEMA_VERSION) await upgrade(database);
    // A restore may have put another file in its place while this one waited for it.
    if (there !== undefined && statSync(file, { throwIfNoEntry: false })?.ino !== there) {
      throw new AppError(
        'store-unavailable',
        `The database in DATA_DIR '${dataDir}' was replaced while it was opened. Try again.`,
      );
    }
    return database;
  } catch (cause) {
    database?.close();
    throw cannotOpen(cause, dataDir);
  }
}

/** The version of the schema as the file says it; 0 where it has none of ours. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** The offset in a SQLite header at which the write mode is, and the value for no write-ahead log. */
const WRITTEN_AT = 18;
const WITHOUT_LOG = 1;

/**
 * Removes the write-ahead log of a process that was killed where a copy was put in the place of its database: SQLite would
 * take what is in it for part of the copy. A copy says that it has no log, and a database that has one says so on the disk
 * before its log is made.
 */
export function removeForeignLog(file: string): void {
  const log = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  if (log === undefined || !existsSync(file) || readByte(file, WRITTEN_AT) !== WITHOUT_LOG) return;
  // Another process that starts may have removed it, and have a log of its own by now.
  if (!isUntouched(`${file}-wal`, log)) return;
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

/** Returns true where a file is the one of `before`, unchanged: a new file can get the inode of a removed one. */
export function isUntouched(file: string, before: BigIntStats): boolean {
  const now = statSync(file, { bigint: true, throwIfNoEntry: false });
  return now?.ino === before.ino && now.ctimeNs === before.ctimeNs;
}

function readByte(file: string, position: number): number | undefined {
  const handle = openSync(file, 'r');
  try {
    const byte = new Uint8Array(1);
    return readSync(handle, byte, 0, 1, position) === 1 ? byte[0] : undefined;
  } finally {
    closeSync(handle);
  }
}

/** The error of a store that cannot be opened, in words. */
export function cannotOpen(cause: unknown, dataDir: string): AppError {
  if (cause instanceof AppError) return cause;
  const why = openProblem(cause, dataDir, join(dataDir, 'dwell.db'));
  const message = `${storeIn(dataDir).name} cannot be opened: ${why}.`;
  return new AppError('store-unavailable', message, [], { cause });
}

/** Has a connection wait for the disk at the end of each transaction, and for other processes without keeping its thread. */
function setUpWriter(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0');
}

/** SQLite works as long as a statement takes, and some steps take minutes: no thread does anything else meanwhile. */
async function upgradeInThread(file: string, onUpgrade: OnUpgrade): Promise<void> {
  const worker = new Worker(new URL('./upgrade-thread.ts', import.meta.url), { workerData: file });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', onUpgrade);
  worker.once('error', reject);
  worker.once('exit', () => resolve());
  await promise;
}

/** Upgrades a file in this thread; see `upgradeInThread`. */
export async function upgradeFile(file: string, onUpgrade: OnUpgrade): Promise<void> {
  using database = new DatabaseSync(file);
  setUpWriter(database);
  await upgrade(database, onUpgrade);
}

/** Takes the steps that a file lacks in one transaction: where it is interrupted, nothing has changed. */
async function upgrade(database: DatabaseSync, onUpgrade: OnUpgrade = () => {}): Promise<void> {
  await patiently(LOCK_TIMEOUT_MS, () => database.exec('BEGIN IMMEDIATE'));
  try {
    const version = versionOf(database);
    if (version > SCHEMA_VERSION) {
      throw tooNew(version);
    }
    const isOlder = version > 0 && version <= LAST_OLDER_VERSION;
    const older = isOlder ? await import('../upgrades/upgrade.ts') : null;
    older?.takeOlderSteps(database, { version, lastVersion: SCHEMA_VERSION, onUpgrade });
    await migrate(database);
    older?.takeOver(database);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
  giveBackSpace(database, onUpgrade);
}

/** The error of a file that a later Dwell has written, by the version of its schema. */
export function tooNew(version: number): AppError {
  return new AppError(
    'store-unavailable',
    `The store was written by a newer Dwell (schema ${version}, this one knows ${SCHEMA_VERSION}); update Dwell or choose another DATA_DIR.`,
  );
}

/** Brings the schema to its last step, in the transaction that is under way. */
async function migrate(database: DatabaseSync): Promise<void> {
  const { Migrator } = await import('kysely/migration');
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: nodeSqliteDialect(new SqliteConnection(database)) }),
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Less is soon used again. */
const MUCH_FREE_BYTES = 2 ** 24;

/** A step may leave most of the file empty. Where others write, or the disk is full, it is filled by and by instead. */
function giveBackSpace(database: DatabaseSync, onUpgrade: OnUpgrade): void {
  const [free, all, size] = ['freelist_count', 'page_count', 'page_size'].map((name) =>
    Number(database.prepare(`SELECT * FROM pragma_${name}`).get()?.[name]),
  );
  if (free === undefined || all === undefined || size === undefined) return;
  if (free * size < MUCH_FREE_BYTES || free * 2 < all) return;
  onUpgrade({ step: 'making the file smaller', done: 0, of: 1 });
  try {
    database.exec('VACUUM');
  } catch {
    // It is tried no more: what is free is used again.
  }
}

/**
 * Rewrites the whole file, so that nothing is left in it of what was replaced or removed. Others can read meanwhile, and
 * writes wait. This thread waits for other processes.
 */
export function removeTraces(database: DatabaseSync, done: string): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}; VACUUM`);
    if (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0)
      throw new Error('the database is locked');
  } catch (cause) {
    const why = isStoreFull(cause)
      ? 'the disk is full'
      : cause instanceof Error
        ? cause.message
        : String(cause);
    throw new AppError(
      'store-unavailable',
      `${done}, but the files of the database may still have them as they were (${why}). Run the command again.`,
      [],
      { cause },
    );
  } finally {
    database.exec('PRAGMA busy_timeout = 0');
  }
}

/** The mark of a store that takes part in a move or was moved, see `MoveMark`; null for any other. */
export function markIn(database: DatabaseSync): string | null {
  const table = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(MARK_TABLE);
  if (table === undefined) return null;
  return String(database.prepare(`SELECT mark FROM ${MARK_TABLE}`).get()?.mark);
}

/** SQLite's primary result codes for a file that may only be read, and for one that may not even be opened. */
const READ_ONLY = 8;
const CANNOT_OPEN = 14;

/** The reason why a store cannot be opened, in words; unforeseen ones in the system's own. */
function openProblem(cause: unknown, dataDir: string, file: string): string {
  if (isStoreFull(cause)) return 'the disk is full; free some space, then try again';
  // The cause may come from outside our realm.
  const failure: { [Part in 'code' | 'errcode' | 'syscall' | 'message']?: unknown } =
    cause !== null && typeof cause === 'object' ? cause : {};
  const { code, syscall, message = cause } = failure;
  // The extended result codes of SQLite carry the primary one in their lowest byte.
  const errcode = Number(failure.errcode) & 0xff;
  const notOurs = `'${file}' belongs to another user or can't be written`;
  if (syscall === 'chmod' || syscall === 'stat') return notOurs;
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file is in its place';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      return 'no folder can be made there';
  }
  if (errcode === READ_ONLY || errcode === CANNOT_OPEN) {
    return existsSync(file) ? notOurs : `no file can be made in '${dataDir}'`;
  }
  return String(message);
}
