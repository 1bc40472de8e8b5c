import type { SheetRow } from './workbook.ts';

/** UTF-16 units after which text becomes bytes. */
const ENOUGH = 40_000;

/** No chunk is longer, in bytes. */
const LONGEST_CHUNK = 131_072;

/** How rows become text: what stands before them, each one with its number from 0, and what stands behind all. */
export interface RowText {
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
  for (let at = 0; at < all.length; at += LONGEST_CHUNK) yield all.subarray(at, at + LONGEST_CHUNK);
}
