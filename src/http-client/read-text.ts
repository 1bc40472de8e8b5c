import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from './code-of.ts';
import { unpackingOf } from './unpacking.ts';

/**
 * The text (UTF-8) of an answer, unpacked; null where that is more than so many bytes: then no more of it is read. What
 * ends too early, as it comes or within its packing, and what is packed in an unknown way fails.
 */
export async function readText(
  body: Readable,
  headers: ReadonlyMap<string, string>,
  mostBytes: number,
): Promise<string | null> {
  // It answers its own destruction with an error that nobody else would listen to.
  body.on('error', () => {});
  if (Number(headers.get('content-length') ?? 0) > mostBytes) {
    body.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > mostBytes) throw new TooMuch();
      chunks.push(chunk);
    }
  };
  try {
    const unpacking = unpackingOf(headers.get('content-encoding'));
    if (unpacking === null) await pipeline(body, collect);
    // An answer without a text, such as a redirect, may say how the text it has not is packed.
    else
      await pipeline(body, unpacking, collect).catch((error) => {
        if (unpacking.bytesWritten > 0 || codeOf(error) !== 'Z_BUF_ERROR') throw error;
      });
  } catch (error) {
    body.destroy();
    if (error instanceof TooMuch) return null;
    throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

class TooMuch extends Error {}
