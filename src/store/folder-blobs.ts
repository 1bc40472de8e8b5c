import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../model/system-error.ts';
import type { BlobStore } from './blobs.ts';

/** How drafts end; those of versions before 0.9 that are columns end in `.new`. */
const DRAFT = /\.(part|new)(\..*)?$/;

/** Blobs as files of a folder that only its owner can read; it is made when it is first needed, in one that exists. */
export function createFolderBlobs(folder: string): BlobStore {
  const inFolder = (name: string) => join(folder, name);
  const all = () => readdir(folder).catch(ignoreMissing([]));

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
    async put(name, draft) {
      await chmod(draft, 0o600);
      await flush(draft);
      await rename(draft, inFolder(name));
      await flush(folder);
    },
    async discard(draft) {
      for (const name of await all()) {
        if (inFolder(name).startsWith(draft)) await rm(inFolder(name), { force: true });
      }
    },
    async sweepDrafts(isMeant) {
      const drafts = (await all()).filter((name) => DRAFT.test(name));
      if (drafts.length === 0) return;
      const now = await diskTime();
      for (const name of drafts) {
        const writtenAt = await stat(inFolder(name)).then(({ mtimeMs }) => mtimeMs, ignoreMissing(null));
        if (writtenAt === null) continue;
        if (await isMeant(name.replace(DRAFT, ''), now - writtenAt))
          await rm(inFolder(name), { force: true });
      }
    },
    async open(name) {
      const handle = await open(inFolder(name), 'r').catch(ignoreMissing(null));
      if (handle === null) return null;
      const { size } = await handle.stat();
      return {
        place: inFolder(name),
        bytes: size,
        async read(into, position) {
          for (let done = 0; done < into.length; ) {
            const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
            if (bytesRead === 0) throw new Error(`The file ${inFolder(name)} ends too early.`);
            done += bytesRead;
          }
        },
        close: () => handle.close(),
      };
    },
    names: async () => (await all()).filter((name) => !DRAFT.test(name)),
    remove: (name) => rm(inFolder(name), { force: true }),
  };
}

/** Creates a folder for its owner only, in a folder that exists: `mkdir` with `recursive` never ends in places such as /proc. */
async function makeOwnFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The value of a file or folder that is not there. */
function ignoreMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (systemCode(error) === 'ENOENT') return value;
    throw error;
  };
}
