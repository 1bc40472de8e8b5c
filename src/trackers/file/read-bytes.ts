import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

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
