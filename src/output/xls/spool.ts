import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 2 ** 18;

/** A file beside the target that holds a part of it until the parts before it are known. */
export interface Spool {
  /** Bytes written so far. */
  readonly size: () => number;
  /** Adds bytes at the end; they may be used for something else afterwards. */
  readonly append: (bytes: Uint8Array) => Promise<void>;
  /** Writes over bytes that are there already, from `position` on. */
  readonly patch: (position: number, bytes: Uint8Array) => Promise<void>;
  /** All of it, in order. Each chunk is good until the next one is asked for. */
  readonly read: () => AsyncGenerator<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** Fails when the file is there already. */
export async function openSpool(path: string): Promise<Spool> {
  const file = await open(path, 'wx+');
  let size = 0;
  return {
    size: () => size,
    append: async (bytes) => {
      await writeAll(file, bytes, size);
      size += bytes.length;
    },
    patch: (position, bytes) => writeAll(file, bytes, position),
    read: () => readAll(file, size),
    close: () => file.close(),
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function* readAll(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error(`The spool ended after ${at} of ${size} bytes`);
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
