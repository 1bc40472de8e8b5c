import { AppError } from '../../model/error.ts';
import { nameCurrentUser, parseJql } from '../../selection/jql/parse-jql.ts';

/** A query by the grammar of JQL: what selects issues, and what orders them (`ORDER BY …`); empty where there is none. */
export function splitQuery(jql: string): { readonly filter: string; readonly order: string } {
  const whole = { filter: jql.trim(), order: '' };
  if (!/order/i.test(jql)) return whole;
  return unlessUnreadable(whole, () => {
    const { whereText, orderByText } = parseJql(jql);
    return { filter: whereText, order: orderByText ?? '' };
  });
}

/** Whether a query may call `currentUser()`: cheap, and never no where it does without escapes in the name. */
export function mayNameCurrentUser(jql: string): boolean {
  return /currentuser/i.test(jql);
}

/** A query that means the same for every principal, with `literal` for each `currentUser()`. */
export function withCurrentUserNamed(jql: string, literal: string): string {
  return unlessUnreadable(jql, () => nameCurrentUser(jql, literal));
}

/** A query that cannot be read stays as it is: it is refused, with what is wrong, wherever it is asked. */
function unlessUnreadable<Result>(asItIs: Result, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return asItIs;
    throw error;
  }
}

/** A text as a literal of JQL. */
export function asLiteral(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
