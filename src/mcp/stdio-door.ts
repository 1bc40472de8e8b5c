import type { Logger } from 'pino';
import type { AnswerTurns } from '../concurrency/answer-turns.ts';
import type { Principal } from '../model/request.ts';
import { createMcpServers } from './create-mcp-server.ts';
import { createLineTransport } from './line-transport.ts';
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
  await nextTurn();
  await Promise.allSettled(underWay);
  await nextTurn();
  await server.close();
}

/** One turn of the event loop, in which waiting input is read and answers are written. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
