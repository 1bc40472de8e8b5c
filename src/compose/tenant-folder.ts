import { copyFileSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, systemCode } from '../model/error.ts';
import { makeFolder } from '../store/sqlite/make-folder.ts';

/** Folders of a tenant's files, below DATA_DIR. */
interface TenantFolder {
  readonly exports: string;
  /** Files that can be made again. */
  readonly cache: string;
  /** The file with the stamp of the folder. */
  readonly stamp: string;
}

/** Makes the folders of a tenant, for their owner only; `unavailable` where that cannot be done. */
export function makeTenantFolder(dataDir: string, tenant: string): TenantFolder {
  const folder = { exports: pathOf(dataDir, tenant, 'exports'), cache: pathOf(dataDir, tenant, 'cache') };
  for (const one of Object.values(folder)) {
    try {
      makeFolder(one);
    } catch (error) {
      throw unusable(one, error);
    }
  }
  return { ...folder, stamp: stampFile(dataDir, tenant) };
}

/** The file with the stamp of a tenant's folder, which need not be there. */
export function stampFile(dataDir: string, tenant: string): string {
  return pathOf(dataDir, tenant, 'stamp');
}

function pathOf(dataDir: string, tenant: string, name: string): string {
  return join(dataDir, 'tenants', tenant, name);
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
      moveFile(join(from, name), join(to, name));
    } catch (error) {
      // Another process that starts may have moved it.
      if (!isMissing(error)) throw unusable(join(from, name), error);
    }
  }
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    // The older folder may be on another disk: the file has its name once all of it is here.
    const part = `${to}.moving`;
    copyFileSync(from, part);
    renameSync(part, to);
    rmSync(from);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw unusable(folder, error);
  }
}

function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

function unusable(path: string, cause: unknown): AppError {
  const why = systemCode(cause) ?? String(cause);
  return new AppError('store-unavailable', `'${path}' in DATA_DIR cannot be used: ${why}.`, [], { cause });
}
