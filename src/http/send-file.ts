import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { contentDisposition } from './content-disposition.ts';
import type { FileReply } from './route.ts';

/** What a stream to a client fails with when the client is gone. */
const codesOfGone = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

/** A client that takes nothing for so long is gone, though it may not know. */
const IDLE_MS = 120_000;

/** Sends a file as fast as the client takes it; a client that leaves is no failure. */
export async function sendFile(
  { file, headers = {}, close }: FileReply,
  request: Request,
  response: Response,
): Promise<void> {
  try {
    await using handle = await open(file.path).catch(async (error) => {
      await close?.();
      throw error;
    });
    // What is open can be read to its end, and so not even a killed process leaves the file behind.
    await close?.();
    const { size } = await handle.stat();
    if (size !== file.bytes) throw new Error(`${file.path} has ${size} bytes instead of ${file.bytes}`);
    response
      .status(200)
      .set('Cache-Control', 'no-store')
      .set('Content-Type', file.mediaType)
      .set('Content-Length', String(size))
      .set('Content-Disposition', contentDisposition(file.fileName))
      .set('X-Content-Type-Options', 'nosniff')
      .set(headers);
    if (request.method === 'HEAD') response.end();
    else await sendStream(handle.createReadStream({ autoClose: false }), response);
  } catch (error) {
    if (!isOfGone(error)) throw error;
  }
}

/** As fast as the client takes it; a client that leaves is no failure. */
export async function sendStream(parts: Readable, response: Response): Promise<void> {
  response.setTimeout(IDLE_MS, () => response.destroy());
  // Ends are watched from many sides, most of them by the pipeline itself.
  response.setMaxListeners(20);
  await pipeline(parts, response).catch((error: unknown) => {
    if (!isOfGone(error)) throw error;
  });
}

function isOfGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfGone.has(String(error.code));
}
