import { AppError } from '../../model/error.ts';

/** Whether a register failed in such a way that what it was to save may be saved all the same; it says so itself. */
export function isUnknownOutcome(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.code === 'unavailable' &&
    /\bnobody knows whether\b/i.test(error.message)
  );
}
