import type { Response } from 'express';
import type { Message } from './message.ts';
import { pageMessage } from './page-state.ts';
import type { Stage } from './stage.ts';

/** How soon a page that lost the stream asks for it again. */
const retryMs = 1_500;

/** Sends one person's page whatever changes before their eyes, as server-sent events. */
export function streamChanges(stage: Stage, user: string, response: Response): void {
  response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
  const send = (change: object) => response.write(`data: ${JSON.stringify(change)}\n\n`);
  response.write(`retry: ${retryMs}\n`);
  send({ kind: 'hello' });
  const stop = stage.workspace.listen((change) => {
    if ('message' in change) {
      if (sees(stage, user, change.message))
        send({ kind: change.kind, message: pageMessage(change.message) });
    } else if (change.user === user) send(change);
  });
  const beat = setInterval(() => response.write(': still here\n\n'), 20_000).unref();
  response.on('close', () => {
    stop();
    clearInterval(beat);
  });
}

/** Ends the streams that are still open. */
export function closeSafely(streams: Iterable<Response>): void {
  for (const stream of streams) stream.end();
}

function sees({ workspace }: Stage, user: string, { channel, onlyFor }: Message): boolean {
  if (onlyFor !== undefined && onlyFor !== user) return false;
  return !channel.startsWith('D') || channel === workspace.directOf(user);
}
