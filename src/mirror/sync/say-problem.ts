import { AppError } from '../../model/error.ts';

/** What went wrong, in a whole sentence; nothing of an error that was not foreseen, for it might tell a secret. */
export function sayProblem(error: unknown): string {
  if (!(error instanceof AppError)) return 'Something unforeseen stopped it; the log tells more.';
  const { message, details } = error;
  return [...(details.length > 0 && message === 'Bad request' ? [] : [message]), ...details].join(' ');
}
