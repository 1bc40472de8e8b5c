import type { DatabaseSync } from 'node:sqlite';
import { createIssueTerms, type GrowingTerms, type TermShelf } from '../packed/issue-terms.ts';

/** The terms of each tracker's packed issues: one set for all who read or write its issues through this database. */
export function createSqliteTerms(database: DatabaseSync): (tracker: string) => GrowingTerms {
  const known = new Map<string, GrowingTerms>();
  return (tracker) => {
    const terms = known.get(tracker) ?? createIssueTerms(createShelf(database, tracker));
    known.set(tracker, terms);
    return terms;
  };
}

function createShelf(database: DatabaseSync, tracker: string): TermShelf {
  const read = database.prepare(
    'SELECT number, term FROM issue_term WHERE tracker = ? AND kind = ? AND number >= ? AND number < ? ORDER BY number',
  );
  const put = database.prepare('INSERT INTO issue_term (tracker, kind, number, term) VALUES (?, ?, ?, ?)');
  return {
    read: (kind, first, end) =>
      read.all(tracker, kind, first, end).map(({ number, term }) => ({
        number: Number(number),
        json: String(term),
      })),
    put(kind, { number, json }) {
      put.run(tracker, kind, number, json);
    },
  };
}
