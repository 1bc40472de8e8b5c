import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '../../model/error.ts';
import { isDiskFull } from '../../model/system-error.ts';

/** SQLite's primary result codes for a file others write to, a failing disk, a damaged file, a full disk, no database. */
const outsideCauses: readonly number[] = [5, 10, 11, 13, 26];
const BUSY = 5;
const FULL = 13;
/** Its extended result code where the index of the write-ahead log does not fit. */
const NO_ROOM_FOR_INDEX = 4874;

const DISK_FULL = 'The disk is full, so nothing can be saved. Free some space for DATA_DIR, then try again.';

const REPLACED =
  'Nothing can be saved: the database in DATA_DIR was replaced while Dwell runs. Restart Dwell, then try again.';

/** By connection whether another file has taken the place of its own. */
const replacedChecks = new WeakMap<DatabaseSync, () => boolean>();

/** From now on a write fails where another file has taken the place of the database: what is written to the old one is lost. */
export function refuseOnceReplaced(database: DatabaseSync, isReplaced: () => boolean): void {
  replacedChecks.set(database, isReplaced);
}

/** Rises with each turn of the event loop in which a store is read, and with what this process writes to any but into caches. */
let moment = 0;
let isTurnNoted = false;

/** Whether another file has taken the place of the database's own, as far as that is looked at. */
export function isReplaced(database: DatabaseSync): boolean {
  return replacedChecks.get(database)?.() === true;
}

/** What this process knows of whether a database was written to. */
interface WriteWatch {
  /** Rises with whatever another process, or this one, may have written, except this one's caches. */
  generation: number;
  /** SQLite's own number for what others have written, and the moment at which it was read. */
  dataVersion: unknown;
  readAt: number;
  /** Prepared when it is first needed. */
  statement: StatementSync | null;
}

const watches = new WeakMap<DatabaseSync, WriteWatch>();

function watchOf(database: DatabaseSync): WriteWatch {
  const known = watches.get(database);
  if (known !== undefined) return known;
  const watch: WriteWatch = { generation: 0, dataVersion: null, readAt: -1, statement: null };
  watches.set(database, watch);
  return watch;
}

/** Asks SQLite once in a turn of the event loop, unless this process writes meanwhile. */
function freshWatch(database: DatabaseSync): WriteWatch {
  if (!isTurnNoted) {
    isTurnNoted = true;
    moment += 1;
    setImmediate(() => {
      isTurnNoted = false;
    });
  }
  const watch = watchOf(database);
  if (watch.readAt === moment) return watch;
  watch.readAt = moment;
  // Rises with what others write, and not with what this connection does.
  watch.statement ??= database.prepare('PRAGMA data_version');
  const now = watch.statement.get()?.data_version;
  if (watch.dataVersion !== now) {
    watch.dataVersion = now;
    watch.generation += 1;
  }
  return watch;
}

function noteWrite(database: DatabaseSync): void {
  moment += 1;
  watchOf(database).generation += 1;
}

/**
 * Reads what every question asks for: the very same until this process or another may have written, which is looked at once
 * in a turn of the event loop. Not for what is in a cache, and not for who reads in a transaction what it has just written.
 */
export function untilWritten<Value>(database: DatabaseSync, read: () => Value): () => Value {
  let known: { readonly generation: number; readonly value: Value } | null = null;
  return () => {
    const { generation } = freshWatch(database);
    if (known?.generation !== generation) known = { generation, value: read() };
    return known.value;
  };
}

/** Runs `work` in one write transaction: all of it or nothing. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  noteWrite(database);
  try {
    return inCacheTransaction(database, work);
  } finally {
    noteWrite(database);
  }
}

/** The same for `work` that writes into caches and nowhere else. */
export function inCacheTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  try {
    setSyncMode(database);
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    if (isReplaced(database)) throw new AppError('store-unavailable', REPLACED);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has already rolled back when the disk is full or fails.
    if (database.isTransaction) database.exec('ROLLBACK');
    if (!isOutsideCause(error)) throw error;
    if (isStoreFull(error)) throw new AppError('store-unavailable', DISK_FULL, [], { cause: error });
    throw new AppError('store-unavailable', `The store cannot be written to now: ${error.message}.`, [], {
      cause: error,
    });
  }
}

