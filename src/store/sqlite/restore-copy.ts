import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError, badRequest, badRequestAs, systemCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { storeIn } from '../move/move-mark.ts';
import { SCHEDULED } from '../move/move-store.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import { giveStamp, isRunning } from './back-up.ts';
import { assertSecretsOpen, assertUndamaged, putOnDisk } from './check-copy.ts';
import { makeFolder } from './make-folder.ts';
import { markIn, openDatabase, removeForeignLog, SCHEMA_VERSION, versionOf } from './open-database.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { isStoreFull, reasonOf } from './sqlite-errors.ts';

const DATABASE = 'dwell.db';

/** The ends of the names of the files that SQLite has beside a database: what is in them belongs to it. */
const LOGS = ['-wal', '-shm', '-journal'];

/** The beginnings of the names of folders: of one being filled, before the id of its process, and of what was replaced. */
const DRAFT = 'restoring-';
const REPLACED = 'replaced-';

/** The steps of a restore, in order; a process that ends after one of them leaves the former database or the whole new one. */
export type RestoreStep = 'copied' | 'checked' | 'stamped' | 'saved' | 'put in place';

/** The options of a restore. */
interface RestoreOptions {
  /** The copy, and the folder whose database it becomes. */
  readonly file: string;
  readonly dataDir: string;
  /** A database that is there is moved to a folder of its own, beside it. */
  readonly isReplacing: boolean;
  readonly secretKeys: SecretKeys | null;
  /** When the copy was made; null where that is not known. */
  readonly copiedAt: Instant | null;
  /** Makes a random word. */
  readonly newStamp: () => string;
  readonly now: () => Instant;
  /** Is called before a copy of an earlier version is upgraded. */
  readonly onUpgrade: () => void;
  readonly onStep: (step: RestoreStep) => void;
}

/** A database that was restored. */
interface RestoredCopy {
  readonly folder: string;
  readonly bytes: number;
  /** The folder in which the former files are now; null where there were none. */
  readonly replaced: string | null;
  /** True where it has digests or watches, which are paused. */
  readonly isScheduled: boolean;
}

/**
 * Makes a copy the database of a folder that no Dwell uses. It is copied and checked beside the former one, which it replaces
 * in one step. Revisions have another origin from then on, and the folder does not know its stamp: nothing that was
 * remembered of another database is used, and what it posts on a schedule is paused.
 */
