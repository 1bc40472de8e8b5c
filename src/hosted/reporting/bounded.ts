/** Nothing, or an order of everything. */
const nothing = /^\s*(?:order\s+by\b.*)?$/is;

/** Before this nothing was created. */
const ALL = 'created >= "1970-01-01"';

/** Whether a query restricts nothing. */
export function isEverything(jql: string): boolean {
  return nothing.test(jql);
}

/** A query that every service takes: a filter may not be empty, and a tracker may refuse one without a restriction. */
export function bounded(jql: string): string {
  return isEverything(jql) ? `${ALL} ${jql.trim()}`.trim() : jql;
}
