import type { DatabaseSync } from 'node:sqlite';
import { createIssueTerms, type WritableTerms } from '../packed/issue-terms.ts';

/**
 * The terms of packed issues for a step of an upgrade: all that are stored of an owner, who is known by these columns.
 * `store` stores those that got their number since.
 */
export function openStoredTerms(
  database: DatabaseSync,
  owner: Readonly<Record<string, string>>,
): { readonly terms: WritableTerms; store(): void } {
  const columns = Object.keys(owner);
  const values = Object.values(owner);
  const terms = createIssueTerms();
  const stored = database
    .prepare(
      `SELECT kind, number, term FROM issue_term WHERE ${columns.map((name) => `${name} = ?`).join(' AND ')}
       ORDER BY kind, number`,
    )
    .all(...values);
  terms.take(
    stored.map(({ kind, number, term }) => ({
      kind: String(kind),
      number: Number(number),
      term: String(term),
    })),
  );
  terms.begin();
  const put = database.prepare(
    `INSERT INTO issue_term (${columns.join(', ')}, kind, number, term)
     VALUES (${columns.map(() => '?').join(', ')}, ?, ?, ?)`,
  );
  return {
    terms,
    store() {
      for (const { kind, number, term } of terms.assigned()) put.run(...values, kind, number, term);
      terms.begin();
    },
  };
}
