import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BrokenJson } from './json-elements.ts';

/** How far a file has been read, in bytes of the file as it lies on disk. */
export interface FileProgress {
  readonly file: string;
  readonly bytes: number;
  readonly size: number;
}

/** Read, and unpacked, at once. */
const READ_BYTES = 1 << 20;
const UNPACKED_BYTES = 1 << 18;

/** The bytes of a file, unpacked when it is gzip, whatever it is called. */
export async function* readBytes(
  file: string,
  onProgress: (progress: FileProgress) => void,
): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  const raw = createReadStream(file, { highWaterMark: READ_BYTES });
  const plain = (await startsLikeGzip(raw))
    ? pipeline(raw, createGunzip({ chunkSize: UNPACKED_BYTES }), () => {})
    : raw;
  for await (const chunk of plain) {
    yield chunk;
    onProgress({ file: basename(file), bytes: raw.bytesRead, size });
  }
}

/** Looked up in the stream itself, for a pipe cannot be opened twice. */
async function startsLikeGzip(raw: ReadStream): Promise<boolean> {
  await once(raw, 'readable');
  const start: Buffer | null = raw.read(2);
  if (start === null) return false;
  raw.unshift(start);
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** An answer that is no list is far smaller. */
const LONGEST_BYTES = 4 << 20;

/** A file's bytes on their way, and its text once they have all come by. */
interface ShortFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Null for a file that is too long to be kept. */
  text(): string | null;
}

/** Keeps what streams by as long as it is short, for a pipe cannot be read twice. */
export function keepShortFile(bytes: AsyncIterable<Uint8Array>): ShortFile {
  let kept: Uint8Array[] = [];
  let length = 0;
  async function* passOn() {
    for await (const chunk of bytes) {
      length += chunk.length;
      if (length > LONGEST_BYTES) kept = [];
      else kept.push(chunk);
      yield chunk;
    }
  }
  return {
    chunks: passOn(),
    text: () => (length > LONGEST_BYTES ? null : Buffer.concat(kept).toString('utf8')),
  };
}

/** What is wrong with the file in one sentence; null when the failure is not the file's. */
export function fileProblem(error: unknown): string | null {
  if (error instanceof BrokenJson) return error.message;
  if (!isSystemError(error)) return null;
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'the file may not be read';
    case 'EISDIR':
      return 'this is a folder, not a file';
    default:
      return error.code.startsWith('Z_')
        ? `the file is damaged gzip: ${error.message}`
        : `the file cannot be read: ${error.message}`;
  }
}

/** What the operating system or zlib reports; anything else is a bug. */
function isSystemError(error: unknown): error is { readonly code: string; readonly message: string } {
  return (
    error !== null &&
    typeof error === 'object' &&
    'errno' in error &&
    'code' in error &&
    typeof error.code === 'string'
  );
}
