import {
  type BigIntStats,
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { link } from 'node:fs/promises';
import { hostname } from 'node:os';
import { backup, DatabaseSync } from 'node:sqlite';
import { AppError, badRequest } from '../../model/error.ts';
import { systemCode } from '../../model/system-error.ts';
import { FOLDER_STAMP } from '../store.ts';
import { inTransaction, isBusy, isStoreFull, parseDocument } from './sqlite-database.ts';

/** More pages than any database has: copied in one step, which writes of other processes do not make begin again. */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies are of all tenants, so what is known of one that is being written belongs to none. */
const OWNER = '';

/** Where a copy goes, the stamp that replaces those of the original in it, and what a killed process aborts. */
interface Copying {
  readonly file: string;
  readonly stamp: string;
  readonly signal?: AbortSignal;
}

/**
 * Copies a database. The copy has its name only once it is whole. What a killed copy left behind is removed at once where
 * the process could still abort, else with the next copy or start, as the database remembers its path. Only its owner can
 * read it: it has the key that signs tokens.
 */
export async function backUp(
  database: DatabaseSync,
  { file, stamp, signal }: Copying,
): Promise<{ readonly file: string; readonly bytes: number }> {
  if (existsSync(file)) throw badRequest(`FILE '${file}' exists already. Try: another name.`);
  const partial = `${file}.partial`;
  const forget = () => {
    ownCopies.delete(partial);
    forgetCopy(database, partial);
  };
  const remove = () => {
    removeCopy(partial);
    forget();
  };
  removeKilledCopies(database);
  if (isOwned(copyingOf(database, partial)))
    throw badRequest(`FILE '${file}' is being written. Try: another name.`);
  rememberCopy(database, partial);
  ownCopies.add(partial);
  try {
    makeFile(file, partial);
  } catch (error) {
    forget();
    throw error;
  }
  signal?.addEventListener('abort', remove);
  try {
    await backup(database, partial, { rate: ALL_PAGES });
    // Whoever removed the file in between let it be made again for everyone.
    chmodSync(partial, 0o600);
    giveStamp(partial, stamp);
    await link(partial, file);
    return { file, bytes: statSync(file).size };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const why = isStoreFull(cause)
      ? `The disk is full: the database could not be copied to '${file}'. Free some space there, or choose another folder.`
      : `The database could not be copied to '${file}'.`;
    throw new AppError('store-unavailable', why, [], { cause });
  } finally {
    signal?.removeEventListener('abort', remove);
    remove();
  }
}

/** Where the header of a file of SQLite says how it is written, and what says that it has no write-ahead log. */
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

/** Whether a file is the one that was looked at, and as it was then: a new one may get the inode of one that was removed. */
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

/** Removes what processes that were killed have left of copies; one that is still being written stays. */
export function removeKilledCopies(database: DatabaseSync): void {
  const paths = database.prepare("SELECT name, words FROM stamp WHERE tenant = ? AND name LIKE 'copy %'");
  for (const { name, words } of paths.all(OWNER)) {
    const partial = String(name).slice('copy '.length);
    if (isOwned({ partial, owner: parseDocument<string[]>(words) }) || isBeingWritten(partial)) continue;
    try {
      removeCopy(partial);
      forgetCopy(database, partial);
    } catch {
      // Its folder is not there now, or cannot be written to: it is tried again.
    }
  }
}

function makeFile(file: string, partial: string): void {
  try {
    removeCopy(partial);
    writeFileSync(partial, '', { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const code = systemCode(cause) ?? String(cause);
    const why = isStoreFull(cause) ? 'the disk is full' : code;
    throw badRequest(`FILE '${file}' cannot be written (${why}). Try: another folder.`);
  }
}

/** The copy is one file, without a write-ahead log beside it. */
function giveStamp(partial: string, stamp: string): void {
  const copy = new DatabaseSync(partial);
  try {
    copy.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;');
    inTransaction(copy, () => {
      copy.prepare('DELETE FROM stamp WHERE tenant = ?').run(OWNER);
      const words = JSON.stringify([stamp]);
      copy.prepare('UPDATE stamp SET words = ?').run(words);
      // A Dwell of before there were stamps may have served it.
      copy
        .prepare(`
          INSERT OR IGNORE INTO stamp (tenant, name, words)
          SELECT tenant, ?, ? FROM digest UNION SELECT tenant, ?, ? FROM watch`)
        .run(FOLDER_STAMP, words, FOLDER_STAMP, words);
    });
  } finally {
    copy.close();
  }
}

function removeCopy(partial: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
}

/** A full disk, or others who write, are no reason to make no copy. */
function rememberCopy(database: DatabaseSync, partial: string): void {
  const put = database.prepare('INSERT OR REPLACE INTO stamp (tenant, name, words) VALUES (?, ?, ?)');
  const owner = JSON.stringify([hostname(), String(process.pid)]);
  unlessUnwritable(() => inTransaction(database, () => put.run(OWNER, `copy ${partial}`, owner)));
}

/** The copies that this process is writing. */
const ownCopies = new Set<string>();

/** A copy that was begun, and the host and the id of the process that writes it; those of earlier versions are unknown. */
interface BegunCopy {
  readonly partial: string;
  readonly owner: readonly string[];
}

function copyingOf(database: DatabaseSync, partial: string): BegunCopy {
  const find = database.prepare('SELECT words FROM stamp WHERE tenant = ? AND name = ?');
  const row = find.get(OWNER, `copy ${partial}`);
  return { partial, owner: row === undefined ? [] : parseDocument(row.words) };
}

/** Whether the process that began a copy still runs on this host: between its steps nothing is locked. */
function isOwned({ partial, owner: [host, id] }: BegunCopy): boolean {
  if (host !== hostname() || id === undefined) return false;
  // After a restart of a container another process may have had our id.
  if (Number(id) === process.pid) return ownCopies.has(partial);
  try {
    process.kill(Number(id), 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function forgetCopy(database: DatabaseSync, partial: string): void {
  const remove = database.prepare('DELETE FROM stamp WHERE tenant = ? AND name = ?');
  unlessUnwritable(() => inTransaction(database, () => remove.run(OWNER, `copy ${partial}`)));
}

function unlessUnwritable(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Its writer has a lock on it until all of it is there. */
function isBeingWritten(partial: string): boolean {
  if (!existsSync(partial)) return false;
  let copy: DatabaseSync | null = null;
  try {
    copy = new DatabaseSync(partial, { timeout: 0 });
    copy.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    copy?.close();
  }
}
