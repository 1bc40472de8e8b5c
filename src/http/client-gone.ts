import type { Response } from 'express';

/** Nobody waits for the answer any more. */
export class ClientGone extends Error {
  constructor() {
    super('The client is gone.');
    this.name = 'ClientGone';
  }
}

/** Aborted with ClientGone when the connection ends before the answer is given. */
export function untilGone(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientGone());
  });
  return controller.signal;
}
