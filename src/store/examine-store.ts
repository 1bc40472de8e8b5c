import type { ExaminedStore } from './examined-store.ts';
import type { StorePlace } from './open-store.ts';

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
