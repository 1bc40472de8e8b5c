import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { AppError, badRequest, systemCode } from '../../model/error.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import type { Engine, Tx } from '../sql/engine.ts';
import type { Queries } from '../sql/tables.ts';
import { FOLDER_STAMP } from '../stamps.ts';
import { checkCopy, contentsOf, putOnDisk } from './check-copy.ts';
import { isStoreFull, reasonOf } from './sqlite-errors.ts';

/** More pages than any database has: copied in one step, which writes of other processes do not make begin again. */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies are of all tenants, so what is known of one that is being written, by its path, belongs to none. */
const ofCopies = { tenant: '', kind: 'copy' };

/**
 * The database to copy, the file for the copy, the stamp that replaces those of the original, the keys that decrypt its
 * secrets, and a signal that ends it.
 */
interface Copying {
  readonly database: string;
  readonly file: string;
  readonly stamp: string;
  readonly secretKeys: SecretKeys | null;
  readonly signal?: AbortSignal;
}

/** The end of the name of a copy that is being written. */
const PARTIAL = '.partial';

/**
 * Copies a database. The copy has its name only once it is whole, and was checked as it is on the disk. What a killed copy
 * left behind is removed at once where the process could still abort, else with the next copy or start, as the database
 * remembers its path. Only its owner can read it: it has the key that signs tokens.
 */
export async function backUp(
  engine: Engine,
  { database, file, stamp, secretKeys, signal }: Copying,
): Promise<{ readonly file: string; readonly bytes: number }> {
  if (existsSync(file)) throw badRequest(`FILE '${file}' exists already. Try: another name.`);
  const partial = `${file}${PARTIAL}`;
  const forget = async () => {
    ownCopies.delete(partial);
    await forgetCopy(engine, partial);
  };
  const abort = () => {
    removeCopy(partial);
    forgetAtOnce(database, partial);
  };
  await removeKilledCopies(engine);
  if (ownCopies.has(partial)) throw isBeingMade(file);
  ownCopies.add(partial);
  if (!(await rememberCopy(engine, partial))) {
    ownCopies.delete(partial);
    throw isBeingMade(file);
  }
  try {
    makeFile(file, partial);
  } catch (error) {
    await forget();
    throw error;
  }
  signal?.addEventListener('abort', abort);
  try {
    using source = new DatabaseSync(database, { readOnly: true });
    // The rows that are counted are those that are copied, whatever others write meanwhile.
    source.exec('BEGIN');
    const original = contentsOf(source);
    await backup(source, partial, { rate: ALL_PAGES });
    // The file may have been removed and made again with the default mode.
    chmodSync(partial, 0o600);
    giveStamp(partial, stamp);
    putOnDisk(partial);
    checkCopy(partial, { name: file, original, secretKeys });
    await link(partial, file);
    putOnDisk(dirname(file));
    return { file, bytes: statSync(file).size };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const why = isStoreFull(cause)
      ? `The disk is full: the database could not be copied to '${file}'. Free some space there, or choose another folder.`
      : `The database could not be copied to '${file}'.`;
    throw new AppError('store-unavailable', why, [], { cause });
  } finally {
    signal?.removeEventListener('abort', abort);
    removeCopy(partial);
    await forget();
  }
}

/**
 * Removes what processes that were killed have left of copies; one that is still being written stays, and so does a file
 * with another end of its name: a database that was altered is to remove no file of its choice.
 */
