import { type BigIntStats, chmodSync, existsSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { foldedName } from '../../issues/ids-and-names.ts';
import { AppError } from '../../model/error.ts';
import { systemCode } from '../../model/system-error.ts';
import type { WritableTerms } from '../packed/issue-terms.ts';
import type { Store, TenantStore } from '../store.ts';
import { backUp, removeForeignLog, removeKilledCopies } from './back-up.ts';
import { makeFolder } from './make-folder.ts';
import { migrations } from './migrations.ts';
import { createSqliteCache } from './sqlite-cache.ts';
import { inTransaction, isBusy, isStoreFull, refuseOnceReplaced } from './sqlite-database.ts';
import { createSqliteDelegations } from './sqlite-delegations.ts';
import { createSqliteDigests } from './sqlite-digests.ts';
import { createSqliteExports } from './sqlite-exports.ts';
import { createSqliteIssues } from './sqlite-issues.ts';
import {
  createSqliteLinks,
  createSqliteSecrets,
  createSqliteSettings,
  createSqliteTokens,
} from './sqlite-settings.ts';
import { createSqliteStamps } from './sqlite-stamps.ts';
import { createSqliteSync } from './sqlite-sync.ts';
import { createSqliteTerms } from './sqlite-terms.ts';
import { createSqliteWatches } from './sqlite-watches.ts';

/** A write of SQLite may fit into what is allotted already, so something new is written; as much as a large write of ours. */
const PROBE_BYTES = 1_048_576;

/** How long a writer waits for another process's write before it gives up. */
const BUSY_TIMEOUT_MS = 10_000;
const SWITCH_PAUSE_MS = 20;

/**
 * Opens (and if need be creates and migrates) the store in `dataDir`. The write-ahead log with full
 * synchronisation makes a finished call survive a killed process and a cut power line alike. `onUpgrade` is called before
 * a store of an earlier version is migrated, which may take minutes.
 */
export function openSqliteStore(dataDir: string, onUpgrade: () => void = () => {}): Store {
  const database = open(dataDir, onUpgrade);
  const file = join(dataDir, 'dwell.db');
  const opened = statSync(file, { bigint: true });
  const wasReplaced = () => isReplaced(file, opened);
  refuseOnceReplaced(database, wasReplaced);
  const tenants = new Map<string, ReturnType<typeof openTenant>>();
  let probing: Promise<string | null> | null = null;
  return {
    forTenant(tenant) {
      const known = tenants.get(tenant) ?? openTenant(database, tenant);
      tenants.set(tenant, known);
      return known.store;
    },
    // All who ask meanwhile share the answer: this is open to everyone.
    async whyUnwritable() {
      probing ??= whyUnwritable(dataDir).finally(() => {
        probing = null;
      });
      return probing;
    },
    backUp: (file, how) => backUp(database, { file: resolve(file), ...how }),
    removeKilledCopies: () => removeKilledCopies(database),
    isReplaced: wasReplaced,
    close() {
      for (const { cache } of tenants.values()) cache.close();
      database.close();
    },
  };
}

function openTenant(database: DatabaseSync, tenant: string) {
  const cache = createSqliteCache(database, tenant);
  const known = new Map<string, WritableTerms>();
  const terms = (tracker: string) => {
    const found = known.get(tracker) ?? createSqliteTerms(database, [tenant, tracker]);
    known.set(tracker, found);
    return found;
  };
  const store: TenantStore = {
    tenant,
    issues: (tracker) => createSqliteIssues(database, [tenant, tracker], terms(tracker)),
    sync: (tracker) => createSqliteSync(database, [tenant, tracker], terms(tracker)),
    secrets: createSqliteSecrets(database, tenant),
    tokens: createSqliteTokens(database, tenant),
    settings: createSqliteSettings(database, tenant),
    exports: createSqliteExports(database, tenant),
    delegations: (tracker) => createSqliteDelegations(database, [tenant, tracker]),
    links: (tracker) => createSqliteLinks(database, [tenant, tracker]),
    cache: cache.open,
    digests: createSqliteDigests(database, tenant),
    watches: createSqliteWatches(database, tenant),
    stamps: (name) => createSqliteStamps(database, { tenant, name }),
  };
  return { store, cache };
}

function open(dataDir: string, onUpgrade: () => void): DatabaseSync {
  const file = join(dataDir, 'dwell.db');
  let database: DatabaseSync | null = null;
  try {
    makeFolder(dataDir);
    removeForeignLog(file);
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    // The file holds the key that signs tokens.
    chmodSync(file, 0o600);
    writeAhead(database);
    migrate(database, onUpgrade);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof AppError) throw cause;
    const why = whyClosed(cause, dataDir, file);
    throw new AppError(
      'store-unavailable',
      `The store in DATA_DIR '${dataDir}' cannot be opened: ${why}.`,
      [],
      {
        cause,
      },
    );
  }
}

