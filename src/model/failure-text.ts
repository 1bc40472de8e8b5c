import type { AppError } from './error.ts';

/** A failure in whole sentences; what is no sentence by itself leads on to its details with a colon. */
export function failureText({ message, details }: AppError): string {
  return [message, ...details].reduce((text, next) => `${text}${/[.?!]$/.test(text) ? '' : ':'} ${next}`);
}
