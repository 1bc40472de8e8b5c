import type { DatabaseSync } from 'node:sqlite';

/** Takes the issue under a key away and leaves the key behind with its own revision. To be called in a transaction. */
export function takeIssueAway(database: DatabaseSync, tracker: string, key: string, revision: number): void {
  database.prepare('DELETE FROM issue WHERE tracker = ? AND key = ?').run(tracker, key);
  database
    .prepare('INSERT OR REPLACE INTO issue_removed (tracker, key, revision) VALUES (?, ?, ?)')
    .run(tracker, key, revision);
}
