import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { ExaminedStore } from '../examined-store.ts';
import { folderBlobs } from '../folder-blobs.ts';
import { assertNotMoved, storeIn } from '../move/move-mark.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import { noSignals } from '../signals.ts';
import { openTenants } from '../sql/open-tenant.ts';
import { examineSecrets } from '../sql/secrets.ts';
import { LAST_UNPACKED_VERSION } from '../upgrades/migrations.ts';
import { versionOf } from './check-copy.ts';
import { cannotOpen, markIn, SCHEMA_VERSION, tooNew } from './open-database.ts';
import { readOnlyEngine } from './open-engine.ts';

/** The longest wait (ms) for another process that writes to the file. */
const PATIENCE_MS = 2_000;

/** Examines the store in `dataDir`; see `examineStore`. */
export async function examineSqlite(
  dataDir: string,
  secretKeys: SecretKeys | null,
): Promise<ExaminedStore | null> {
  const file = join(dataDir, 'dwell.db');
  let database: DatabaseSync | null = null;
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return null;
    database = openReadOnly(file);
    const version = versionOf(database);
    assertNotMoved(markIn(database), storeIn(dataDir));
    if (version > SCHEMA_VERSION) throw tooNew(version);
    return examined(database, { dataDir, file, version, secretKeys });
  } catch (cause) {
    database?.close();
    throw cannotOpen(cause, dataDir);
  }
}

/** Opens a file that is only read. While no process has it open it counts as one that no one changes: else SQLite would leave two files behind. */
function openReadOnly(file: string): DatabaseSync {
  const address = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) address.searchParams.set('immutable', '1');
  return new DatabaseSync(address, { readOnly: true, timeout: PATIENCE_MS });
}

function examined(
  database: DatabaseSync,
  {
    dataDir,
    file,
    version,
    secretKeys,
  }: {
    readonly dataDir: string;
    readonly file: string;
    readonly version: number;
    readonly secretKeys: SecretKeys | null;
  },
): ExaminedStore {
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
}
