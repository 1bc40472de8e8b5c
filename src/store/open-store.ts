import { randomUUID } from 'node:crypto';
import type { ExaminedStore } from './examined-store.ts';
import { type BlobsOf, folderBlobs, folderOf, openDrafts } from './folder-blobs.ts';
import type { S3Place, S3Surroundings } from './s3/s3-client.ts';
import type { SecretKeys } from './sealed-secrets.ts';
import type { Engine } from './sql/engine.ts';
import type { StoreOpening } from './sql/open-tenant.ts';
import type { SecretRotation } from './sql/secrets.ts';
import { createTableBlobs } from './sql/table-blobs.ts';
import type { Store } from './store.ts';

/** Settings of where everything is stored. */
interface StorePlace {
  readonly dataDir: string;
  /** The address of a database of PostgreSQL; null: a file in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Null: secrets are stored as they are. */
  readonly secretKeys: SecretKeys | null;
}

/** Opens (and if need be creates and upgrades) a store; without `blobs`, they are files of `dataDir`. */
type OpenStore = (
  opening: Omit<StoreOpening, 'blobs' | 'secretKeys'> & Partial<Pick<StoreOpening, 'blobs'>>,
) => Promise<Store & SecretRotation>;

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
    const { examineSqlite } = await import('./sqlite/open-sqlite-store.ts');
    return examineSqlite(dataDir, secretKeys);
  }
  const { examinePostgres } = await import('./postgres/open-postgres-store.ts');
  return examinePostgres(databaseUrl, { dataDir, secretKeys });
}

/** The place of blobs: files of DATA_DIR, rows of the database, or objects of a bucket. */
export type BlobPlace =
  | { readonly kind: 'folder' }
  | { readonly kind: 'table' }
  | ({ readonly kind: 's3' } & S3Place);

/** Settings of where blobs are. */
interface BlobSettings {
  /** Null: where the database has them by default, a folder with SQLite and a table with PostgreSQL. */
  readonly blobs: BlobPlace | null;
  readonly databaseUrl: string | null;
  /** The folder of drafts, wherever the blobs are. */
  readonly dataDir: string;
}

/** Returns what opens the blobs that some settings name, beside an engine. */
export async function blobsIn(
  { blobs, databaseUrl, dataDir }: BlobSettings,
  surroundings: S3Surroundings,
): Promise<(engine: Engine) => BlobsOf> {
  const place = blobs ?? { kind: databaseUrl === null ? 'folder' : 'table' };
  const partsOf = (tenant: string, of: string) => ({
    drafts: openDrafts(folderOf(dataDir, tenant, of)),
    now: surroundings.now,
    newId: randomUUID,
  });
  switch (place.kind) {
    case 'folder':
      return () => folderBlobs(dataDir);
    case 'table':
      return (engine) => (tenant) => (of) =>
        createTableBlobs(engine, { tenant, place: of, ...partsOf(tenant, of) });
    case 's3': {
      const { createS3Client } = await import('./s3/s3-client.ts');
      const { createS3Blobs } = await import('./s3/s3-blobs.ts');
      const client = createS3Client(place, surroundings);
      const start = place.prefix === '' ? '' : `${place.prefix}/`;
      return () => (tenant) => (of) =>
        createS3Blobs(client, { folder: `${start}${tenant}/${of}/`, ...partsOf(tenant, of) });
    }
  }
}
