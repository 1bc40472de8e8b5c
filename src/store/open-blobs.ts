import { randomUUID } from 'node:crypto';
import { type BlobsOf, folderBlobs, folderOf, openDrafts } from './folder-blobs.ts';
import type { S3Place, S3Surroundings } from './s3/s3-client.ts';
import type { Engine } from './sql/engine.ts';
import { createTableBlobs } from './sql/table-blobs.ts';

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