export async function restoreCopy(options: RestoreOptions): Promise<RestoredCopy> {
  const { file, dataDir, secretKeys, newStamp, onUpgrade, onStep } = options;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw badRequest(`FILE '${file}' is not a file. Try: a backup, such as dwell-backup.db.`);
  const database = join(dataDir, DATABASE);
  const draft = join(dataDir, `${DRAFT}${process.pid}`);
  try {
    assertReplaceable(options);
    lockAlone(database, dataDir)?.close();
    makeFolder(dataDir);
    removeKilledRestores(dataDir);
    makeFolder(draft);
    const copy = join(draft, DATABASE);
    for (const end of ['', '-wal'])
      if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`);
    onStep('copied');
    checkDraft(copy, file);
    (await openDatabase(draft, onUpgrade)).close();
    onStep('checked');
    const isScheduled = readDraft(copy, file, secretKeys);
    await noteRestore(draft, options);
    giveStamp(copy, newStamp());
    putOnDisk(copy);
    onStep('stamped');
    const replaced = putInPlace(copy, options);
    return { folder: resolve(dataDir), bytes: statSync(database).size, replaced, isScheduled };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const why = isStoreFull(cause) ? 'the disk is full' : (systemCode(cause) ?? String(cause));
    const sentence = `'${file}' could not be restored to '${dataDir}', which is as it was: ${why}.`;
    throw new AppError('store-unavailable', sentence, [], { cause });
  } finally {
    if (existsSync(draft)) rmSync(draft, { recursive: true });
  }
}

/** Fails where there is a database that is to stay, or a link to one elsewhere, beside which its log is. */
function assertReplaceable({ dataDir, isReplacing }: RestoreOptions): void {
  if (lstatSync(join(dataDir, DATABASE), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw badRequest(
      `'${DATABASE}' in '${dataDir}' is a symbolic link. Try: the file itself in its place, or --to the folder in which it is.`,
    );
  }
  if (isReplacing || filesOf(join(dataDir, DATABASE)).length === 0) return;
  throw badRequestAs(
    'in-use',
    `There is a database in '${dataDir}' already. Try: --replace, which moves it aside, or --to another folder.`,
  );
}

/** The files of a database that are there. */
function filesOf(database: string): readonly string[] {
  return ['', ...LOGS].map((end) => `${database}${end}`).filter((one) => existsSync(one));
}

/** Fails where a copy is none of a store of ours, of a newer version, of a store that was moved, or damaged. */
function checkDraft(copy: string, file: string): void {
  removeForeignLog(copy);
  using opened = new DatabaseSync(copy);
  assertUndamaged(opened, file);
  const version = versionOf(opened);
  if (version === 0) throw badRequest(`FILE '${file}' is a database, but not one of Dwell.`);
  if (version > SCHEMA_VERSION) {
    throw badRequest(
      `FILE '${file}' is of a newer Dwell (schema ${version}, this one knows ${SCHEMA_VERSION}). Try: the version that made it.`,
    );
  }
  if (markIn(opened) !== null) {
    throw badRequest(
      `FILE '${file}' is of a store that was being moved to another one. Try: the other store, or a copy from before.`,
    );
  }
}

/**
 * Fails where secrets cannot be decrypted, or where the copy has code of its own: Dwell has no triggers and no views, and would
 * run those with its next write. Returns true where something is posted on a schedule.
 */
function readDraft(copy: string, file: string, secretKeys: SecretKeys | null): boolean {
  using opened = new DatabaseSync(copy, { readOnly: true });
  const code = opened.prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')").get();
  if (code !== undefined) {
    throw badRequest(
      `FILE '${file}' has a ${code.type} named '${code.name}', which no Dwell has made. Try: a copy that nothing else has written to.`,
    );
  }
  assertSecretsOpen(opened, secretKeys);
  const scheduled = opened.prepare('SELECT 1 FROM document WHERE kind IN (SELECT value FROM json_each(?))');
  return scheduled.get(JSON.stringify(SCHEDULED)) !== undefined;
}

/** Writes the restore to the audit log of each tenant of the database in a folder. */
async function noteRestore(
  draft: string,
  { file, dataDir, copiedAt, secretKeys, now }: RestoreOptions,
): Promise<void> {
  const replaced = filesOf(join(dataDir, DATABASE)).length > 0;
  const facts = { name: basename(file), copiedAt, replaced };
  const restored = { subject: { kind: 'database', id: DATABASE }, verb: 'restored', facts } as const;
  const store = await openSqliteStore(draft, { secretKeys, now });
  try {
    for (const tenant of tenantsIn(join(draft, DATABASE)))
      await store.forTenant(tenant).audit.add([restored]);
  } finally {
    await store.close();
  }
}

function tenantsIn(database: string): readonly string[] {
  using opened = new DatabaseSync(database, { readOnly: true });
  const rows = opened.prepare("SELECT DISTINCT tenant FROM area WHERE tenant <> ''").all();
  return rows.map(({ tenant }) => String(tenant));
}

/** Puts a database that is on the disk in the place of the former one, and returns the folder in which that is now. */
function putInPlace(copy: string, options: RestoreOptions): string | null {
  const { dataDir, now, onStep } = options;
  const database = join(dataDir, DATABASE);
  // A Dwell may have started in the empty folder meanwhile.
  assertReplaceable(options);
  using _former = lockAlone(database, dataDir);
  const files = filesOf(database);
  const time = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '');
  const aside = files.length === 0 ? null : join(dataDir, `${REPLACED}${time}Z`);
  if (aside !== null) {
    makeFolder(aside);
    // Until the new one has its name, the former one has both.
    for (const one of files) linkSync(one, join(aside, basename(one)));
    putOnDisk(aside);
    onStep('saved');
    // Only a database that SQLite cannot read still has them.
    for (const end of LOGS) rmSync(`${database}${end}`, { force: true });
  }
  renameSync(copy, database);
  putOnDisk(dataDir);
  onStep('put in place');
  return aside;
}

/**
 * Opens a database alone and brings it into one file; null where there is none, or SQLite cannot read it. Fails where another
 * process has it open. Until it is closed no other process can open it.
 */
function lockAlone(database: string, dataDir: string): DatabaseSync | null {
  if (!existsSync(database)) return null;
  const former = new DatabaseSync(database, { timeout: 0 });
  try {
    former.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT');
    return former;
  } catch (cause) {
    former.close();
    const reason = reasonOf(cause);
    if (reason === 'unavailable') return null;
    if (reason !== 'busy') throw cause;
    const why = `${storeIn(dataDir).name} is in use. Stop Dwell and every command on it, then try again.`;
    throw new AppError('in-use', why, [], { cause });
  }
}

/** Removes what restores that were killed have left: their drafts, and second names of the database that is in use. */
function removeKilledRestores(dataDir: string): void {
  const inode = statSync(join(dataDir, DATABASE), { throwIfNoEntry: false })?.ino;
  const isSecondName = (name: string) =>
    name.startsWith(REPLACED) &&
    inode !== undefined &&
    statSync(join(dataDir, name, DATABASE), { throwIfNoEntry: false })?.ino === inode;
  const isLeft = (name: string) => {
    const id = Number(name.slice(DRAFT.length));
    return name.startsWith(DRAFT) && (id === process.pid || !isRunning(id));
  };
  for (const name of readdirSync(dataDir).filter((one) => isSecondName(one) || isLeft(one)))
    rmSync(join(dataDir, name), { recursive: true, force: true });
}
