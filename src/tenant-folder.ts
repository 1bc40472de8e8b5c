import { readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './store/sqlite/make-folder.ts';

/** Folders of a tenant's files, below DATA_DIR. */
interface TenantFolder {
  readonly exports: string;
  /** What can be made again. */
  readonly cache: string;
}

/** Makes the folders of a tenant, for their owner only. */
export function makeTenantFolder(dataDir: string, tenant: string): TenantFolder {
  const inFolder = (name: string) => join(dataDir, 'tenants', tenant, name);
  const folder = { exports: inFolder('exports'), cache: inFolder('cache') };
  for (const one of Object.values(folder)) makeFolder(one);
  return folder;
}

/**
 * Gives a tenant the files of a Dwell that knew no tenants. Each is moved in one step, so a start that ends in the middle
 * is finished by the next one.
 */
export function takeOverFiles(dataDir: string, to: TenantFolder): void {
  const exports = join(dataDir, 'exports');
  moveFiles(exports, to.exports, () => true);
  try {
    rmdirSync(exports);
  } catch {
    // It was never there, or something is in it again: that is moved at the next start.
  }
  moveFiles(join(dataDir, 'cache'), to.cache, (name) => name.startsWith('columns-'));
}

function moveFiles(from: string, to: string, isMeant: (name: string) => boolean): void {
  for (const name of namesIn(from).filter(isMeant)) {
    try {
      renameSync(join(from, name), join(to, name));
    } catch (error) {
      // Another process that starts may have moved it.
      if (!isMissing(error)) throw error;
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