/** Two processes that open a new file at once: SQLite gives up at once on the switch, whatever the busy timeout. */
function writeAhead(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += SWITCH_PAUSE_MS) {
    try {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      return;
    } catch (error) {
      if (!isBusy(error) || waited >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(pause, 0, 0, SWITCH_PAUSE_MS);
    }
  }
}

function migrate(database: DatabaseSync, onUpgrade: () => void): void {
  // An up-to-date file is opened without a write, however busy another process keeps it.
  if (versionOf(database) === migrations.length) return;
  inTransaction(database, () => {
    const version = versionOf(database);
    if (version > migrations.length) {
      throw new AppError(
        'store-unavailable',
        `The store was written by a newer Dwell (schema ${version}, this one knows ${migrations.length}); update Dwell or choose another DATA_DIR.`,
      );
    }
    if (version > 0) onUpgrade();
    // SQLite itself knows the case of ASCII letters only.
    database.function('folded_name', { deterministic: true }, (name) => foldedName(String(name)));
    for (const step of migrations.slice(version)) {
      if (typeof step === 'string') database.exec(step);
      else step(database);
    }
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
  giveBackSpace(database);
}

/** Less is soon used again. */
const MUCH_FREE_BYTES = 2 ** 24;

/** A step may leave most of the file empty. Where others write, or the disk is full, it is filled by and by instead. */
function giveBackSpace(database: DatabaseSync): void {
  const [free, all, size] = ['freelist_count', 'page_count', 'page_size'].map((name) =>
    Number(database.prepare(`SELECT * FROM pragma_${name}`).get()?.[name]),
  );
  if (free === undefined || all === undefined || size === undefined) return;
  if (free * size < MUCH_FREE_BYTES || free * 2 < all) return;
  try {
    database.exec('VACUUM');
  } catch {
    // It is tried no more: what is free is used again.
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Whether another file has taken the place of the one that was opened. */
function isReplaced(file: string, opened: BigIntStats): boolean {
  const there = statSync(file, { bigint: true, throwIfNoEntry: false });
  return there?.ino !== opened.ino || there.dev !== opened.dev;
}

/** What a folder lacks for something to be written into it; null where it can be. */
async function whyUnwritable(folder: string): Promise<string | null> {
  const probe = join(folder, '.writable');
  try {
    await writeFile(probe, new Uint8Array(PROBE_BYTES));
    return null;
  } catch (error) {
    if (isStoreFull(error)) return 'free disk space in DATA_DIR: the disk is full';
    return `a DATA_DIR that can be written to (${systemCode(error) ?? String(error)})`;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

/** SQLite's primary result codes for a file that may only be read, and for one that may not even be opened. */
const READ_ONLY = 8;
const CANNOT_OPEN = 14;

/** Why a store cannot be opened, in words; what is not foreseen is told in the system's own. */
function whyClosed(cause: unknown, dataDir: string, file: string): string {
  if (isStoreFull(cause)) return 'the disk is full; free some space, then try again';
  const { code, errcode, syscall, message = String(cause) } = failureOf(cause);
  const notOurs = `'${file}' belongs to another user or can't be written`;
  if (syscall === 'chmod') return notOurs;
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
  return message;
}

interface Failure {
  readonly code?: unknown;
  readonly errcode?: number;
  readonly syscall?: unknown;
  readonly message?: string;
}

/** What the system or SQLite tells; errors of Node itself may come from outside our realm. */
function failureOf(cause: unknown): Failure {
  if (cause === null || typeof cause !== 'object') return {};
  const [code, errcode, syscall, message] = ['code', 'errcode', 'syscall', 'message'].map((name): unknown =>
    Reflect.get(cause, name),
  );
  return {
    code,
    syscall,
    // The extended result codes of SQLite carry the primary one in their lowest byte.
    ...(typeof errcode === 'number' ? { errcode: errcode & 0xff } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
