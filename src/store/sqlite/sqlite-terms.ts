import type { DatabaseSync } from 'node:sqlite';
import { createIssueTerms, type WritableTerms } from '../packed/issue-terms.ts';
import type { Owner } from './sqlite-database.ts';

/** The terms of an owner's packed issues: to be one set for all who read or write them through a database. */
export function createSqliteTerms(database: DatabaseSync, owner: Owner): WritableTerms {
  const read = database.prepare(`
    SELECT number, term FROM issue_term
    WHERE tenant = ? AND tracker = ? AND kind = ? AND number >= ? AND number < ? ORDER BY number`);
  const put = database.prepare(
    'INSERT INTO issue_term (tenant, tracker, kind, number, term) VALUES (?, ?, ?, ?, ?)',
  );
  return createIssueTerms({
    read: (kind, first, end) =>
      read.all(...owner, kind, first, end).map(({ number, term }) => ({
        number: Number(number),
        json: String(term),
      })),
    put(kind, { number, json }) {
      put.run(...owner, kind, number, json);
    },
  });
}
