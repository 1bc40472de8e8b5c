import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import type { AnswerTurns } from '../concurrency/answer-turns.ts';
import type { Principal } from '../model/request.ts';
import { createMcpServers } from './create-mcp-server.ts';
import { codes, errorMessage, MAX_MESSAGE_BYTES, readMessage, requestIdOf, tooLong } from './messages.ts';
import type { ToolParts } from './tool.ts';

/**
 * Serves one assistant over standard input and output, until the input ends or a signal comes. What was asked before the
 * end is still answered.
 */
export async function serveStdio(
  principal: Principal,
  parts: ToolParts & { readonly turns: AnswerTurns },
  log: Logger,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const ended = Promise.withResolvers<void>();
  const server = createMcpServers(
    parts,
    parts.turns,
    log,
  )(principal, (call) => {
    underWay.add(call);
    void call.finally(() => underWay.delete(call));
  });
  process.stdin.once('end', ended.resolve).once('close', ended.resolve);
  // The reader of the answers is gone.
  process.stdout.once('error', ended.resolve);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, ended.resolve);
  await server.connect(createLineTransport(process.stdin, process.stdout));
  await ended.promise;
  // In a turn of the event loop waiting input is read, and answers are written.
  await nextTurn();
  await Promise.allSettled(underWay);
  await nextTurn();
  await server.close();
}

const NEWLINE = 10;

/** Messages of the protocol, one a line. A line that is none is answered with an error, and the next one is read. */
function createLineTransport(input: Readable, output: Writable): Transport {
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
        errorMessage(
          codes.invalidRequest,
          'This is not a message of JSON-RPC 2.0.',
          requestIdOf(read.message),
        ),
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
