import { nameCurrentUser } from '../jql/parse-jql.ts';
import { AppError } from '../model/error.ts';

/** Whether a query may call `currentUser()`: cheap, and never no where it does without escapes in the name. */
export function mayAskWhoAsks(jql: string): boolean {
  return /currentuser/i.test(jql);
}

/**
 * A query that means the same whoever asks it, with `literal` for each `currentUser()`. One that cannot be read stays as
 * it is: it is refused, with what is wrong, wherever it is asked.
 */
export function withAskerNamed(jql: string, literal: string): string {
  try {
    return nameCurrentUser(jql, literal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return jql;
    throw error;
  }
}
