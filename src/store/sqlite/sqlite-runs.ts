import type { DatabaseSync } from 'node:sqlite';
import type { Run } from '../../model/question.ts';
import type { RunStore } from '../run-store.ts';
import { inTransaction, parseDocument, withoutSync } from './sqlite-database.ts';

/** Questions that were answered, in SQLite. */
export function createSqliteRuns(database: DatabaseSync): RunStore {
  const put = database.prepare(
    'INSERT OR REPLACE INTO question_run (id, asked_at, document) VALUES (?, ?, ?)',
  );
  return {
    async put(run) {
      // One for every answer: waiting for the disk would hold everybody up, and what is lost is asked again.
      withoutSync(database, () =>
        inTransaction(database, () => put.run(run.id, run.askedAt, JSON.stringify(run))),
      );
    },
    async get(id) {
      const row = database.prepare('SELECT document FROM question_run WHERE id = ?').get(id);
      return row === undefined ? null : parseDocument<Run>(row.document);
    },
    async forget(before) {
      const old = 'FROM question_run WHERE asked_at < ?';
      // Mostly there is none, and then nobody who writes is waited for.
      if (database.prepare(`SELECT 1 ${old} LIMIT 1`).get(before) === undefined) return;
      const forget = database.prepare(`DELETE ${old}`);
      inTransaction(database, () => forget.run(before));
    },
  };
}
