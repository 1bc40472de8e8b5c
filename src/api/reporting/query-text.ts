import { AppError } from '../../model/error.ts';
import { nameCurrentUser, parseJql } from '../../selection/jql/parse-jql.ts';

/** Splits a query into a part that selects issues and one that orders them (`ORDER BY …`); either may be empty. */
export function splitQuery(jql: string): { readonly filter: string; readonly order: string } {
  const whole = { filter: jql.trim(), order: '' };
  if (!/order/i.test(jql)) return whole;
  return unlessUnreadable(whole, () => {
    const { whereText, orderByText } = parseJql(jql);
    return { filter: whereText, order: orderByText ?? '' };
  });
}

/** True if a query may call `currentUser()`: a cheap test that misses only names with escapes. */
export function mayNameCurrentUser(jql: string): boolean {
  return /currentuser/i.test(jql);
}

/** The query with `literal` in place of each `currentUser()`, so that it means the same for every principal. */
export function withCurrentUserNamed(jql: string, literal: string): string {
  return unlessUnreadable(jql, () => nameCurrentUser(jql, literal));
}

/** Returns `asItIs` if the query has a syntax error, which is reported when the query is run. */
function unlessUnreadable<Result>(asItIs: Result, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return asItIs;
    throw error;
  }
}

/** A text as a string literal of JQL. */
export function asLiteral(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
