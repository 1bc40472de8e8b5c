import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { codes, errorMessage, idOf, MAX_MESSAGE_BYTES, readMessage, tooLong } from './messages.ts';

const NEWLINE = 10;

/** Messages of the protocol, one a line. A line that is none is answered with an error, and the next one is read. */
export function createLineTransport(input: Readable, output: Writable): Transport {
  /** The line that has not ended yet; null: it is too long, and what is left of it is passed over. */
  let line: Buffer[] | null = [];
  let bytes = 0;

  function write(message: unknown): Promise<void> {
    return new Promise((resolve) => {
      if (output.write(`${JSON.stringify(message)}\n`)) resolve();
      else output.once('drain', resolve);
    });
  }

  function receive(text: string): void {
    if (text.trim() === '') return;
    const read = readMessage(text);
    if (!('message' in read)) return void write(errorMessage(read.code, read.problem));
    const message = JSONRPCMessageSchema.safeParse(read.message);
    if (message.success) transport.onmessage?.(message.data);
    else
      void write(
        errorMessage(codes.invalidRequest, 'This is not a message of JSON-RPC 2.0.', idOf(read.message)),
      );
  }

  function take(part: Buffer): void {
    bytes += part.length;
    if (bytes <= MAX_MESSAGE_BYTES) line?.push(part);
    else if (line !== null) {
      line = null;
      void write(errorMessage(tooLong.code, tooLong.problem));
    }
  }

  function endLine(): void {
    const text = line === null ? '' : Buffer.concat(line).toString('utf8');
    line = [];
    bytes = 0;
    receive(text);
  }

  function read(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, start);
      take(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      endLine();
      start = end + 1;
    }
  }

  const transport: Transport = {
    async start() {
      input.on('data', read);
    },
    send: write,
    async close() {
      input.off('data', read);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}
