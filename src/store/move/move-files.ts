import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, systemCode } from '../../model/error.ts';
import type { OpenBlob } from '../blobs.ts';
import { folderBlobs } from '../folder-blobs.ts';
import { makeFolder } from '../sqlite/make-folder.ts';
import { FOLDER_STAMP } from '../stamps.ts';
import type { FolderStamps, MovedFiles } from './move-side.ts';

/** The part of a file (bytes) that is in memory. */
const PART_BYTES = 2 ** 20;

/** Files that were copied. */
export interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Copies the files of tenants; one that is there already is replaced. Where both are in one place, nothing is copied. */
export async function copyFiles(
  tenants: readonly string[],
  from: MovedFiles,
  to: MovedFiles,
  onFile: (copied: CopiedFiles) => void,
): Promise<CopiedFiles> {
  let copied: CopiedFiles = { files: 0, bytes: 0 };
  if (from.place === to.place) return copied;
  for (const tenant of tenants) {
    const [source, target] = [await from.of(tenant), await to.of(tenant)];
    for (const name of await source.names()) {
      const blob = await source.open(name);
      if (blob === null) continue;
      try {
        const draft = await target.draft(name);
        await pipeline(Readable.from(partsOf(blob)), createWriteStream(draft, { mode: 0o600 }));
        await target.put(name, draft);
        await assertSame(name, blob, await target.open(name));
        copied = { files: copied.files + 1, bytes: copied.bytes + blob.bytes };
        onFile(copied);
      } finally {
        await blob.close();
      }
    }
  }
  return copied;
}

async function assertSame(name: string, blob: OpenBlob, copy: OpenBlob | null): Promise<void> {
  try {
    if (copy !== null && (await checksumOf(copy)) === (await checksumOf(blob))) return;
    throw new AppError('store-unavailable', `The copy of the file '${name}' differs. Run the command again.`);
  } finally {
    await copy?.close();
  }
}

async function checksumOf(blob: OpenBlob): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of partsOf(blob)) hash.update(part);
  return hash.digest('hex');
}

async function* partsOf(blob: OpenBlob): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < blob.bytes; position += PART_BYTES) {
    const part = new Uint8Array(Math.min(PART_BYTES, blob.bytes - position));
    await blob.read(part, position);
    yield part;
  }
}

/** The files of exports in a folder. */
export const filesIn = (dataDir: string): MovedFiles => ({
  place: dataDir,
  async of(tenant) {
    makeFolder(tenantFolder(dataDir, tenant));
    return folderBlobs(dataDir)(tenant)('exports');
  },
});

/** The stamps in a folder, by which a database belongs to it; see `FOLDER_STAMP`. */
export const stampsIn = (dataDir: string): FolderStamps => {
  const fileOf = (tenant: string) => join(tenantFolder(dataDir, tenant), 'stamp');
  return {
    name: FOLDER_STAMP,
    read: (tenant) =>
      readFile(fileOf(tenant), 'utf8').catch((error: unknown) => {
        if (systemCode(error) === 'ENOENT') return null;
        throw error;
      }),
    async write(tenant, stamp) {
      makeFolder(tenantFolder(dataDir, tenant));
      await writeFile(fileOf(tenant), stamp, { mode: 0o600 });
    },
  };
};

function tenantFolder(dataDir: string, tenant: string): string {
  return join(dataDir, 'tenants', tenant);
}
