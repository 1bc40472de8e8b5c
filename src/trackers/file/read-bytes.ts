import { open, stat } from 'node:fs/promises';
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

/**
 * The bytes of a file, unpacked when it is gzip, whatever it is called. Each chunk is good until the next one is asked
 * for.
 */
export async function* readBytes(
  file: string,
  onProgress: (progress: FileProgress) => void,
): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  const handle = await open(file);
  // What were allocated for each chunk would be collected no sooner than there is a lot of it.
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let bytes = 0;
  const read = async () => {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
    bytes += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  async function* rawFrom(first: Buffer) {
    for (let chunk = first; chunk.length > 0; chunk = await read()) yield chunk;
  }
  try {
    // Looked up in the first chunk, for a pipe cannot be opened twice.
    const first = await read();
    const plain = startsLikeGzip(first) ? unpacked(rawFrom(first)) : rawFrom(first);
    for await (const chunk of plain) {
      yield chunk;
      onProgress({ file: basename(file), bytes, size });
    }
  } finally {
    await handle.close();
  }
}

function startsLikeGzip([first, second]: Buffer): boolean {
  return first === 0x1f && second === 0x8b;
}

function unpacked(packed: AsyncIterable<Buffer>): AsyncIterable<Uint8Array> {
  // zlib may still read one chunk when the next one is asked for.
  async function* copies() {
    for await (const chunk of packed) yield Buffer.from(chunk);
  }
  return pipeline(copies, createGunzip({ chunkSize: UNPACKED_BYTES }), () => {});
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
      else kept.push(Buffer.from(chunk));
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
      return 'no permission to read the file';
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
