import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Message } from '../block-kit/message.ts';
import { AppError } from '../model/error.ts';
import { tryAgain } from './exports/refusal.ts';
import { errorMessage } from './messages/error.ts';

/**
 * A failure as the principal reads it; a bug of ours is logged under the reference they read, with what `failed`. A failure
 * of Slack is none of ours.
 */
export function tellFailure(error: unknown, failed: Readonly<Record<string, string>>, log: Logger): Message {
  const reference = randomUUID();
  const told = tryAgain(error);
  if (!(told instanceof AppError)) log.error({ err: error, reference, ...failed }, 'answering failed');
  else if (told !== error) log.warn({ err: error, ...failed }, 'answering failed because Slack did');
  return errorMessage(told, reference);
}