/** Runs `work`, which only reads, on one state of the store, whoever writes meanwhile; also faster than each read alone. */
export function inSnapshot<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN');
  try {
    return work();
  } finally {
    database.exec('COMMIT');
  }
}

/** Long enough for another's short write to end. */
const SHORT_WAIT_MS = 50;

/** Runs `work` with hardly any patience (ms) for others who write: SQLite waits on the only thread there is. */
export function withoutWaiting<Result>(
  database: DatabaseSync,
  work: () => Result,
  patienceMs = SHORT_WAIT_MS,
): Result {
  const usual = Number(database.prepare('PRAGMA busy_timeout').get()?.timeout);
  database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
  try {
    return work();
  } finally {
    database.exec(`PRAGMA busy_timeout = ${usual}`);
  }
}

/** How a connection syncs, as far as it was changed here. */
const syncModes = new WeakMap<DatabaseSync, SyncMode>();
type SyncMode = 'FULL' | 'NORMAL';
let wantedMode: SyncMode = 'FULL';

/** Of many caches that are written to one after the other only the first has the connection changed. */
function setSyncMode(database: DatabaseSync): void {
  if ((syncModes.get(database) ?? 'FULL') === wantedMode) return;
  database.exec(`PRAGMA synchronous = ${wantedMode}`);
  syncModes.set(database, wantedMode);
}

/**
 * Runs `work`, whose transactions need not outlive a failing power supply: nobody waits for the disk. What this process
 * wrote is not lost when it is killed.
 */
export function withoutSync<Result>(work: () => Result): Result {
  wantedMode = 'NORMAL';
  try {
    return work();
  } finally {
    wantedMode = 'FULL';
  }
}

/** SQLite's extended result code for a key that must be unique and is not. */
const NOT_UNIQUE = 2067;

/** Whether a row was refused for its unique key; a primary key does not count. */
export function isNotUnique(error: unknown): boolean {
  return errorCode(error) === NOT_UNIQUE;
}

/** Whether SQLite gave up because another process holds the file. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY;
}

/** Whether the store has no room left on its disk, as SQLite or the system says. */
export function isStoreFull(error: unknown): boolean {
  return primaryCode(error) === FULL || errorCode(error) === NO_ROOM_FOR_INDEX || isDiskFull(error);
}

function isOutsideCause(error: unknown): error is { readonly message: string } {
  const code = primaryCode(error);
  return code !== null && outsideCauses.includes(code);
}

/** The lowest byte of an extended code is the primary one. */
function primaryCode(error: unknown): number | null {
  const code = errorCode(error);
  return code === null ? null : code & 0xff;
}

function errorCode(error: unknown): number | null {
  if (error === null || typeof error !== 'object' || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode : null;
}

/** How often this process has changed lists through a connection. */
const changesOfLists = new WeakMap<DatabaseSync, number>();

/** To be called by each write of what `rememberList` remembers. */
export function forgetLists(database: DatabaseSync): void {
  changesOfLists.set(database, (changesOfLists.get(database) ?? 0) + 1);
}

/** What is read with every question and seldom written: the very same until this process or another may have written it. */
export function rememberList<List>(database: DatabaseSync, read: () => List): () => List {
  let known: { readonly own: number; readonly others: unknown; readonly list: List } | null = null;
  return () => {
    const now = { own: changesOfLists.get(database) ?? 0, others: freshWatch(database).dataVersion };
    if (known?.own !== now.own || known.others !== now.others) known = { ...now, list: read() };
    return known.list;
  };
}

/** Reads back what `JSON.stringify` wrote into a document column; the store is the only writer of those. */
export function parseDocument<Value>(document: unknown): Value {
  return JSON.parse(String(document));
}

/** Whose issues, people, delegations and the like: a tenant's, of one tracker. */
export type Owner = readonly [tenant: string, tracker: string];

/** The next number of an owner's kind, from `first` on; none is given twice. To be called in a transaction. */
export function nextId(database: DatabaseSync, owner: Owner, kind: string, first: number): number {
  const next = database.prepare(`
    INSERT INTO last_id (tenant, tracker, kind, id) VALUES (?, ?, ?, ?)
    ON CONFLICT (tenant, tracker, kind) DO UPDATE SET id = id + 1 RETURNING id`);
  return Number(next.get(...owner, kind, first)?.id);
}
