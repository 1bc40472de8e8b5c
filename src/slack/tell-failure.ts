import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError } from '../model/error.ts';
import type { Message } from './message.ts';
import { errorMessage } from './messages/error.ts';

/** A failure as the asker reads it; a bug of ours is logged under the reference they read, with what `failed`. */
export function tellFailure(error: unknown, failed: Readonly<Record<string, string>>, log: Logger): Message {
  const reference = randomUUID();
  if (!(error instanceof AppError)) log.error({ err: error, reference, ...failed }, 'answering failed');
  return errorMessage(error, reference);
}
