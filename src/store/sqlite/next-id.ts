import type { DatabaseSync } from 'node:sqlite';

/** The next number of a kind, from `first` on; none is given twice. To be called in a transaction. */
export function nextId(database: DatabaseSync, tracker: string, kind: string, first: number): number {
  const next = database.prepare(`
    INSERT INTO last_id (tracker, kind, id) VALUES (?, ?, ?)
    ON CONFLICT (tracker, kind) DO UPDATE SET id = id + 1 RETURNING id`);
  return Number(next.get(tracker, kind, first)?.id);
}
