import { type BrotliDecompress, createBrotliDecompress, createGunzip, type Gunzip } from 'node:zlib';

/** Value of the header that asks for answers in them. */
export const READ_CODINGS = 'gzip, br';

/** In place of an error's code: the answer is packed in a way that we did not ask for. */
export const UNKNOWN_CODING = 'unknown content-encoding';

/** Fewer and larger pieces than by default: histories unpack to ten times their size. */
const CHUNK_BYTES = 65_536;

/** An answer in another content coding than those we asked for. */
export class UnknownCoding extends Error {
  readonly code = UNKNOWN_CODING;
  readonly coding: string;

  constructor(coding: string) {
    super(`The answer is encoded as ${coding}.`);
    this.name = 'UnknownCoding';
    this.coding = coding;
  }
}

/**
 * What unpacks an answer of this `Content-Encoding` (RFC 9110, 8.4); null where it comes plain. Several codings one
 * after another are as unknown as any other: nobody packs twice in good faith.
 */
export function unpackingOf(contentEncoding: string | undefined): Gunzip | BrotliDecompress | null {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  switch (coding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize: CHUNK_BYTES });
    case 'br':
      return createBrotliDecompress({ chunkSize: CHUNK_BYTES });
    default:
      throw new UnknownCoding(coding);
  }
}
