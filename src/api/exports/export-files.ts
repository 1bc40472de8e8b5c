import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { millisecondsInHour } from 'date-fns/constants';
import type { Logger } from 'pino';
import { AppError, failureText, withoutPoint } from '../../model/error.ts';
import { isDiskFull, systemCode } from '../../model/system-error.ts';

/** A file of an export by its name: `part` is true while it is, or was, being written. */
interface FoundFile {
  readonly id: string;
  readonly attempt: number;
  readonly part: boolean;
}

/** The folder of exports: whole files, and parts of those that are being written. */
export type ExportFiles = ReturnType<typeof createExportFiles>;

const LOOSE = /^now-.+\.part/;
const OF_EXPORT = /^([\w-]+)-(\d+)\.(part)?/;
/** A file made at once is waited for, which no one does for so long. */
const LOOSE_MS = millisecondsInHour;

/**
 * The files of exports in a folder that only its owner can read, made when it is first needed. Final names have the
 * attempt, so that a process that lost an export while it slept neither replaces nor removes what another made of it.
 */
export function createExportFiles(folder: string) {
  const inFolder = (name: string) => join(folder, name);
  const partOf = (id: string, attempt: number) => inFolder(`${id}-${attempt}.part`);
  const pathOf = (id: string, attempt: number, extension: string) =>
    inFolder(`${id}-${attempt}.${extension}`);
  const looseOf = (name: string) => inFolder(`now-${name}.part`);
  const make = () => mkdir(folder, { mode: 0o700, recursive: true });
  const names = () => readdir(folder).catch(ignoreMissing([]));
  const removeWhere = async (isMeant: (name: string) => boolean | Promise<boolean>) => {
    for (const name of await names()) if (await isMeant(name)) await rm(inFolder(name), { force: true });
  };

  return {
    pathOf,
    /** A path for a part that belongs to no export. */
    async loose(name: string): Promise<string> {
      await make();
      return looseOf(name);
    },
    /** Where an attempt writes, with nothing left of the attempts before it. */
    async begin(id: string, attempt: number): Promise<string> {
      await make();
      await removeWhere((name) => readName(name)?.id === id);
      return partOf(id, attempt);
    },
    /** Gives what an attempt has written its final name; it is safe from a power cut then. */
    async complete(id: string, attempt: number, extension: string): Promise<void> {
      const part = partOf(id, attempt);
      await chmod(part, 0o600);
      await flush(part);
      await rename(part, pathOf(id, attempt, extension));
      await flush(folder);
    },
    /** Bytes of a file; null when it is not there. */
    sizeOf: (path: string) => stat(path).then(({ size }) => size, ignoreMissing(null)),
    /** Takes away what there is of an attempt. */
    remove: (id: string, attempt: number) => removeWhere((name) => name.startsWith(`${id}-${attempt}.`)),
    /** Takes away a part that belongs to no export, and what is beside it. */
    removeLoose: (path: string) => removeWhere((name) => inFolder(name).startsWith(path)),
    /** Takes away what belongs to no wanted export, and loose parts that no one can wait for any more. */
    async sweep(isWanted: (file: FoundFile) => Promise<boolean>, clockName: string): Promise<void> {
      await removeWhere(async (name) => {
        const file = readName(name);
        return file !== null && !(await isWanted(file));
      });
      if (!(await names()).some((name) => LOOSE.test(name))) return;
      // The disk's own clock stamps the files, and it may differ from ours.
      const clock = looseOf(clockName);
      await (await open(clock, 'w', 0o600)).close();
      const { mtimeMs: newest } = await stat(clock);
      await rm(clock, { force: true });
      await removeWhere(async (name) => {
        if (!LOOSE.test(name)) return false;
        return (
          (await stat(inFolder(name)).then(({ mtimeMs }) => newest - mtimeMs, ignoreMissing(0))) > LOOSE_MS
        );
      });
    },
  };
}

function readName(name: string): FoundFile | null {
  const [, id, attempt, part] = LOOSE.test(name) ? [] : (OF_EXPORT.exec(name) ?? []);
  return id === undefined ? null : { id, attempt: Number(attempt), part: part !== undefined };
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

/** Trouble of the disk or the folder, which is no bug of ours. */
const diskTroubles: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EIO: 'the disk fails',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'the folder for files cannot be written to',
  EPERM: 'the folder for files cannot be written to',
  EROFS: 'the disk can only be read',
  ENOTDIR: 'a file is in the place of the folder for files',
  EEXIST: 'a file is in the place of the folder for files',
};

/** Trouble of the disk as an error for who waits; everything else as it is. */
export function explainDiskTrouble(error: unknown): unknown {
  const trouble = error instanceof AppError ? undefined : diskTroubles[systemCode(error) ?? ''];
  if (trouble === undefined) return error;
  const cure = isDiskFull(error) ? 'free some space' : 'look at it';
  const sentence = `The file could not be written: ${trouble}. Please ask an admin to ${cure}.`;
  return new AppError('store-unavailable', sentence, [], { cause: error });
}

/** Why work failed, in sentences for who waits for it; a bug is logged, as `what`, under a reference. */
export function explainFailure(error: unknown, log: Logger, what: string): string {
  const explained = explainDiskTrouble(error);
  if (explained instanceof AppError) {
    const { message, details, code } = explained;
    if (details.length === 0 || code === 'bad-request') return failureText(explained);
    return `${withoutPoint(message)}: ${details.join(' ')}`;
  }
  const reference = randomUUID();
  log.error({ err: error, reference }, what);
  return `Something went wrong on our side; the log has it under ${reference}.`;
}
