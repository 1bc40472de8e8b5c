import type { DatabaseSync } from 'node:sqlite';
import { createIssueTerms, type TermStorage, type WritableTerms } from '../packed/issue-terms.ts';

/** The terms of each tracker's packed issues: one set for all who read or write its issues through this database. */
export function createSqliteTerms(database: DatabaseSync): (tracker: string) => WritableTerms {
  const known = new Map<string, WritableTerms>();
  return (tracker) => {
    const terms = known.get(tracker) ?? createIssueTerms(createTermStorage(database, tracker));
    known.set(tracker, terms);
    return terms;
  };
}

function createTermStorage(database: DatabaseSync, tracker: string): TermStorage {
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
