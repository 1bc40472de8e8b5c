import { type BigIntStats, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemCode } from '../../model/system-error.ts';
import { createFolderBlobs } from '../folder-blobs.ts';
import type { OnStatement } from '../sql/engine.ts';
import { openTenant } from '../sql/open-tenant.ts';
import type { Store } from '../store.ts';
import { backUp, removeKilledCopies } from './back-up.ts';
import { openDatabase } from './open-database.ts';
import { openEngine } from './open-engine.ts';
import { isStoreFull } from './sqlite-errors.ts';

/** A write of SQLite may fit into what is allotted already, so something new is written; as much as a large write of ours. */
const PROBE_BYTES = 1_048_576;

/** Options of opening a store; see `openDatabase`. */
interface Opening {
  readonly onUpgrade?: () => void;
  readonly onStatement?: OnStatement | undefined;
}

/** Opens (and if need be creates and upgrades) the store in `dataDir`. */
export async function openSqliteStore(
  dataDir: string,
  { onUpgrade = () => {}, onStatement }: Opening = {},
): Promise<Store> {
  const file = join(dataDir, 'dwell.db');
  const writer = await openDatabase(dataDir, onUpgrade);
  const opened = statSync(file, { bigint: true });
  const wasReplaced = () => isReplaced(file, opened);
  const engine = openEngine(writer, { file, isReplaced: wasReplaced, onStatement });
  const tenants = new Map<string, ReturnType<typeof openTenant>>();
  const blobsOf = (tenant: string) => (of: string) => createFolderBlobs(join(dataDir, 'tenants', tenant, of));
  let probing: Promise<string | null> | null = null;
  return {
    forTenant(tenant) {
      const known = tenants.get(tenant) ?? openTenant(engine, { tenant, blobs: blobsOf(tenant) });
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
    backUp: (to, how) => backUp(engine, { database: file, file: resolve(to), ...how }),
    removeKilledCopies: () => removeKilledCopies(engine),
    isReplaced: wasReplaced,
    async close() {
      for (const { cache } of tenants.values()) if (cache.hasDeferred()) await cache.close();
      engine.close();
    },
  };
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
