import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { millisecondsInHour } from 'date-fns/constants';
import type { Logger } from 'pino';
import { failureReference } from '../../concurrency/request-scope.ts';
import { AppError, failureText, isDiskFull, systemCode, withoutPoint } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import { stillCovers } from '../../model/request.ts';
import type { BlobStore, OpenBlob } from '../../store/blobs.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { ExportFile, FileContent, OpenFile } from './exports-api.ts';
import { exportRequestOf, formatOf } from './write-export.ts';

/** A file of an export by its name: `part` is true while it is, or was, being written. */
interface FoundFile {
  readonly id: string;
  readonly attempt: number;
  readonly part: boolean;
}

/** The files of exports, and drafts of those that are being written. */
export type ExportFiles = ReturnType<typeof createExportFiles>;

const LOOSE = /^now-/;
const OF_EXPORT = /^([\w-]+)-(\d+)(\.|$)/;
/** The age at which a file made at once has no one waiting for it any more. */
const LOOSE_MS = millisecondsInHour;

/**
 * The files of exports among a tenant's blobs. Names have the attempt, so that a process that lost an export while it slept
 * neither replaces nor removes the file of another.
 */
export function createExportFiles(blobs: BlobStore) {
  const draftOf = (id: string, attempt: number) => blobs.draft(`${id}-${attempt}`);
  const removeWhere = async (isMeant: (file: FoundFile) => boolean | Promise<boolean>) => {
    const isMeantName = async (name: string, part: boolean) => {
      const file = readName(name, part);
      return file !== null && (await isMeant(file));
    };
    for (const name of await blobs.names()) if (await isMeantName(name, false)) await blobs.remove(name);
    await blobs.sweepDrafts((name, ageMs) => (LOOSE.test(name) ? ageMs > LOOSE_MS : isMeantName(name, true)));
  };

  return {
    /** A path for a draft that belongs to no export. */
    loose: (name: string) => blobs.draft(`now-${name}`),
    /** The path an attempt writes to, with nothing left of the attempts before it. */
    async begin(id: string, attempt: number): Promise<string> {
      await removeWhere((file) => file.id === id);
      return draftOf(id, attempt);
    },
    /** Gives the file of an attempt its final name; it is safe from a power cut then. */
    async complete(id: string, attempt: number, extension: string): Promise<void> {
      await blobs.put(`${id}-${attempt}.${extension}`, await draftOf(id, attempt));
    },
    /** Finds the content of a file and its size in bytes; null when it is not there. */
    async find(id: string, attempt: number, extension: string) {
      const name = `${id}-${attempt}.${extension}`;
      const found = await blobs.open(name);
      if (found === null) return null;
      const { file, bytes } = found;
      await found.close();
      const openFound = async (): Promise<OpenFile> => {
        const blob = await blobs.open(name);
        if (blob === null) throw new Error(`The file ${name} was removed before it was opened.`);
        return { bytes: blob.bytes, stream: streamOf(blob) };
      };
      const content: FileContent = {
        open: openFound,
        async localPath() {
          if (file !== null) return file;
          const path = `${await blobs.draft(`now-${randomUUID()}`)}.${extension}`;
          await pipeline((await openFound()).stream, createWriteStream(path, { mode: 0o600 }));
          return path;
        },
      };
      return { ...content, bytes };
    },
    /** Takes away the files of an attempt. */
    remove: (id: string, attempt: number) =>
      removeWhere((file) => file.id === id && file.attempt === attempt),
    /** Takes away a draft that belongs to no export, and the files beside it. */
    removeLoose: (path: string) => blobs.discard(path),
    /** Takes away the files of no wanted export, and loose drafts that no one can wait for any more. */
    sweep: (isWanted: (file: FoundFile) => Promise<boolean>) =>
      removeWhere(async (file) => !(await isWanted(file))),
  };
}

/** Returns the content of a file of this machine. */
export function localFile(path: string): FileContent {
  return {
    async open() {
      const handle = await open(path);
      const { size } = await handle.stat();
      return { bytes: size, stream: handle.createReadStream() };
    },
    localPath: async () => path,
  };
}

/** The bytes a stream reads at once; a blob that is elsewhere has more of itself in memory. */
const PIECE_BYTES = 65_536;

