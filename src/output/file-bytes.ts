import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { SheetRow } from './workbook.ts';

/** UTF-16 units after which text becomes bytes. */
const ENOUGH = 40_000;

/** No chunk is longer, in bytes. */
const MAX_CHUNK = 131_072;

/** The form of rows as text: the head, each row with its number from 0, and the tail. */
interface RowText {
  readonly head: string;
  line(row: SheetRow, number: number): string;
  tail(rows: number): string;
}

/** Rows as UTF-8 in chunks of at most 128 KiB. */
export async function* rowChunks(
  rows: AsyncIterable<readonly SheetRow[]>,
  { head, line, tail }: RowText,
): AsyncGenerator<Uint8Array> {
  let text = head;
  let count = 0;
  for await (const part of rows) {
    for (const row of part) {
      text += line(row, count);
      count += 1;
      if (text.length >= ENOUGH) {
        yield* bytes(text);
        text = '';
      }
    }
  }
  yield* bytes(text + tail(count));
}

function* bytes(text: string): Generator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += MAX_CHUNK) yield all.subarray(at, at + MAX_CHUNK);
}

/** A file within the ZIP. Its chunks are read once, before the next entry is requested. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer | AsyncIterable<Uint8Array>;
}

/** Bytes that are prepared while zlib's thread compresses those before them. */
const AHEAD = 524_288;

/** Writes a ZIP to a file that does not exist yet, entry by entry; `level` 1 (quick) to 9 (small). */
export async function writeZip(path: string, level: number, entries: AsyncIterable<ZipEntry>): Promise<void> {
  const options = {
    compressionLevel: level,
    // The first day there is, without a zone: the same workbook gives the same file at any time and anywhere.
    mtime: new Date(1980, 0, 1),
    forceDosTimestamp: true,
  };
  const zip = new ZipFile();
  const stop = new AbortController();
  const file = createWriteStream(path, { flags: 'wx' });
  const written = pipeline(zip.outputStream, file, { signal: stop.signal });
  // Both kinds of failure are waited for below: that of an entry comes out of its own stream as well.
  written.catch(() => {});
  zip.on('error', () => {});
  try {
    for await (const { name, content } of entries) {
      if (Buffer.isBuffer(content)) {
        zip.addBuffer(content, name, options);
      } else {
        const chunks = Readable.from(content, { objectMode: false, highWaterMark: AHEAD });
        zip.addReadStream(chunks, name, options);
        await Promise.race([finished(chunks), written]).finally(() => chunks.destroy());
      }
    }
    zip.end();
  } catch (error) {
    stop.abort();
    await written.catch(() => {});
    throw error;
  }
  await written;
}
