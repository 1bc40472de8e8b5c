import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { foreignFile } from './foreign-content.ts';
import { BrokenJson } from './json-elements.ts';

/** The progress of reading a file, in bytes of the file on disk. */
export interface FileProgress {
  readonly file: string;
  readonly bytes: number;
  readonly size: number;
}

/** Read, and unpacked, at once. */
const READ_BYTES = 1 << 20;
const UNPACKED_BYTES = 1 << 18;

/** Enough of a file to see what it is; a pipe may hand out less at a time. */
const START_BYTES = 1 << 10;

/**
 * The bytes of a file as UTF-8: unpacked when it is gzip, of any name, and decoded when it is UTF-16, as a redirected
 * output of Windows PowerShell is. Each chunk is valid until the next one is read. Fails with `BrokenJson` for a file
 * that is no JSON.
 */
export async function* readBytes(
  file: string,
  onProgress: (progress: FileProgress) => void,
): AsyncGenerator<Uint8Array> {
  const { size } = await stat(file);
  await using handle = await open(file);
  // A buffer for each chunk would be collected late, once there are many.
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let bytes = 0;
  async function* raw() {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
      if (bytesRead === 0) return;
      bytes += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  const packed = await peek(raw());
  const plain = startsLikeGzip(packed.start) ? await peek(unpacked(packed.all)) : packed;
  const encoding = utf16Of(plain.start);
  const text = encoding === null ? plain : await peek(decoded(plain.all, encoding));
  const problem = foreignFile(text.start);
  if (problem !== null) throw new BrokenJson(problem);
  for await (const chunk of text.all) {
    yield chunk;
    onProgress({ file: basename(file), bytes, size });
  }
}

/** The first bytes of a stream, and all of it with these: a pipe cannot be opened twice. */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly start: Buffer; readonly all: AsyncIterable<Uint8Array> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < START_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  async function* all() {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { start, all: all() };
}

function startsLikeGzip([first, second]: Buffer): boolean {
  return first === 0x1f && second === 0x8b;
}

function unpacked(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // zlib may still read one chunk when the next one is read.
  async function* copies() {
    for await (const chunk of packed) yield Buffer.from(chunk);
  }
  return pipeline(copies, createGunzip({ chunkSize: UNPACKED_BYTES }), () => {});
}

/** By its mark, or by the zero that is a half of JSON's first bracket; null for UTF-8. */
function utf16Of([first = 0, second = 0]: Buffer): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (isBracket(first) && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && isBracket(second)) ? 'utf-16be' : null;
}

function isBracket(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** The problem with the file in one or two sentences; null where the failure is not the file's. */
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

/** An error of the operating system or of zlib; any other is a bug. */
function isSystemError(error: unknown): error is { readonly code: string; readonly message: string } {
  return (
    error !== null &&
    typeof error === 'object' &&
    'errno' in error &&
    'code' in error &&
    typeof error.code === 'string'
  );
}