/** Reads a blob as fast as its reader takes it, and closes it. */
function streamOf(blob: OpenBlob): Readable {
  let position = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, blob.bytes - position));
      if (piece.length === 0) return void this.push(null);
      position += piece.length;
      blob.read(piece, position - piece.length).then(
        () => this.push(piece),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      blob.close().then(
        () => done(error),
        (failed: Error) => done(error ?? failed),
      );
    },
  });
}

function readName(name: string, part: boolean): FoundFile | null {
  const [, id, attempt] = OF_EXPORT.exec(name) ?? [];
  return id === undefined ? null : { id, attempt: Number(attempt), part };
}

/** An export as it is at an instant: its time may be over before anyone has taken its file away. */
export function asOfNow(record: ExportRecord, now: Instant): ExportRecord {
  const { state, expiresAt } = record;
  const isExpired = state === 'Successful' && expiresAt !== null && expiresAt <= now;
  return isExpired ? { ...record, state: 'Expired' } : record;
}

/** The parts that a file is found by, and by which it is known whether its principal can still see what is in it. */
interface FileParts {
  readonly files: ExportFiles;
  readonly reporting: Pick<ReportingApi, 'browseScope' | 'check'>;
  readonly log: Logger;
}

/** The file of an export; `no-export-file` when there is none, or its principal can see less than when it was made. */
export async function fileOf(
  record: ExportRecord,
  { files, reporting, log }: FileParts,
): Promise<ExportFile> {
  const { id, state, attempts, message, fileName, provenance } = record;
  switch (state) {
    case 'Queued':
    case 'Running':
      throw noFile(state, 'The export is not completed: it is still being processed.');
    case 'Failed':
    case 'Aborted':
      throw noFile(state, `The export failed or was aborted: ${message}`);
    case 'Expired':
      throw noFile(state, 'The file of the export has expired.');
  }
  if (!(await canStillSee(record, reporting))) {
    const sentence = 'What you can see has changed since the export was made; please ask for it again.';
    throw noFile('permissions-changed', sentence);
  }
  const { extension, mediaType } = formatOf(record.input);
  const found = await files.find(id, attempts, extension);
  if (found === null || fileName === null || provenance === null) {
    log.error({ exportId: id }, 'the file of an export is gone from the disk');
    const sentence = 'The file of the export is gone from the disk; please ask for the export again.';
    throw noFile('gone', sentence);
  }
  return { ...found, fileName, mediaType, provenance };
}

function noFile(why: string, sentence: string): AppError {
  return new AppError('no-export-file', sentence, [], { data: { why } });
}

async function canStillSee(
  { input, scope }: ExportRecord,
  reporting: FileParts['reporting'],
): Promise<boolean> {
  const { principal, creditDelegates } = input.request;
  if (scope === null || !stillCovers(scope, await reporting.browseScope(principal, scope))) return false;
  // The scope does not show who covered for whom.
  if (creditDelegates === null) return true;
  const check = reporting.check(exportRequestOf(input));
  const problem: unknown = await check.then(
    () => null,
    (error: unknown) => error,
  );
  if (problem === null) return true;
  if (!(problem instanceof AppError) || problem.code === 'unavailable') throw problem;
  // Another problem of the request, such as a category that is gone, makes its file no secret.
  return problem.code !== 'not-allowed';
}

/** Problems of the disk or the folder, which are no bugs of ours, by the code of the system. */
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

/** A problem of the disk as an error for the person who waits; every other error as it is. */
export function explainDiskTrouble(error: unknown): unknown {
  const trouble = error instanceof AppError ? undefined : diskTroubles[systemCode(error) ?? ''];
  if (trouble === undefined) return error;
  const cure = isDiskFull(error) ? 'free some space' : 'look at it';
  const sentence = `The file could not be written: ${trouble}. Please ask an admin to ${cure}.`;
  return new AppError('store-unavailable', sentence, [], { cause: error });
}

/** The reason work failed, in sentences for the person who waits; a bug is logged, as `what`, under a reference. */
export function explainFailure(error: unknown, log: Logger, what: string): string {
  const explained = explainDiskTrouble(error);
  if (explained instanceof AppError) {
    const { message, details, code } = explained;
    if (details.length === 0 || code === 'bad-request') return failureText(explained);
    return `${withoutPoint(message)}: ${details.join(' ')}`;
  }
  const reference = failureReference();
  log.error({ err: error, reference }, what);
  return `Something went wrong on our side; the log has it under ${reference}.`;
}
