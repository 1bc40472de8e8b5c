import type { Logger } from 'pino';
import { AppError } from '../../../model/error.ts';
import { pause } from './pace.ts';

/**
 * What the store tells once it can be written to: others may hold it for long, and the work behind this write must not
 * be lost. Null when the signal came first.
 */
export async function untilKept<Result>(
  write: () => Promise<Result>,
  { signal, pauseMs, log }: { readonly signal: AbortSignal; readonly pauseMs: number; readonly log: Logger },
): Promise<Result | null> {
  while (!signal.aborted) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      log.warn({ err: error }, 'what became of an export cannot be kept yet');
    }
    await pause(pauseMs, signal);
  }
  return null;
}
