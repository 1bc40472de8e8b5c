import type { Logger } from 'pino';
import { AppError, failureText } from './model/error.ts';

/** Logs what went wrong by itself: in sentences where it was foreseen, with its stack where it is a bug. */
export function logProblem(log: Pick<Logger, 'error'>, error: unknown, what: string): void {
  if (error instanceof AppError) log.error({ problem: failureText(error) }, what);
  else log.error({ err: error }, what);
}

/** Logs that a store of an earlier version is upgraded, before that begins. */
export function logUpgrade(log: Pick<Logger, 'info'>): void {
  log.info('upgrading the store from an earlier version; nothing is answered until this is done');
}