export async function removeKilledCopies(engine: Engine): Promise<void> {
  for (const copy of await begunCopies(engine.db)) {
    if (!copy.partial.endsWith(PARTIAL) || isOwned(copy) || isBeingWritten(copy.partial)) continue;
    try {
      removeCopy(copy.partial);
      await forgetCopy(engine, copy.partial);
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

/**
 * Makes a database one of its own: one file, without a write-ahead log beside it, with this stamp in place of all others.
 * Its areas get other words: what is remembered of the original is not taken for the copy's.
 */
export function giveStamp(partial: string, stamp: string): void {
  using copy = new DatabaseSync(partial);
  copy.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;');
  copy.exec('BEGIN IMMEDIATE');
  copy.prepare('DELETE FROM document WHERE tenant = ? AND kind = ?').run(ofCopies.tenant, ofCopies.kind);
  // A Dwell of before there were stamps may have served it.
  copy
    .prepare(`
      INSERT OR IGNORE INTO document (tenant, kind, id, added, document)
      SELECT DISTINCT tenant, 'stamp', ?, 0, '[]' FROM area WHERE tenant <> ?`)
    .run(FOLDER_STAMP, ofCopies.tenant);
  copy.prepare("UPDATE document SET document = ? WHERE kind = 'stamp'").run(JSON.stringify([stamp]));
  copy.exec('UPDATE area SET word = hex(randomblob(9)); COMMIT');
}

function removeCopy(partial: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
}

function isBeingMade(file: string): AppError {
  return new AppError('busy-elsewhere', `FILE '${file}' is being written. Try: another name.`);
}

/**
 * Returns false where another process makes the same copy: one that was killed is no longer remembered. A full disk, or
 * others who write, are no reason to make none.
 */
async function rememberCopy(engine: Engine, partial: string): Promise<boolean> {
  const owner = [hostname(), String(process.pid)];
  const document = JSON.stringify(owner);
  let isFree = true;
  await unlessUnwritable(engine, async ({ db }) => {
    const begun = (await begunCopies(db)).find((copy) => copy.partial === partial);
    isFree = begun === undefined || begun.owner.join() === owner.join();
    if (!isFree) return;
    await db
      .insertInto('document')
      .values({ ...ofCopies, id: partial, added: 0, document })
      .onConflict((found) => found.columns(['tenant', 'kind', 'id']).doUpdateSet({ document }))
      .execute();
  });
  return isFree;
}

/** The copies that this process is writing. */
const ownCopies = new Set<string>();

/** A copy that was begun, and the host and the id of the process that writes it; those of earlier versions are unknown. */
interface BegunCopy {
  readonly partial: string;
  readonly owner: readonly string[];
}

async function begunCopies(db: Queries): Promise<readonly BegunCopy[]> {
  const { tenant, kind } = ofCopies;
  const all = db.selectFrom('document').select(['id', 'document']);
  const rows = await all.where('tenant', '=', tenant).where('kind', '=', kind).execute();
  return rows.map(({ id, document }) => ({ partial: id, owner: JSON.parse(document) }));
}

/** Returns true while the process that began a copy runs on this host: between its steps it locks nothing. */
function isOwned({ partial, owner: [host, id] }: BegunCopy): boolean {
  if (host !== hostname() || id === undefined) return false;
  // After a restart of a container another process may have had our id.
  return Number(id) === process.pid ? ownCopies.has(partial) : isRunning(Number(id));
}

/** Returns true where a process of this id runs; after a restart of a container it may be another program. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

async function forgetCopy(engine: Engine, partial: string): Promise<void> {
  const { tenant, kind } = ofCopies;
  await unlessUnwritable(engine, async ({ db }) => {
    const all = db.deleteFrom('document').where('tenant', '=', tenant).where('kind', '=', kind);
    await all.where('id', '=', partial).execute();
  });
}

/** The same for a process that is about to end; where others write, the next copy does it. */
function forgetAtOnce(file: string, partial: string): void {
  using database = new DatabaseSync(file, { timeout: 0 });
  try {
    const remove = database.prepare('DELETE FROM document WHERE tenant = ? AND kind = ? AND id = ?');
    remove.run(ofCopies.tenant, ofCopies.kind, partial);
  } catch (error) {
    if (reasonOf(error) === null) throw error;
  }
}

async function unlessUnwritable(engine: Engine, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await engine.write(work);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

/** Its writer has a lock on it until all of it is there. */
function isBeingWritten(partial: string): boolean {
  if (!existsSync(partial)) return false;
  try {
    using copy = new DatabaseSync(partial, { timeout: 0 });
    copy.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    return reasonOf(error) === 'busy';
  }
}
