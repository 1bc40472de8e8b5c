import type { Instant } from '../model/issue.ts';
import type { ExaminedStore } from './examined-store.ts';
import { type BlobsOf, folderBlobs } from './folder-blobs.ts';
import type { SecretKeys } from './sealed-secrets.ts';
import type { Engine, EngineHooks } from './sql/engine.ts';
import type { SecretRotation } from './sql/secrets.ts';
import type { Store } from './store.ts';
import type { OnUpgrade } from './upgrade-progress.ts';

/** Settings of where everything is stored. */
interface StorePlace {
  readonly dataDir: string;
  /** The address of a database of PostgreSQL; null: a file in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Null: secrets are stored as they are. */
  readonly secretKeys: SecretKeys | null;
}

/**
 * Options of opening a store: `onUpgrade` is called before and while one of an earlier version is upgraded; without `blobs`,
 * they are files of `dataDir`.
 */
interface StoreOpening extends EngineHooks {
  readonly blobs?: (engine: Engine) => BlobsOf;
  readonly onUpgrade?: OnUpgrade | undefined;
  /** Dates entries of the audit log. */
  readonly now: () => Instant;
}

/** Opens (and if need be creates and upgrades) a store. */
type OpenStore = (opening: StoreOpening) => Promise<Store & SecretRotation>;

/** Loads the engine that some settings name, and no other; what is returned opens its store. */
export async function loadStore({ dataDir, databaseUrl, secretKeys }: StorePlace): Promise<OpenStore> {
  if (databaseUrl === null) {
    const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
    return (opening) => openSqliteStore(dataDir, { ...opening, secretKeys });
  }
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts');
  const blobs = () => folderBlobs(dataDir);
  return (opening) => openPostgresStore(databaseUrl, { blobs, ...opening, secretKeys });
}

/**
 * Examines the store that some settings name, without a change to it. Null where there is none yet; fails with an
 * `AppError` where it cannot be opened, or no Dwell of this version can use it.
 */
export async function examineStore({
  dataDir,
  databaseUrl,
  secretKeys,
}: StorePlace): Promise<ExaminedStore | null> {
  if (databaseUrl === null) {
    const { examineSqlite } = await import('./sqlite/examine-sqlite.ts');
    return examineSqlite(dataDir, secretKeys);
  }
  const { examinePostgres } = await import('./postgres/examine-postgres.ts');
  return examinePostgres(databaseUrl, { dataDir, secretKeys });
}
