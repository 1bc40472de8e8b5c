import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of an export by its name: `part` is true while it is, or was, being written. */
export interface FoundFile {
  readonly name: string;
  readonly id: string;
  readonly attempt: number;
  readonly part: boolean;
}

/** The folder of exports: whole files, and parts of those that are being written. */
export interface ExportFiles {
  /** Makes the folder where it is missing, and a path in it for a part that belongs to no export. */
  loose(name: string): Promise<string>;
  /** Where an attempt writes, with nothing left of the attempts before it. */
  begin(id: string, attempt: number): Promise<string>;
  /** Gives what an attempt has written its final name; it is safe from a cut power line then. */
  seal(id: string, attempt: number, extension: string): Promise<void>;
  pathOf(id: string, attempt: number, extension: string): string;
  /** Bytes of a file; null when it is not there. */
  sizeOf(path: string): Promise<number | null>;
  /** Takes away what there is of an attempt. */
  remove(id: string, attempt: number): Promise<void>;
  /** Takes away a part that belongs to no export, and what lies beside it. */
  removeLoose(path: string): Promise<void>;
  /** All that belongs to exports. */
  found(): Promise<readonly FoundFile[]>;
  removeFound(file: FoundFile): Promise<void>;
  /** Takes away parts that belong to no export and were last written to `ageMs` before `clockName` was. */
  removeOld(clockName: string, ageMs: number): Promise<void>;
}

const LOOSE = /^now-.+\.part/;
const OF_EXPORT = /^([\w-]+)-(\d+)\.(part)?/;

/**
 * The files of exports in a folder that only its owner may look into. Final names tell the attempt, so that a process
 * that has lost an export while it slept can neither replace nor remove what another one has made of it.
 */
export function createExportFiles(folder: string): ExportFiles {
  const inFolder = (name: string) => join(folder, name);
  const partOf = (id: string, attempt: number) => inFolder(`${id}-${attempt}.part`);
  const pathOf = (id: string, attempt: number, extension: string) =>
    inFolder(`${id}-${attempt}.${extension}`);
  const make = async () => {
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if (!(await stat(folder).then((there) => there.isDirectory(), ignoreMissing(false)))) throw error;
    }
  };
  const names = () => readdir(folder).catch(ignoreMissing([]));
  const removeWhere = async (isMeant: (name: string) => boolean) => {
    for (const name of (await names()).filter(isMeant)) await rm(inFolder(name), { force: true });
  };
  const found = async () => (await names()).flatMap(read);

  return {
    pathOf,
    found,
    async loose(name) {
      await make();
      return inFolder(looseName(name));
    },
    async begin(id, attempt) {
      await make();
      for (const file of await found()) if (file.id === id) await rm(inFolder(file.name), { force: true });
      return partOf(id, attempt);
    },
    async seal(id, attempt, extension) {
      const part = partOf(id, attempt);
      await chmod(part, 0o600);
      await flush(part);
      await rename(part, pathOf(id, attempt, extension));
      await flush(folder);
    },
    async sizeOf(path) {
      return stat(path).then(({ size }) => size, ignoreMissing(null));
    },
    remove: (id, attempt) => removeWhere((name) => name.startsWith(`${id}-${attempt}.`)),
    removeLoose: (path) => removeWhere((name) => inFolder(name).startsWith(path)),
    removeFound: ({ name }) => rm(inFolder(name), { force: true }),
    async removeOld(clockName, ageMs) {
      const loose = (await names()).filter((name) => LOOSE.test(name));
      if (loose.length === 0) return;
      const clock = inFolder(looseName(clockName));
      // The disk's own clock stamps the files, and it may differ from ours.
      await (await open(clock, 'w', 0o600)).close();
      const { mtimeMs: newest } = await stat(clock);
      await rm(clock, { force: true });
      for (const name of loose) {
        const age = await stat(inFolder(name)).then(({ mtimeMs }) => newest - mtimeMs, ignoreMissing(0));
        if (age > ageMs) await rm(inFolder(name), { force: true });
      }
    },
  };
}

function looseName(name: string): string {
  return `now-${name}.part`;
}

function read(name: string): FoundFile[] {
  if (LOOSE.test(name)) return [];
  const [, id, attempt, part] = OF_EXPORT.exec(name) ?? [];
  return id === undefined ? [] : [{ name, id, attempt: Number(attempt), part: part !== undefined }];
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What stands for a file or folder that is not there. */
function ignoreMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error !== null && typeof error === 'object' && 'code' in error && error.code === 'ENOENT')
      return value;
    throw error;
  };
}
