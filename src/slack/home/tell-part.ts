import type { Logger } from 'pino';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import { tryAgain } from '../exports/refusal.ts';
import { tellFailure } from '../tell-failure.ts';

/** Why a part of the tab cannot be told. Its sentences say what is wrong; a heading above them would say nothing. */
export function tellPart(error: unknown, failed: Readonly<Record<string, string>>, log: Logger): Message {
  if (error instanceof AppError && error.code === 'bad-request') {
    const [first, ...others] = error.details;
    if (first !== undefined) return tellFailure(new AppError(error.reason, first, others), failed, log);
  }
  return tellFailure(error, failed, log);
}

/** Whether asking again may help; a right that is missing does not come by itself, nor does a newer service. */
export function mayPass(error: unknown): boolean {
  const told = tryAgain(error);
  if (!(told instanceof AppError)) return true;
  const { code, reason } = told;
  return code !== 'not-allowed' && code !== 'not-authenticated' && reason !== 'service-too-old';
}
