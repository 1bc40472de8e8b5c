import { randomUUID } from 'node:crypto';
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../model/error.ts';
import type { BlobStore } from './blobs.ts';

/** Opens the blobs of a tenant that are of one kind, such as `exports`. */
export type BlobsOf = (tenant: string) => (of: string) => BlobStore;

/** Opens blobs as files of `dataDir`, below the folder of their tenant. */
export function folderBlobs(dataDir: string): BlobsOf {
  return (tenant) => (of) => createFolderBlobs(folderOf(dataDir, tenant, of));
}

/** Returns the folder of a tenant's drafts of one kind, and of its blobs where they are files. */
export function folderOf(dataDir: string, tenant: string, of: string): string {
  return join(dataDir, 'tenants', tenant, of);
}

/** The end of a draft's name; column drafts of versions before 0.9 end in `.new`. */
const DRAFT = /\.(part|new)(\..*)?$/;

/**
 * Drafts as files of a folder that only its owner can read; it is made when it is first needed, in one that exists. A folder
 * that is lost loses its drafts and nothing else, wherever the blobs are.
 */
export function openDrafts(folder: string): Pick<BlobStore, 'draft' | 'discard' | 'sweepDrafts'> {
  const inFolder = (name: string) => join(folder, name);

  /** Reads the disk's own clock, which may differ from ours, off a file that is written now. */
  async function diskTime(): Promise<number> {
    const clock = inFolder(`clock-${randomUUID()}.part`);
    await (await open(clock, 'w', 0o600)).close();
    const { mtimeMs } = await stat(clock);
    await rm(clock, { force: true });
    return mtimeMs;
  }

  return {
    async draft(name) {
      await makeOwnFolder(folder);
      return inFolder(`${name}.part`);
    },
    async discard(draft) {
      for (const name of await namesIn(folder)) {
        if (inFolder(name).startsWith(draft)) await rm(inFolder(name), { force: true });
      }
    },
    async sweepDrafts(isMeant) {
      const drafts = (await namesIn(folder)).filter((name) => DRAFT.test(name));
      if (drafts.length === 0) return;
      const now = await diskTime();
      for (const name of drafts) {
        const writtenAt = await stat(inFolder(name)).then(({ mtimeMs }) => mtimeMs, ignoreMissing(null));
        if (writtenAt === null) continue;
        if (await isMeant(name.replace(DRAFT, ''), now - writtenAt))
          await rm(inFolder(name), { force: true });
      }
    },
  };
}

/** Blobs as files of the folder that has their drafts. */
export function createFolderBlobs(folder: string): BlobStore {
  const inFolder = (name: string) => join(folder, name);
  return {
    ...openDrafts(folder),
    async put(name, draft) {
      await chmod(draft, 0o600);
      await flush(draft);
      await rename(draft, inFolder(name));
      await flush(folder);
    },
    async open(name) {
      const handle = await open(inFolder(name), 'r').catch(ignoreMissing(null));
      if (handle === null) return null;
      const { size } = await handle.stat();
      return {
        place: inFolder(name),
        file: inFolder(name),
        bytes: size,
        read: (into, position) => readFully(handle, into, position, `The file ${inFolder(name)}`),
        close: () => handle.close(),
      };
    },
    names: async () => (await namesIn(folder)).filter((name) => !DRAFT.test(name)),
    remove: (name) => rm(inFolder(name), { force: true }),
  };
}

/** Reads bytes of a draft that is written. */
export async function readDraft(handle: FileHandle, position: number, bytes: number) {
  const read = new Uint8Array(bytes);
  await readFully(handle, read, position, 'A draft');
  return read;
}

/** Fills all of `into` with what stands at a position of a file. */
async function readFully(
  handle: FileHandle,
  into: Uint8Array,
  position: number,
  what: string,
): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new Error(`${what} ends too early.`);
    done += bytesRead;
  }
}

/** Creates a folder for its owner only, in a folder that exists: `mkdir` with `recursive` never ends in places such as /proc. */
async function makeOwnFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

const namesIn = (folder: string) => readdir(folder).catch(ignoreMissing([]));

async function flush(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** The value of a file or folder that is not there. */
function ignoreMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (systemCode(error) === 'ENOENT') return value;
    throw error;
  };
}
