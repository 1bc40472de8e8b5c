import type { FileHandle } from 'node:fs/promises';

/** Thrown where a file does not hold what was written to it. */
export class Damaged extends Error {}

/** Reads as many bytes as there is room for; fails with `Damaged` where the file ends before. */
export async function readFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Damaged();
    done += bytesRead;
  }
}

/** Writes all of the bytes. */
export async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
