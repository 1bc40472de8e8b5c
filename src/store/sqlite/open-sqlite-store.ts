import { type BigIntStats, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { type BlobsOf, folderBlobs } from '../folder-blobs.ts';
import type { SecretKeys } from '../sealed-secrets.ts';
import { noSignals } from '../signals.ts';
import type { Engine, EngineHooks } from '../sql/engine.ts';
import { openTenants } from '../sql/open-tenant.ts';
import { assertSecretKeysAreSet, missingKey, rotateSecrets, type SecretRotation } from '../sql/secrets.ts';
import type { Store } from '../store.ts';
import type { OnUpgrade } from '../upgrade-progress.ts';
import { backUp, removeKilledCopies } from './back-up.ts';
import { openDatabase, removeTraces } from './open-database.ts';
import { openEngine } from './open-engine.ts';
import { isStoreFull } from './sqlite-errors.ts';

/** A write of SQLite may fit into what is allotted already, so something new is written; as much as a large write of ours. */
const PROBE_BYTES = 1_048_576;

/** Options of opening a store; see `openDatabase`. Without keys, secrets are stored as they are. */
interface Opening extends EngineHooks {
  /** Opens blobs; without it they are files of `dataDir`. */
  readonly blobs?: (engine: Engine) => BlobsOf;
  readonly secretKeys?: SecretKeys | null;
  readonly onUpgrade?: OnUpgrade | undefined;
  /** Dates entries of the audit log; without it they are of 1970. */
  readonly now?: (() => Instant) | undefined;
}

/** Opens (and if need be creates and upgrades) the store in `dataDir`. */
export async function openSqliteStore(
  dataDir: string,
  { onUpgrade, now = () => 0, secretKeys = null, blobs = () => folderBlobs(dataDir), ...hooks }: Opening = {},
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
