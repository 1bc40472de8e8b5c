import type { DatabaseSync } from 'node:sqlite';

/**
 * The highest revision of a tracker's issues and of the keys they have left; 0 when there are none. What is taken away
 * leaves its key behind with a higher one, so it never falls.
 */
export function issueRevision(database: DatabaseSync, tracker: string): number {
  const row = database
    .prepare(`
      SELECT max(
        ifnull((SELECT max(revision) FROM issue WHERE tracker = :tracker), 0),
        ifnull((SELECT max(revision) FROM issue_removed WHERE tracker = :tracker), 0)
      ) AS last`)
    .get({ tracker });
  return Number(row?.last);
}
