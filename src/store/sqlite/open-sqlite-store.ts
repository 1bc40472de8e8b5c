import { type BigIntStats, existsSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { systemCode } from '../../model/error.ts';
import type { ExaminedStore } from '../examined-store.ts';
import { folderBlobs } from '../folder-blobs.ts';
import { assertNotMoved, storeIn } from '../move/move-mark.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import { openTenants, type StoreOpening } from '../sql/open-tenant.ts';
import {
  assertSecretKeysAreSet,
  examineSecrets,
  missingKey,
  rotateSecrets,
  type SecretRotation,
} from '../sql/secrets.ts';
import { noSignals, type Store } from '../store.ts';
import { backUp, removeKilledCopies } from './back-up.ts';
import {
  cannotOpen,
  LAST_UNPACKED_VERSION,
  markIn,
  openDatabase,
  removeTraces,
  SCHEMA_VERSION,
  tooNew,
  versionOf,
} from './open-database.ts';
import { openEngine, readOnlyEngine } from './open-engine.ts';
import { isStoreFull } from './sqlite-errors.ts';

/** A write of SQLite may fit into what is allotted already, so something new is written; as much as a large write of ours. */
const PROBE_BYTES = 1_048_576;

/** Opens (and if need be creates and upgrades) the store in `dataDir`. */
export async function openSqliteStore(
  dataDir: string,
  {
    onUpgrade,
    now = () => 0,
    secretKeys = null,
    blobs = () => folderBlobs(dataDir),
    ...hooks
  }: Partial<StoreOpening> = {},
): Promise<Store & SecretRotation> {
  const file = join(dataDir, 'dwell.db');
  const writer = await openDatabase(dataDir, onUpgrade);
  const opened = statSync(file, { bigint: true });
  const wasReplaced = () => isReplaced(file, opened);
  const engine = openEngine(writer, { file, isReplaced: wasReplaced, ...hooks });
  await assertSecretKeysAreSet(engine, secretKeys).catch((error) => {
    engine.close();
    throw error;
  });
  const tenants = openTenants(engine, {
    blobs: blobs(engine),
    signals: () => noSignals,
    secretKeys,
    now,
  });
  let probing: Promise<string | null> | null = null;
  return {
    forTenant: tenants.forTenant,
    // Concurrent calls share the answer, because everyone may request it.
    async writeProblem() {
      probing ??= writeProblem(dataDir).finally(() => {
        probing = null;
      });
      return probing;
    },
    missingKey: (name) => missingKey(engine, secretKeys, name),
    // All processes are on the machine of the file.
    clockOffset: async () => 0,
    backUp: (to, how) => backUp(engine, { database: file, file: resolve(to), secretKeys, ...how }),
    removeKilledCopies: () => removeKilledCopies(engine),
    identity: async () => null,
    async rotateSecrets() {
      const rotated = await rotateSecrets(engine, secretKeys, now);
      removeTraces(writer, 'The secrets are encrypted');
      return rotated;
    },
    removeTraces: async (done) => removeTraces(writer, done),
    isReplaced: wasReplaced,
    connections: () => null,
    async close() {
      if (tenants.hasDeferred()) await tenants.close();
      engine.close();
    },
  };
}

/** Returns true where another file has replaced the opened one. */
function isReplaced(file: string, opened: BigIntStats): boolean {
  const there = statSync(file, { bigint: true, throwIfNoEntry: false });
  return there?.ino !== opened.ino || there.dev !== opened.dev;
}

/** The problem that keeps files from being written into a folder; null where there is none. */
async function writeProblem(folder: string): Promise<string | null> {
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

/** The longest wait (ms) for another process that writes to the file. */
const LOCK_TIMEOUT_MS = 2_000;

/** Examines the store in `dataDir`; see `examineStore`. */
export async function examineSqlite(
  dataDir: string,
  secretKeys: SecretKeys | null,
): Promise<ExaminedStore | null> {
  const file = join(dataDir, 'dwell.db');
  let opened: DatabaseSync | null = null;
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return null;
    const database = openReadOnly(file);
    opened = database;
    const version = versionOf(database);
    assertNotMoved(markIn(database), storeIn(dataDir));
    if (version > SCHEMA_VERSION) throw tooNew(version);
    const engine = readOnlyEngine(database);
    const { size, birthtimeMs } = statSync(file);
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return {
      engine: `SQLite ${database.prepare('SELECT sqlite_version() AS version').get()?.version}`,
      bytes: size + log,
      madeAt: birthtimeMs,
      schema: { stored: version === 0 ? null : String(version), known: String(SCHEMA_VERSION) },
      upgrade:
        version === 0 || version === SCHEMA_VERSION ? null : { isSlow: version <= LAST_UNPACKED_VERSION },
      problems: [],
      connections: null,
      data:
        version === SCHEMA_VERSION
          ? {
              ...openTenants(engine, {
                blobs: folderBlobs(dataDir),
                signals: () => noSignals,
                secretKeys,
                now: () => 0,
              }),
              clockOffset: async () => 0,
              identity: async () => null,
              secrets: () => examineSecrets(engine, secretKeys),
              async damage() {
                const lines = database.prepare('PRAGMA integrity_check').all();
                return lines.map((line) => String(line.integrity_check)).filter((line) => line !== 'ok');
              },
            }
          : null,
      async close() {
        database.close();
      },
    };
  } catch (cause) {
    opened?.close();
    throw cannotOpen(cause, dataDir);
  }
}

/** Opens a file that is only read. While no process has it open it counts as one that no one changes: else SQLite would leave two files behind. */
function openReadOnly(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
}
